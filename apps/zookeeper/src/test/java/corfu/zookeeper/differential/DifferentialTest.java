package corfu.zookeeper.differential;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Set {@code corfu.zookeeper.operations} and {@code corfu.zookeeper.seed} for more operations or
 * other programs. {@code ./corfu test --long} runs 100,000 operations.
 */
class DifferentialTest {

  private static final boolean IS_LONG = "long".equals(System.getProperty("corfu.tests"));

  private static final long OPERATIONS =
      Long.getLong("corfu.zookeeper.operations", IS_LONG ? 100_000 : 12_000);

  private static final long SEED = Long.getLong("corfu.zookeeper.seed", 1);

  /** A program that shows this many operations or fewer is easy to read. */
  private static final int FEW_OPERATIONS = 6;

  @Test
  void bothServicesAnswerRandomProgramsAlike() throws IOException {
    try (Subject real = Subjects.REAL.start(SubjectOptions.DEFAULT);
        Subject other = Subjects.compared().start(SubjectOptions.DEFAULT);
        var differential = new Differential(real, other)) {
      assertThat(differential.search(SEED, OPERATIONS)).isEmpty();
    }
  }

  @Test
  void aServiceWithoutAccessControlIsFoundDifferentByAShortProgram() throws IOException {
    SubjectOptions faulty = SubjectOptions.DEFAULT.withProperty("zookeeper.skipACL", "yes");
    try (Subject real = Subjects.REAL.start(SubjectOptions.DEFAULT);
        Subject other = Subjects.REAL.start(faulty);
        var differential = new Differential(real, other)) {
      Optional<Difference> difference = differential.search(SEED, OPERATIONS);
      assertThat(difference).isPresent();
      assertThat(difference.get().program().operations()).isLessThanOrEqualTo(FEW_OPERATIONS);
      assertThat(difference.get().toString()).contains("Seed", "1 >> ", "2 >> ");
    }
  }
}
