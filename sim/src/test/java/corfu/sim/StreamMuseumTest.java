package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What seeds have found in streams, step by step. */
class StreamMuseumTest {

  private static final Epoch SERVING = Epoch.FIRST.next();
  private static final StreamId STREAM = StreamId.named("a");

  private final Scenario scenario = new Scenario(2);

  /** Seed 107: the entry appeared later, in front of one that had been read. */
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

  @Test
  void aPlaceBehindTheLastEntryIsLeftToItsWriter() {
    append("last");
    takeToken();

    StreamRead read = stream(a -> a.read(new StreamAddress(1)));

    assertThat(read).isEqualTo(StreamRead.Absent.ABSENT);
    assertThatHeadHas(1, AddressState.UNWRITTEN);
  }

  private <T> T stream(Function<LogStream, T> body) {
    return scenario.client(corfu -> body.apply(Streams.over(corfu).open(STREAM)));
  }

  private void append(String payload) {
    stream(a -> a.append(Payloads.of(payload, 0)));
  }

  /** A writer who does not come. */
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

  /** The head decides. */
  private void assertThatHeadHas(long address, AddressState state) {
    var request = new LogUnitRequest.Inspect(SERVING, AddressSet.of(address));
    assertThat(scenario.ask(scenario.chainOf(address).getFirst(), request))
        .isEqualTo(new LogUnitReply.States(List.of(state)));
  }
}
