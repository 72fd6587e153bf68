package corfu.runtime.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The conditions under which a client regards a server as unreachable. */
final class ServerContactTest {

  private static final long FRESH = 2_000;
  private static final long LIMIT = 400;

  private final ServerContact contact = new ServerContact(FRESH);

  @Test
  void aServerThatHasNotBeenAskedIsNeitherReachedNorSilent() {
    assertThat(contact.isReached(0)).isFalse();
    assertThat(contact.isSilent(0, 0)).isFalse();
  }

  @Test
  void aServerIsSilentOnceARequestHasWaitedForTooLong() {
    contact.sent(1_000);

    assertThat(contact.isSilent(LIMIT, 1_399)).isFalse();
    assertThat(contact.isSilent(LIMIT, 1_400)).isTrue();
  }

  @Test
  void aSilentServerIsUnreachableOnlyIfAProbeFailsToo() {
    contact.sent(1_000);
    assertThat(contact.isUnreachable(LIMIT, 1_400)).isFalse();

    contact.probeFailed();
    assertThat(contact.isUnreachable(LIMIT, 1_400)).isTrue();

    contact.lives(1_450);
    assertThat(contact.isUnreachable(LIMIT, 1_500)).isFalse();
    assertThat(contact.isReached(1_500)).isTrue();
  }

  @Test
  void anyAnswerEndsTheSilenceAndAnotherRequestBeginsItAnew() {
    contact.sent(1_000);
    contact.sent(1_000);
    contact.answered(1_300);

    assertThat(contact.isSilent(LIMIT, 1_699)).isFalse();
    assertThat(contact.isSilent(LIMIT, 1_700)).as("the other request waits").isTrue();
  }

  @Test
  void requestsThatFailOneAfterTheOtherAreOneSilence() {
    contact.sent(1_000);
    contact.failed(1_100);
    contact.sent(1_300);
    contact.failed(1_350);

    assertThat(contact.isSilent(LIMIT, 1_400)).isTrue();
  }

  @Test
  void aServerThatIsNotAskedAnyMoreIsNotSilentForLong() {
    contact.sent(1_000);
    contact.failed(1_100);
    assertThat(contact.isSilent(LIMIT, 1_100 + FRESH)).isTrue();
    assertThat(contact.isSilent(LIMIT, 1_101 + FRESH)).isFalse();

    contact.sent(9_000);
    assertThat(contact.isSilent(LIMIT, 9_399)).as("a new silence").isFalse();
  }

  @Test
  void aRequestThatDidNotLeaveTheClientSaysNothing() {
    contact.sent(1_000);
    contact.notSent();

    assertThat(contact.isSilent(LIMIT, 9_000)).isFalse();
  }

  @Test
  void anAnswerCountsForAWhile() {
    contact.sent(1_000);
    contact.answered(1_010);

    assertThat(contact.isReached(1_010 + FRESH)).isTrue();
    assertThat(contact.isReached(1_011 + FRESH)).isFalse();
  }
}
