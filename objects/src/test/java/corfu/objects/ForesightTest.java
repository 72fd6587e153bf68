package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForesightTest {

  private final Foresight foresight = new Foresight();

  /** How many of the next ones ask before one may begin at what is known. */
  private int askingNow() {
    int asking = 0;
    while (!foresight.isTrusted()) {
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
    foresight.tell(false);
    assertThat(askingNow()).isOne();
    assertThat(askingNow()).isZero();
  }

  @Test
  void afterEachFurtherFailureTwiceAsManyAskAndOne() {
    foresight.tell(false);
    askingNow();
    foresight.tell(false);
    assertThat(askingNow()).isEqualTo(3);
    foresight.tell(false);
    assertThat(askingNow()).isEqualTo(7);
  }

  @Test
  void whereItAlwaysFailsOneIn64BeginsAtWhatIsKnown() {
    for (int i = 0; i < 100; i++) {
      foresight.tell(false);
    }
    assertThat(askingNow()).isEqualTo(63);
  }

  @Test
  void eachTimeItIsRightHalvesTheCaution() {
    foresight.tell(false);
    foresight.tell(false);
    foresight.tell(false);
    askingNow();
    foresight.tell(true);
    foresight.tell(true);
    foresight.tell(false);
    assertThat(askingNow()).isEqualTo(3);
  }

  @Test
  void whatIsRightAfterAFailureDoesNotKeepTheOthersFromAsking() {
    foresight.tell(false);
    foresight.tell(false);
    foresight.tell(true);
    assertThat(askingNow()).isEqualTo(3);
  }
}
