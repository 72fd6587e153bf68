package corfu.smr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.Corfu;
import corfu.runtime.stream.Streams;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checkpoints that are written at the same time, and come to their ends in any order. */
class MachineCheckpointsTest {

  private static final String NAME = "ledger";
  private static final Address LAST = new Address(Long.MAX_VALUE);

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(2)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withAgent(false))
          .start();
  private final Corfu corfu = cluster.connect();
  private final StateMachineReplica<Ledger> replica = open();
  private final MachineCheckpoints checkpoints =
      new MachineCheckpoints(NAME, corfu.streamAccess(), Streams.over(corfu));

  @AfterEach
  void stop() {
    replica.close();
    cluster.close();
  }

  private StateMachineReplica<Ledger> open() {
    SmrOptions options = SmrOptions.DEFAULT.withCheckpointEvery(0);
    return StateMachineReplica.open(corfu, NAME, Ledger::new, options);
  }

  private void submit(String... lines) {
    for (String line : lines) {
      var unused = replica.submit(line.getBytes(UTF_8));
    }
  }

  /** Of the state after so many commands, by somebody who is slow. */
  private Checkpoint slow(int commands) {
    Ledger then = new Ledger();
    replica.replay(
        new Address(0),
        LAST,
        command -> {
          if (then.lines().size() < commands) {
            var unused = then.apply(command);
          }
        });
    return checkpoints.write(then.save(), new Address(commands), new StreamAddress(commands));
  }

  @Test
  void oneThatEndsWhenItsCommandsAreForgottenIsPassed() {
    submit("a", "b", "c");
    Address kept = replica.checkpoint();
    assertThat(replica.forget(kept)).isEqualTo(kept);
    Checkpoint late = checkpoints.write(new Ledger().save(), new Address(0), StreamAddress.ZERO);

    assertThat(checkpoints.newest(LAST).map(Checkpoint::before)).isEqualTo(Optional.of(kept));
    assertThat(late.before()).isLessThan(kept);
    try (StateMachineReplica<Ledger> fresh = open()) {
      assertThat(fresh.read(Ledger::lines)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void oneWhoseFirstPartIsForgottenBeforeItsEndIsPassed() {
    submit("a", "b", "c");
    Checkpoint begunFirst = slow(2);
    Checkpoint kept = slow(1);

    assertThat(checkpoints.keep(kept)).isEqualTo(kept);

    assertThat(begunFirst.before()).isGreaterThan(kept.before());
    assertThat(checkpoints.newest(LAST)).contains(kept);
    try (StateMachineReplica<Ledger> fresh = open()) {
      assertThat(fresh.read(Ledger::lines)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void ofTwoThatAreToBeKeptTheFirstWinsIfItTakesAwayWhatTheOtherNeeds() {
    submit("a", "b", "c");
    Checkpoint begunFirst = slow(2); // its part is older, its state newer
    Checkpoint begunLater = slow(1);
    Checkpoint newest = slow(3);

    assertThat(checkpoints.keep(begunLater)).isEqualTo(begunLater);
    assertThat(checkpoints.keep(begunFirst)).as("its part is gone").isEqualTo(begunLater);
    try (StateMachineReplica<Ledger> fresh = open()) {
      assertThat(fresh.read(Ledger::lines)).containsExactly("a", "b", "c");
    }

    assertThat(checkpoints.keep(newest)).isEqualTo(newest);
    assertThat(checkpoints.keep(begunLater)).as("its commands are gone").isEqualTo(newest);
  }
}
