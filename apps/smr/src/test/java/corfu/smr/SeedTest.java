package corfu.smr;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.Corfu;
import corfu.runtime.stream.Streams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Machines that begin with the state of another system. */
class SeedTest {

  private static final String NAME = "ledger";
  private static final SmrOptions OPTIONS = SmrOptions.DEFAULT.withCheckpointEvery(0);

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(2)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withAgent(false))
          .start();
  private final Corfu corfu = cluster.connect();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static StateMachineReplica<Ledger> open(Corfu corfu) {
    return StateMachineReplica.open(corfu, NAME, Ledger::new, OPTIONS);
  }

  private static String submit(StateMachineReplica<Ledger> to, String line) {
    return new String(to.submit(line.getBytes(UTF_8)), UTF_8);
  }

  private static StateMachine.Saved state(String... lines) {
    return out -> {
      out.writeInt(lines.length);
      for (String line : lines) {
        out.writeUTF(line);
      }
    };
  }

  @Test
  void replicasBeginWithTheSeed() {
    Address seeded = StateMachineReplica.seed(corfu, NAME, state("x", "y"));

    try (var one = open(corfu);
        var other = open(cluster.connect())) {
      assertThat(one.read(Ledger::lines)).containsExactly("x", "y");
      assertThat(submit(one, "a")).isEqualTo("3");
      assertThat(other.read(Ledger::lines)).containsExactly("x", "y", "a");
      assertThat(one.at(seeded).lines()).containsExactly("x", "y");
      assertThat(one.at(new Address(0)).lines()).isEmpty();
    }
  }

  @Test
  void aReplicaThatIsOpenAlreadyLoadsTheSeed() {
    try (var early =
        StateMachineReplica.open(
            cluster.connect(), NAME, Ledger::new, OPTIONS.withFollowEvery(Duration.ofMillis(1)))) {
      assertThat(early.read(Ledger::lines)).isEmpty();

      StateMachineReplica.seed(corfu, NAME, state("x"));

      eventually(() -> assertThat(early.readPlayed(Ledger::lines)).containsExactly("x"));
      assertThat(submit(early, "a")).isEqualTo("2");
    }
  }

  @Test
  void aCheckpointOfTheTimeBeforeTheSeedDoesNotTakeItAway() {
    try (var early = open(cluster.connect())) {
      assertThat(early.read(Ledger::lines)).isEmpty();
      Streams streams = Streams.over(corfu);
      var checkpoints = new MachineCheckpoints(NAME, corfu.streamAccess(), streams);
      StateMachineReplica.seed(corfu, NAME, state("x"));
      Checkpoint late = checkpoints.write(new Ledger().save(), new Address(0), StreamAddress.ZERO);
      assertThat(checkpoints.keep(late)).isEqualTo(late);

      try (var fresh = open(cluster.connect())) {
        assertThat(fresh.read(Ledger::lines)).containsExactly("x");
        assertThat(fresh.at(fresh.played()).lines()).containsExactly("x");
      }
      assertThat(early.read(Ledger::lines)).containsExactly("x");
    }
  }

  @Test
  void theSeedIsForgottenLikeAnyCheckpoint() {
    StateMachineReplica.seed(corfu, NAME, state("x"));
    try (var one = open(corfu)) {
      submit(one, "a");
      one.checkpoint();
      one.forget(one.played());

      assertThatThrownBy(() -> one.at(new Address(0)))
          .isInstanceOf(HistoryForgottenException.class);
      try (var fresh = open(cluster.connect())) {
        assertThat(fresh.read(Ledger::lines)).containsExactly("x", "a");
      }
    }
  }

  @Test
  void aReplayHasNoCommandForTheSeed() {
    StateMachineReplica.seed(corfu, NAME, state("x"));
    try (var one = open(corfu)) {
      submit(one, "a");
      List<String> replayed = new ArrayList<>();
      one.replay(
          new Address(0),
          one.played(),
          command -> replayed.add(UTF_8.decode(command.body()).toString()));

      assertThat(replayed).containsExactly("a");
    }
  }

  @Test
  void aMachineWithCommandsOrCheckpointsIsNotSeeded() {
    StateMachineReplica.seed(corfu, NAME, state("x"));
    assertThatThrownBy(() -> StateMachineReplica.seed(corfu, NAME, state("y")))
        .isInstanceOf(MachineNotEmptyException.class)
        .hasMessageContaining(NAME);

    try (var used = StateMachineReplica.open(corfu, "used", Ledger::new, OPTIONS)) {
      submit(used, "a");
      assertThatThrownBy(() -> StateMachineReplica.seed(corfu, "used", state("y")))
          .isInstanceOf(MachineNotEmptyException.class);
      assertThat(used.read(Ledger::lines)).containsExactly("a");
    }
    try (var idle = StateMachineReplica.open(corfu, "idle", Ledger::new, OPTIONS)) {
      idle.checkpoint();
      assertThatThrownBy(() -> StateMachineReplica.seed(corfu, "idle", state("y")))
          .isInstanceOf(MachineNotEmptyException.class);
    }
  }
}
