package corfu.zookeeper.server;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.command.NamespaceCommand.VouchedSession;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AttachedSessionTest {

  private static final int TIMEOUT_MILLIS = 1_000;

  /** The clock overflows in these tests. */
  private static final long START = Long.MAX_VALUE - 10;

  private static long at(long millis) {
    return START + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @SuppressWarnings("NullAway") // nothing here uses the connection
  private static AttachedSession attached() {
    return new AttachedSession(null, 3, TIMEOUT_MILLIS, START);
  }

  @SuppressWarnings("NullAway") // nothing here uses the connection
  private static AttachedSession local() {
    return AttachedSession.local(null, TIMEOUT_MILLIS, START);
  }

  @Test
  void aSessionIsServedForItsTimeoutFromTheRequestToAttachIt() {
    AttachedSession session = attached();
    assertThat(session.mayServe(at(TIMEOUT_MILLIS) - 1)).isTrue();
    assertThat(session.mayServe(at(TIMEOUT_MILLIS))).isFalse();
  }

  @Test
  void requestsOfAnAttachmentHaveNumbersFromOne() {
    AttachedSession session = attached();
    assertThat(session.nextSequence()).isEqualTo(1);
    assertThat(session.nextSequence()).isEqualTo(2);
    assertThat(session.attachment()).isEqualTo(3);
  }

  @Test
  void aSilentClientIsNotVouchedFor() {
    assertThat(attached().toVouch(7, at(100))).isEmpty();
  }

  /** Being heard is not enough: other servers do not know of it. */
  @Test
  void onlyAnAppliedVouchProlongsTheService() {
    AttachedSession session = attached();
    session.heard(at(400));
    assertThat(session.mayServe(at(TIMEOUT_MILLIS))).isFalse();

    VouchedSession vouch = session.toVouch(7, at(500)).orElseThrow();
    assertThat(vouch).isEqualTo(new VouchedSession(7, 100));
    session.vouched(vouch, at(500));

    assertThat(session.mayServe(at(400 + TIMEOUT_MILLIS) - 1)).isTrue();
    assertThat(session.mayServe(at(400 + TIMEOUT_MILLIS))).isFalse();
    assertThat(session.toVouch(7, at(600))).isEmpty();
  }

  @Test
  void aRequestDuringAVouchIsForTheNextOne() {
    AttachedSession session = attached();
    session.heard(at(400));
    VouchedSession vouch = session.toVouch(7, at(500)).orElseThrow();
    session.heard(at(550));
    session.vouched(vouch, at(500));
    assertThat(session.toVouch(7, at(600))).hasValue(new VouchedSession(7, 50));
  }

  @Test
  void aLateVouchDoesNotShortenTheService() {
    AttachedSession session = attached();
    session.heard(at(400));
    VouchedSession early = session.toVouch(7, at(450)).orElseThrow();
    session.heard(at(800));
    session.vouched(session.toVouch(7, at(850)).orElseThrow(), at(850));
    session.vouched(early, at(450));
    assertThat(session.mayServe(at(800 + TIMEOUT_MILLIS) - 1)).isTrue();
  }

  @Test
  void aLocalSessionIsServedWhileItsClientSpeaksAndTheLogIsInReach() {
    AttachedSession session = local();
    session.heard(at(400));
    assertThat(session.toVouch(7, at(500))).isEmpty();
    session.inContact(at(300));
    assertThat(session.mayServe(at(300 + TIMEOUT_MILLIS) - 1)).isTrue();
    assertThat(session.mayServe(at(300 + TIMEOUT_MILLIS))).isFalse();
    session.inContact(at(900));
    assertThat(session.mayServe(at(400 + TIMEOUT_MILLIS) - 1)).isTrue();
    assertThat(session.mayServe(at(400 + TIMEOUT_MILLIS))).isFalse();
  }

  @Test
  void aLocalSessionIsUpgradedOnce() {
    AttachedSession session = local();
    assertThat(session.attachment()).isEqualTo(1);
    assertThat(session.upgrade()).isTrue();
    assertThat(session.upgrade()).isFalse();
    assertThat(session.isLocal()).isFalse();
    session.heard(at(100));
    assertThat(session.toVouch(7, at(100))).isPresent();
  }
}
