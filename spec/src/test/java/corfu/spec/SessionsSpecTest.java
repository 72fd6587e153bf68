package corfu.spec;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.spec.Model.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The model of a session of the ZooKeeper service holds, and fails if a rule is left out. */
class SessionsSpecTest {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Model SESSIONS = Model.of("CorfuSessions");

  @Test
  void noServerServesASessionBeyondItsLease() {
    Verdict verdict = SESSIONS.check("two servers", LIMIT);
    assertThat(verdict.violated()).as("violated, see %s", verdict.log()).isEqualTo("nothing");
    assertThat(verdict.distinctStates()).as("a model that does something").isGreaterThan(5_000);
  }

  @ParameterizedTest(name = "without \"{0}\"")
  @CsvSource({
    "conditional, NoServiceAfterExpiry",
    "lease, NoServiceAfterExpiry",
    "wait, NoServiceAfterExpiry",
    "detach, OneAttachmentIsServed"
  })
  void sessionsNeedEveryRule(String rule, String violated) {
    Verdict verdict = SESSIONS.without(rule).check("without " + rule, LIMIT);
    assertThat(verdict.violated()).as("violated, see %s", verdict.log()).isEqualTo(violated);
  }
}
