package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.sim.world.SimRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The audit log while servers die and return, the network is cut, and epochs change. */
final class AuditLogTest {

  private static final int SEEDS = 6;
  private static final int MOST_SEEDS = 10;
  private static final int STEPS = 30;

  /** One reply of so many to an append of a record is lost, so that its outcome is unknown. */
  private static final int LOST = 6;

  @Test
  void itIsOneChainAndHasEveryRefusalOnce() {
    long records = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      AuditWalk walk = new AuditWalk(seed, new AuditDoor(losing(seed)));
      walk.run(STEPS);
      assertThat(walk.problems()).as("seed %d", seed).isEmpty();
      records += walk.records();
    }
    assertThat(records).isGreaterThan(SEEDS * 10);
  }

  private static AuditDoor.Fault losing(int seed) {
    SimRandom chance = new SimRandom(seed + 1_000);
    return new AuditDoor.Fault() {
      @Override
      public boolean losesReply(Request request, Reply reply) {
        return request instanceof LogUnitRequest.Write(var epoch, List<Entry> entries, var seals)
            && entries.stream().anyMatch(AuditDoor::isAudit)
            && chance.below(LOST) == 0;
      }
    };
  }

  @Test
  void recordsThatDoNotWaitForTheNewestHashAreFound() {
    assertFound(
        new AuditDoor.Fault() {
          @Override
          public Request changed(Request request) {
            return request instanceof SequencerRequest.NextInStreams ask
                ? new SequencerRequest.NextInStreams(
                    ask.epoch(),
                    ask.wishes().stream().map(this::unconditional).toList(),
                    ask.known())
                : request;
          }

          private TokenWish unconditional(TokenWish wish) {
            return AuditDoor.isAudit(wish) ? new TokenWish(wish.writes(), Optional.empty()) : wish;
          }
        });
  }

  private static void assertFound(AuditDoor.Fault bug) {
    for (int seed = 1; seed <= MOST_SEEDS; seed++) {
      AuditWalk walk = new AuditWalk(seed, new AuditDoor(bug));
      walk.run(STEPS);
      if (!walk.problems().isEmpty()) {
        return;
      }
    }
    assertThat(MOST_SEEDS).as("seeds in which the planted bug was not found").isZero();
  }
}
