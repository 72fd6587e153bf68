package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster after the loss of the majority of its layout servers. */
@Timeout(240)
final class LeasesTest {

  private static EmbeddedCluster start(boolean leases) {
    return EmbeddedCluster.builder()
        .nodes(4)
        .replicas(4)
        .supervision(Supervision.DEFAULT.withLeases(leases))
        .start();
  }

  private static void loseTheMajority(EmbeddedCluster cluster) {
    cluster.kill("n2");
    cluster.kill("n3");
  }

  private static Corfu impatient(EmbeddedCluster cluster) {
    return cluster.connect(cluster.clientOptions().withOperationTimeout(Duration.ofSeconds(2)));
  }

  @Test
  void withLeasesItDoesNotAnswerReadsForAnotherLayoutMightBeDecidedElsewhere() {
    try (EmbeddedCluster cluster = start(true)) {
      Log patient = cluster.connect().log();
      patient.append("x".getBytes(UTF_8));
      assertThat(patient.read(Address.ZERO)).isInstanceOf(LogEntry.Data.class);
      Log log = impatient(cluster).log();

      loseTheMajority(cluster);

      boolean hasLease = true;
      while (hasLease) {
        hasLease = isAnswered(log, 0);
      }
      assertThatThrownBy(() -> log.read(Address.ZERO)).isInstanceOf(UnavailableException.class);
      assertThatThrownBy(log::tail).isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void whileAMajorityOfLayoutServersIsLeftNobodyLosesItsLease() {
    try (EmbeddedCluster cluster = start(true)) {
      Log log = cluster.connect().log();
      log.append("x".getBytes(UTF_8));
      cluster.kill("n2");

      assertThat(log.read(Address.ZERO)).isInstanceOf(LogEntry.Data.class);
    }
  }

  @Test
  void withoutLeasesItAnswersWhatItsTailsHold() {
    try (EmbeddedCluster cluster = start(false)) {
      Corfu patient = cluster.connect();
      Log log = impatient(cluster).log();
      for (int i = 0; i < 4; i++) {
        patient.log().append("x".getBytes(UTF_8)); // every unit is the tail of one of them
      }
      List<String> tails =
          IntStream.range(0, 4)
              .mapToObj(i -> cluster.nameOf(patient.layout().chainOf(i).tail()))
              .toList();
      assertThat(tails).containsExactlyInAnyOrder("n1", "n2", "n3", "n4");

      loseTheMajority(cluster);

      for (int i = 0; i < 4; i++) {
        boolean lives = List.of("n1", "n4").contains(tails.get(i));
        assertThat(isAnswered(lives ? patient.log() : log, i)).isEqualTo(lives);
      }
    }
  }

  private static boolean isAnswered(Log log, long address) {
    try {
      return log.read(new Address(address)) instanceof LogEntry.Data;
    } catch (UnavailableException silent) {
      return false;
    }
  }
}
