package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.Supervision;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.sim.history.Payloads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Errors that seeds have found in streams with stream replicas, step by step. */
class ReplicatedStreamMuseumTest {

  private static final StreamId STREAM = StreamId.named("a");

  private final Scenario scenario =
      new Scenario(new Wanted(2, 1, 1), 0, 1, Supervision.DEFAULT.withAgent(false));

  /** Seed 90218: an entry that was appended meanwhile was passed over as lost. */
  @Test
  void whatIsAppendedWhileAReaderLooksForItsEndIsGivenToItLater() {
    scenario.client(
        corfu -> {
          append(corfu, 3);
          return trim(corfu, 3);
        });

    List<StreamRead> all =
        scenario.client(
            (corfu, way) -> {
              StreamReader reader = stream(corfu).reader();
              way.beforeNext(
                  LogUnitRequest.ReadStream.class::isInstance,
                  () -> scenario.another(other -> append(other, 1)));
              List<StreamRead> given = new ArrayList<>();
              StreamEnds ends = Streams.over(corfu).ends(List.of(STREAM));
              assertThat(reader.sync(ends)).isEqualTo(new StreamAddress(3));
              given.addAll(rest(reader));
              reader.sync();
              given.addAll(rest(reader));
              return given;
            });

    assertThat(all.getFirst()).isEqualTo(new StreamRead.Trimmed(new StreamAddress(3)));
    assertThat(places(all)).containsExactly(3L);
  }

  /** A reader that asks for both at the same time gets the end last. */
  @Test
  void whatIsAppendedBetweenItsFirstPieceAndItsEndIsGiven() {
    scenario.client(corfu -> append(corfu, 3));

    List<StreamRead> all =
        scenario.client(
            (corfu, way) -> {
              StreamReader reader = stream(corfu).reader();
              way.beforeNext(
                  SequencerRequest.class::isInstance,
                  () -> scenario.another(other -> append(other, 1)));
              assertThat(reader.sync()).isEqualTo(new StreamAddress(4));
              return rest(reader);
            });

    assertThat(places(all)).containsExactly(0L, 1L, 2L, 3L);
  }

  /** Seed 92682: entries that a failed sync had found were returned after they had been trimmed. */
  @Test
  void whatIsTrimmedBeforeASyncSucceedsIsNotGivenAnyMore() {
    scenario.client(corfu -> append(corfu, 3));
    takeToken();

    List<StreamRead> all =
        scenario.client(
            (corfu, way) -> {
              StreamReader reader = stream(corfu).reader();
              failToSync(reader, way);
              scenario.another(other -> trim(other, 2)).join();
              assertThat(reader.sync()).isEqualTo(new StreamAddress(3));
              return rest(reader);
            });

    assertThat(all.getFirst()).isEqualTo(new StreamRead.Trimmed(new StreamAddress(2)));
    assertThat(places(all)).containsExactly(2L);
  }

  @Test
  void aSyncAfterAFailedOneTellsTheStreamsEndInANewEpoch() {
    scenario.client(corfu -> append(corfu, 3));
    takeToken();

    List<StreamRead> all =
        scenario.client(
            (corfu, way) -> {
              StreamReader reader = stream(corfu).reader();
              failToSync(reader, way);
              scenario.anotherReconfigures(r -> r.renew(scenario.newest())).join();
              assertThat(reader.sync()).isEqualTo(new StreamAddress(3));
              return rest(reader);
            });

    assertThat(places(all)).containsExactly(0L, 1L, 2L);
  }

  /** The reader missed a trim between its first two requests, and took the stream for empty. */
  @Test
  void aReaderThatBeginsIsToldThatAllIsTrimmedMeanwhile() {
    scenario.client(corfu -> append(corfu, 3));

    List<StreamRead> all =
        scenario.client(
            (corfu, way) -> {
              StreamReader reader = stream(corfu).reader();
              way.beforeNext(
                  LogUnitRequest.ReadStream.class::isInstance,
                  () -> scenario.another(other -> trim(other, 3)));
              assertThat(reader.sync()).isEqualTo(new StreamAddress(3));
              return rest(reader);
            });

    assertThat(all).containsExactly(new StreamRead.Trimmed(new StreamAddress(3)));
  }

  /** Lets the reader find the entries, but not decide whether another one follows. */
  private static void failToSync(StreamReader reader, TestWay way) {
    way.lose(LogUnitRequest.Write.class::isInstance);
    assertThatThrownBy(reader::sync).isInstanceOf(CorfuException.class);
    way.lose(request -> false);
  }

  private static LogStream stream(Corfu corfu) {
    return Streams.over(corfu).open(STREAM);
  }

  private static Address append(Corfu corfu, int entries) {
    StreamAppend.Appended last = stream(corfu).append(Payloads.of("x", 0));
    for (int i = 1; i < entries; i++) {
      last = stream(corfu).append(Payloads.of("x" + i, 0));
    }
    return last.address();
  }

  private static LogStream trim(Corfu corfu, long before) {
    stream(corfu).trim(new StreamAddress(before));
    return stream(corfu);
  }

  private static List<StreamRead> rest(StreamReader reader) {
    List<StreamRead> rest = new ArrayList<>();
    for (StreamRead next = reader.readNext();
        next != StreamRead.Absent.ABSENT;
        next = reader.readNext()) {
      rest.add(next);
    }
    return rest;
  }

  private static List<Long> places(List<StreamRead> reads) {
    return reads.stream()
        .filter(StreamRead.Entry.class::isInstance)
        .map(entry -> ((StreamRead.Entry) entry).streamAddress().value())
        .toList();
  }

  /** Gets a token, and abandons it. */
  private void takeToken() {
    var wish = TokenWish.in(List.of(STREAM));
    var epoch = scenario.newest().epoch();
    scenario.ask(
        scenario.arrangement.sequencer(),
        new SequencerRequest.NextInStreams(epoch, List.of(wish), List.of()));
  }
}
