package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Supervision;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.sim.history.Payloads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Errors that seeds have found in streams, step by step. */
class StreamMuseumTest {

  private static final Epoch SERVING = Epoch.FIRST.next();
  private static final StreamId STREAM = StreamId.named("a");

  private final Scenario scenario = new Scenario(2);

  /** Seed 107: the entry appeared later, before one that had been read. */
  @Test
  void aRangeThatWasReadWithoutAnEntryStaysWithoutIt() {
    append("before");
    takeToken();
    append("behind");

    List<StreamRead> read = stream(a -> a.read(StreamAddress.ZERO, new StreamAddress(3)));

    assertThat(read.stream().map(entry -> ((StreamRead.Entry) entry).streamAddress().value()))
        .containsExactly(0L, 2L);
    assertThatNothingCanBeWrittenAt(1);
  }

  @Test
  void aRangeThatEndsInFrontOfAnEntryStaysAsItIs() {
    takeToken();
    append("behind");

    List<StreamRead> read = stream(a -> a.read(StreamAddress.ZERO, new StreamAddress(1)));

    assertThat(read).isEmpty();
    assertThatNothingCanBeWrittenAt(0);
  }

  @Test
  void aPlaceThatWasAbsentInFrontOfAnEntryStaysSo() {
    takeToken();
    for (int i = 0; i < 20; i++) {
      append("behind " + i);
    }

    StreamRead read = stream(a -> a.read(StreamAddress.ZERO));

    assertThat(read).isEqualTo(StreamRead.Absent.ABSENT);
    assertThatNothingCanBeWrittenAt(0);
  }

  /** Seed 55 at a slow pace: the index led the reader past tokens in use. */
  @Test
  void aReaderPassesNoUndecidedTokensBetweenEntriesThatTheUnitsToldItOf() {
    append("before");
    for (int i = 0; i < 6; i++) {
      takeToken();
    }
    append("behind six tokens");
    for (int i = 0; i < 4; i++) {
      takeToken();
    }

    List<StreamRead.Entry> read =
        stream(
            a -> {
              StreamReader reader = a.reader();
              reader.sync();
              return reader.readRest();
            });

    assertThat(read.stream().map(entry -> entry.streamAddress().value())).containsExactly(0L, 7L);
    for (long address = 1; address < 7; address++) {
      assertThatNothingCanBeWrittenAt(address);
    }
  }

  @Test
  void aPlaceBehindTheLastEntryIsLeftToItsWriter() {
    append("last");
    takeToken();

    StreamRead read = stream(a -> a.read(new StreamAddress(1)));

    assertThat(read).isEqualTo(StreamRead.Absent.ABSENT);
    assertThatHeadHas(1, AddressState.UNWRITTEN);
  }

  /** Seed 1: trimmed entries were readable again when the other units had left. */
  @Test
  void aUnitThatJoinsIsToldWhatWasTrimmed() {
    Scenario mended = new Scenario(2, 2, 1, 1, Supervision.DEFAULT);
    StreamId other = StreamId.named("b");
    mended.client(
        corfu -> {
          Streams streams = Streams.over(corfu);
          for (int i = 0; i < 3; i++) {
            streams.append(List.of(STREAM, other), ByteBuffer.allocate(1));
          }
          streams.open(STREAM).trim(new StreamAddress(2));
          return streams;
        });
    Endpoint spare = mended.arrangement.units().getLast();
    mended.cluster.letDie(mended.server(mended.arrangement.units().getFirst()));
    mended.until("the spare has taken its place", mended.cluster::isWhole);
    mended.pass(Duration.ofSeconds(1)); // all servers have learned it
    assertThat(mended.newest().chainOf(0).replicas()).contains(spare);

    var query = StreamQuery.below(STREAM, Long.MAX_VALUE);
    var request = new LogUnitRequest.FindInStreams(mended.newest().epoch(), List.of(query), 10);
    var found = (LogUnitReply.FoundInStreams) mended.ask(spare, request);

    assertThat(found.found().getFirst().trimmedBefore()).isEqualTo(2);
  }

  @Test
  void whoHasReadAPartHearsThatTheRestWasTrimmedBeforeAnEpochBegan() {
    StreamRead next =
        stream(
            a -> {
              a.append(Payloads.of("first", 0));
              StreamReader reader = a.reader();
              reader.sync();
              assertThat(reader.readRest()).hasSize(1);
              a.append(Payloads.of("second", 0));
              a.trim(new StreamAddress(2));
              scenario.anotherReconfigures(how -> how.renew(scenario.newest())).join();
              reader.sync();
              return reader.readNext();
            });

    assertThat(next).isEqualTo(new StreamRead.Trimmed(new StreamAddress(2)));
  }

  private <T> T stream(Function<LogStream, T> body) {
    return scenario.client(corfu -> body.apply(Streams.over(corfu).open(STREAM)));
  }

  private void append(String payload) {
    stream(a -> a.append(Payloads.of(payload, 0)));
  }

  /** Gets a token, and abandons it. */
  private void takeToken() {
    var request =
        new SequencerRequest.NextInStreams(
            SERVING, List.of(TokenWish.in(List.of(STREAM))), List.of());
    Reply reply = scenario.ask(scenario.arrangement.sequencer(), request);
    assertThat(reply).isInstanceOf(SequencerReply.StreamTokens.class);
  }

  private void assertThatNothingCanBeWrittenAt(long address) {
    assertThatHeadHas(address, AddressState.HOLE);
  }

  /** Asks the head, which decides. */
  private void assertThatHeadHas(long address, AddressState state) {
    var request = new LogUnitRequest.Inspect(SERVING, AddressSet.of(address));
    assertThat(scenario.ask(scenario.chainOf(address).getFirst(), request))
        .isEqualTo(new LogUnitReply.States(List.of(state)));
  }
}
