package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How long a reader waits for writers that abandoned their tokens. */
class AbandonedTokensTest {

  private static final Epoch SERVING = Epoch.FIRST.next();
  private static final long HOLE_TIMEOUT_NANOS = 100_000_000L;

  /** A few round trips: far below the hole timeout. */
  private static final long AT_ONCE_NANOS = 50_000_000L;

  private final Scenario scenario = new Scenario(1);

  @Test
  void ofTokensOneBehindTheOtherOnlyTheHighestIsWaitedFor() {
    takeTokens(4);

    List<Long> times =
        scenario.client(corfu -> Stream.of(3, 1, 0, 2).map(at -> timeToRead(corfu, at)).toList());

    assertThat(times.getFirst()).isGreaterThanOrEqualTo(HOLE_TIMEOUT_NANOS);
    assertThat(times.subList(1, 4)).allMatch(time -> time < AT_ONCE_NANOS);
  }

  @Test
  void aTokenThatIsYoungerThanThoseWaitedForIsWaitedForItself() {
    takeTokens(2);

    List<Long> times =
        scenario.client(
            (corfu, way) -> {
              long first = timeToRead(corfu, 1);
              assertThat(
                      way.peer(scenario.arrangement.sequencer())
                          .call(new SequencerRequest.Next(SERVING, 2), HOLE_TIMEOUT_NANOS))
                  .isEqualTo(new SequencerReply.Tokens(2, 2));
              return List.of(first, timeToRead(corfu, 2));
            });

    assertThat(times).allMatch(time -> time >= HOLE_TIMEOUT_NANOS);
  }

  private long timeToRead(Corfu corfu, int address) {
    long before = scenario.simulator.timeline.nowNanos();
    Address at = new Address(address);
    assertThat(corfu.log().read(at)).isEqualTo(new LogEntry.Hole(at));
    return scenario.simulator.timeline.nowNanos() - before;
  }

  private void takeTokens(int count) {
    assertThat(
            scenario.ask(
                scenario.arrangement.sequencer(), new SequencerRequest.Next(SERVING, count)))
        .isEqualTo(new SequencerReply.Tokens(0, count));
  }
}
