package corfu.objects.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpeculationPolicyTest {

  private final SpeculationPolicy speculation = new SpeculationPolicy();

  /** How many of the next ones ask before one may begin at what is known. */
  private int askingNow() {
    int asking = 0;
    while (!speculation.isTrusted()) {
      asking++;
    }
    return asking;
  }

  @Test
  void theFirstOneBeginsAtWhatIsKnown() {
    assertThat(askingNow()).isZero();
  }

  @Test
  void afterAFailureOneAsks() {
    speculation.tell(false);
    assertThat(askingNow()).isOne();
    assertThat(askingNow()).isZero();
  }

  @Test
  void afterEachFurtherFailureTwiceAsManyAskAndOne() {
    speculation.tell(false);
    askingNow();
    speculation.tell(false);
    assertThat(askingNow()).isEqualTo(3);
    speculation.tell(false);
    assertThat(askingNow()).isEqualTo(7);
  }

  @Test
  void whereItAlwaysFailsOneIn64BeginsAtWhatIsKnown() {
    for (int i = 0; i < 100; i++) {
      speculation.tell(false);
    }
    assertThat(askingNow()).isEqualTo(63);
  }

  @Test
  void eachTimeItIsRightHalvesTheCaution() {
    speculation.tell(false);
    speculation.tell(false);
    speculation.tell(false);
    askingNow();
    speculation.tell(true);
    speculation.tell(true);
    speculation.tell(false);
    assertThat(askingNow()).isEqualTo(3);
  }

  @Test
  void whatIsRightAfterAFailureDoesNotKeepTheOthersFromAsking() {
    speculation.tell(false);
    speculation.tell(false);
    speculation.tell(true);
    assertThat(askingNow()).isEqualTo(3);
  }
}
