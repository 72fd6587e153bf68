package corfu.nbd.internal.session;

import static corfu.nbd.internal.protocol.NbdNumbers.SIMPLE_REPLY_MAGIC;
import static corfu.nbd.testing.ClientBytes.request;
import static corfu.nbd.testing.ClientBytes.write;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.testing.ClientBytes;
import corfu.nbd.testing.FailingDevice;
import corfu.nbd.testing.MemoryExports;
import corfu.nbd.testing.SlowDevice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransmissionTest {

  private static final int MEBIBYTE = 1 << 20;

  private final SlowDevice slow = new SlowDevice(1L << 40);

  private static SessionStand with(BlockDevice device, SessionBounds bounds) {
    SessionStand stand =
        new SessionStand(TlsNeed.OFF, new MemoryExports().with("disk", device), bounds);
    stand.receive(ClientBytes.begin("disk"));
    stand.takeSent();
    return stand;
  }

  /** Returns the errors by cookie, in the order of the simple replies. */
  private static Map<Long, Integer> replies(ByteBuf sent) {
    Map<Long, Integer> errors = new LinkedHashMap<>();
    while (sent.isReadable()) {
      assertThat(sent.readInt()).isEqualTo(SIMPLE_REPLY_MAGIC);
      int error = sent.readInt();
      errors.put(sent.readLong(), error);
    }
    return errors;
  }

  @Test
  void noMoreRequestsThanAllowedReachTheDevice() {
    SessionStand stand = with(slow, new SessionBounds(4, MEBIBYTE));
    for (int i = 0; i < 6; i++) {
      stand.receive(request(NbdCommand.FLUSH, 0, i, 0, 0));
    }
    assertThat(slow.waiting()).isEqualTo(4);
    assertThat(stand.session.isBlocked()).isTrue();

    slow.answer();
    assertThat(slow.waiting()).isEqualTo(4);
    slow.answer();
    assertThat(stand.session.isBlocked()).isFalse();
    assertThat(replies(stand.takeSent())).containsOnlyKeys(0L, 1L);
  }

  @Test
  void repliesThatTheClientDoesNotAcceptStopItsRequests() {
    SessionStand stand = with(slow, new SessionBounds(4, MEBIBYTE));
    stand.accepts = false;
    for (int i = 0; i < 6; i++) {
      stand.receive(request(NbdCommand.FLUSH, 0, i, 0, 0));
    }
    for (int i = 0; i < 4; i++) {
      slow.answer();
    }
    assertThat(slow.waiting()).isZero();
    stand.acceptAll();
    assertThat(slow.waiting()).isEqualTo(2);
  }

  @Test
  void refusedRequestsAreBoundedToo() {
    SessionStand stand = with(slow, new SessionBounds(4, MEBIBYTE));
    stand.accepts = false;
    for (int i = 0; i < 100; i++) {
      stand.receive(request(NbdCommand.READ, 0, i, -1, 1));
    }
    assertThat(replies(stand.takeSent())).hasSize(4);
  }

  @Test
  void theBytesOfAConnectionAreBoundedButOneLargeRequestFits() {
    SessionStand stand = with(slow, new SessionBounds(16, 3 * MEBIBYTE));
    stand.receive(request(NbdCommand.READ, 0, 1, 0, 2 * MEBIBYTE));
    stand.receive(request(NbdCommand.READ, 0, 2, 0, 32 * MEBIBYTE));
    assertThat(slow.waiting()).isOne();
    slow.answer();
    assertThat(slow.waiting()).isOne();
    assertThat(stand.budget.free()).isEqualTo(32 * MEBIBYTE);
  }

  @Test
  void aRequestWaitsForTheMemoryOfTheServer() {
    SessionStand stand = with(slow, new SessionBounds(16, 64 * MEBIBYTE));
    assertThat(stand.budget.tryReserve(60L * MEBIBYTE)).isTrue();
    stand.receive(request(NbdCommand.READ, 0, 1, 0, 5 * MEBIBYTE));
    assertThat(slow.waiting()).isZero();
    assertThat(stand.budget.isShort()).isTrue();

    stand.budget.release(1L * MEBIBYTE);
    assertThat(slow.waiting()).isOne();
    assertThat(stand.budget.free()).isZero();
  }

  @Test
  void aRequestThatWaitsForMemoryGivesItsPlaceBackWithItsConnection() {
    SessionStand stand = with(slow, new SessionBounds(16, 64 * MEBIBYTE));
    assertThat(stand.budget.tryReserve(60L * MEBIBYTE)).isTrue();
    stand.receive(request(NbdCommand.READ, 0, 1, 0, 5 * MEBIBYTE));
    stand.session.end();
    assertThat(stand.budget.isShort()).isFalse();
    assertThat(slow.isClosed()).isTrue();
    stand.budget.release(60L * MEBIBYTE);
    assertThat(stand.budget.free()).isEqualTo(64L * MEBIBYTE);
  }

  @Test
  void aClientThatGoesInTheMiddleOfAWriteChangesNothing() {
    SessionStand stand = new SessionStand();
    stand.receive(ClientBytes.begin("disk"));
    stand.receive(request(NbdCommand.WRITE, 0, 1, 0, 8192).writeZero(5000));
    assertThat(stand.budget.free()).isEqualTo(64L * MEBIBYTE - 8192);
    stand.session.end();
    assertThat(stand.disk.dataPages()).isZero();
    assertThat(stand.disk.openConnections()).isZero();
    assertThat(stand.budget.free()).isEqualTo(64L * MEBIBYTE);
  }

  @Test
  void theDeviceIsGivenBackAfterTheLastRequestOfALostClient() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.receive(write(1, 0, new byte[100]));
    stand.receive(request(NbdCommand.READ, 0, 2, 0, 100));
    stand.session.end();
    slow.answer();
    assertThat(slow.isClosed()).isFalse();
    slow.answer();
    assertThat(slow.isClosed()).isTrue();
    assertThat(stand.budget.free()).isEqualTo(64L * MEBIBYTE);
    assertThat(stand.takeSent().isReadable()).isFalse();
  }

  @Test
  void aDisconnectWaitsForRequestsInFlight() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.receive(request(NbdCommand.FLUSH, 0, 1, 0, 0));
    stand.receive(request(NbdCommand.DISC, 0, 2, 0, 0));
    assertThat(stand.isClosed).isFalse();
    slow.answer();
    assertThat(replies(stand.takeSent())).containsExactly(Map.entry(1L, 0));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void aStoppingServerServesWhatIsInFlightAndRefusesTheRest() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.receive(request(NbdCommand.FLUSH, 0, 1, 0, 0));
    stand.session.stop();
    stand.receive(write(2, 0, new byte[10]));
    assertThat(replies(stand.takeSent())).containsExactly(Map.entry(2L, 108));
    assertThat(stand.isClosed).isFalse();
    slow.answer();
    assertThat(replies(stand.takeSent())).containsExactly(Map.entry(1L, 0));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void anIdleConnectionOfAStoppingServerIsClosed() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.session.stop();
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void garbageInsteadOfARequestEndsTheConnection() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.receive(Unpooled.buffer().writeZero(28));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void aWriteOfMoreThan32MebibytesIsReadOverAndOneOfMoreThan64EndsTheConnection() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.receive(request(NbdCommand.WRITE, 0, 1, 0, 33 * MEBIBYTE));
    for (int i = 0; i < 33; i++) {
      stand.receive(Unpooled.wrappedBuffer(new byte[MEBIBYTE]));
    }
    assertThat(replies(stand.takeSent())).containsExactly(Map.entry(1L, 22));
    assertThat(stand.budget.free()).isEqualTo(64L * MEBIBYTE);
    stand.receive(request(NbdCommand.WRITE, 0, 2, 0, 65 * MEBIBYTE));
    assertThat(stand.isClosed).isTrue();
  }

  @Test
  void aReadOfMoreThan32MebibytesIsRefused() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.receive(request(NbdCommand.READ, 0, 1, 0, 32 * MEBIBYTE + 1));
    assertThat(replies(stand.takeSent())).containsExactly(Map.entry(1L, 22));
  }

  @Test
  void changesOfAReadOnlyExportAreRefused() {
    SessionStand stand = new SessionStand();
    stand.receive(ClientBytes.begin("past"));
    stand.takeSent();
    stand.receive(write(1, 0, new byte[10]));
    stand.receive(request(NbdCommand.TRIM, 0, 2, 0, 10));
    stand.receive(request(NbdCommand.WRITE_ZEROES, 0, 3, 0, 10));
    stand.receive(request(NbdCommand.RESIZE, 0, 4, 0, 0));
    stand.receive(request(NbdCommand.FLUSH, 0, 5, 0, 0));
    assertThat(replies(stand.takeSent()))
        .containsExactly(
            Map.entry(1L, 1),
            Map.entry(2L, 1),
            Map.entry(3L, 1),
            Map.entry(4L, 1),
            Map.entry(5L, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "NOT_PERMITTED, 1",
    "READ_ONLY, 1",
    "FENCED, 108",
    "IO_ERROR, 5",
    "NO_SPACE, 28",
    "NO_MEMORY, 12",
    "OUT_OF_RANGE, 28",
    "NOT_SUPPORTED, 22",
    "SHUTTING_DOWN, 108",
    "UNKNOWN_EXPORT, 22"
  })
  void everyReasonHasItsError(Reason reason, int error) {
    SessionStand stand =
        with(
            new FailingDevice(new BlockDeviceException(reason, "no")),
            new SessionBounds(16, MEBIBYTE));
    stand.receive(write(1, 0, new byte[10]));
    assertThat(replies(stand.takeSent())).containsExactly(Map.entry(1L, error));
  }

  @Test
  void anUnexpectedFailureOfTheDeviceIsAnIoError() {
    SessionStand stand =
        with(
            new FailingDevice(new IllegalStateException("for this test")),
            new SessionBounds(16, MEBIBYTE));
    stand.receive(write(1, 0, new byte[10]));
    stand.receive(request(NbdCommand.READ, 0, 2, 0, 10));
    assertThat(replies(stand.takeSent())).containsExactly(Map.entry(1L, 5), Map.entry(2L, 5));
    assertThat(stand.isClosed).isFalse();
  }

  @Test
  void eachReadGivesItsMemoryBack() {
    SessionStand failing =
        with(
            new FailingDevice(new IllegalStateException("for this test")),
            new SessionBounds(16, MEBIBYTE));
    failing.receive(request(NbdCommand.READ, 0, 1, 0, 10));
    assertThat(failing.heldBuffers()).isZero();

    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.receive(request(NbdCommand.READ, 0, 1, 0, 10));
    stand.receive(request(NbdCommand.READ, 0, 2, 0, 10));
    assertThat(stand.heldBuffers()).isEqualTo(2);
    slow.answer();
    assertThat(stand.heldBuffers()).isEqualTo(1);
    stand.session.end();
    slow.answer();
    assertThat(stand.heldBuffers()).isZero();
  }

  @Test
  void aClientThatOwesBytesIsTold() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.receive(request(NbdCommand.FLUSH, 0, 1, 0, 0));
    stand.now.addAndGet(50);
    assertThat(stand.session.stalledNanos()).as("the device owes a reply").isZero();
    stand.receive(request(NbdCommand.WRITE, 0, 2, 0, 100).writeZero(5));
    stand.now.addAndGet(70);
    assertThat(stand.session.stalledNanos()).isEqualTo(70);
  }

  @Test
  void theTimeOfTheDeviceIsNoStallOfTheClient() {
    SessionStand stand = with(slow, new SessionBounds(16, MEBIBYTE));
    stand.accepts = false;
    stand.receive(request(NbdCommand.READ, 0, 1, 0, 10));
    stand.now.addAndGet(50);
    slow.answer();
    assertThat(stand.session.stalledNanos()).as("the reply has just begun").isZero();
    stand.now.addAndGet(30);
    assertThat(stand.session.stalledNanos()).isEqualTo(30);
  }
}
