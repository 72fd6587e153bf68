package corfu.silver.lock.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.protocol.FileLock;
import corfu.protocol.StreamId;
import corfu.silver.lock.LockKind;
import corfu.silver.lock.internal.command.BatchReply;
import corfu.silver.lock.internal.command.LockCodec;
import corfu.silver.lock.internal.command.LockCommand.Batch;
import corfu.silver.lock.internal.command.LockCommand.End;
import corfu.silver.lock.internal.command.LockCommand.Expire;
import corfu.silver.lock.internal.command.LockOperation;
import corfu.silver.lock.internal.command.LockOperation.Acquire;
import corfu.silver.lock.internal.command.LockOperation.Unlock;
import corfu.silver.lock.internal.command.LockOperation.Withdraw;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockStatus;
import corfu.silver.lock.internal.command.LockedFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockMachineTest {

  private static final long ANN = 1;
  private static final long BOB = 2;
  private static final long CAT = 3;
  private static final long OWNER = 77;
  private static final LockedFile FILE = new LockedFile(new StreamId(5, 6), LockKind.BYTE_RANGE);
  private static final LockedFile OTHER = new LockedFile(new StreamId(5, 7), LockKind.BYTE_RANGE);

  private final List<String> events = new ArrayList<>();
  private final Map<Long, Long> sequences = new HashMap<>();
  private LockMachine machine = new LockMachine(new Recorder());
  private long requests;

  /** Notes grants, lost sessions and withdrawn requests. */
  private final class Recorder implements SessionEvents {
    @Override
    public void installed(SessionView installed) {}

    @Override
    public void renewed(long session, SessionState state) {}

    @Override
    public void ended(long session) {
      events.add(session + " ended");
    }

    @Override
    public void holds(LockOwner owner, LockedFile file) {}

    @Override
    public void holdsNothing(LockOwner owner, LockedFile file) {}

    @Override
    public void waits(long session, long request) {}

    @Override
    public void granted(long session, long request) {
      events.add(session + " granted " + request);
    }

    @Override
    public void withdrawn(long session, long request) {
      events.add(session + " withdrawn " + request);
    }
  }

  @BeforeEach
  void begin() {
    for (long session : List.of(ANN, BOB, CAT)) {
      assertThat(send(session)).isEmpty();
    }
  }

  private List<LockStatus> send(long session, LockOperation... operations) {
    long sequence = sequences.merge(session, 1L, Long::sum);
    BatchReply reply = send(new Batch(session, sequence, 1000, List.of(operations)));
    return reply instanceof BatchReply.Applied applied ? applied.statuses() : List.of();
  }

  private BatchReply send(Batch batch) {
    var decoded = LockCodec.decode(LockCodec.encode(batch));
    assertThat(decoded).isEqualTo(batch);
    return LockCodec.decodeReply(machine.apply(decoded));
  }

  private static FileLock read(long start, long end) {
    return new FileLock(FileLock.Type.READ, start, end, 10);
  }

  private static FileLock write(long start, long end) {
    return new FileLock(FileLock.Type.WRITE, start, end, 10);
  }

  private LockStatus tries(long session, FileLock lock) {
    return send(session, new Acquire(FILE, OWNER, lock, false, ++requests)).getFirst();
  }

  private LockStatus waits(long session, LockedFile file, FileLock lock) {
    return send(session, new Acquire(file, OWNER, lock, true, ++requests)).getFirst();
  }

  private LockStatus unlocks(long session, long start, long end) {
    return send(session, new Unlock(FILE, OWNER, start, end)).getFirst();
  }

  private List<FileLock> heldBy(long session) {
    List<FileLock> held = new ArrayList<>();
    machine.forEachHolder(
        FILE,
        (owner, ranges) -> {
          if (owner.equals(new LockOwner(session, OWNER))) {
            held.addAll(ranges.ranges());
          }
        });
    return held;
  }

  @Test
  void readersShareAndWritersExclude() {
    assertThat(tries(ANN, read(0, 9))).isEqualTo(LockStatus.DONE);
    assertThat(tries(BOB, read(5, 20))).isEqualTo(LockStatus.DONE);
    assertThat(tries(BOB, write(0, 4))).isEqualTo(LockStatus.CONFLICT);
    assertThat(tries(BOB, write(10, 20))).isEqualTo(LockStatus.DONE);
    assertThat(tries(ANN, read(20, 20))).isEqualTo(LockStatus.CONFLICT);
  }

  @Test
  void kindsAndFilesDoNotConflict() {
    assertThat(tries(ANN, write(0, 9))).isEqualTo(LockStatus.DONE);
    LockedFile whole = new LockedFile(FILE.file(), LockKind.WHOLE_FILE);
    assertThat(
            send(
                BOB,
                new Acquire(whole, OWNER, write(0, 9), false, 1),
                new Acquire(OTHER, OWNER, write(0, 9), false, 2)))
        .containsExactly(LockStatus.DONE, LockStatus.DONE);
  }

  @Test
  void anUnlockSplitsARangeAndALockMergesItAgain() {
    tries(ANN, write(0, 99));
    unlocks(ANN, 40, 59);
    assertThat(heldBy(ANN)).containsExactly(write(0, 39), write(60, 99));

    tries(ANN, write(40, 59));
    assertThat(heldBy(ANN)).containsExactly(write(0, 99));
  }

  @Test
  void aDowngradeInTheMiddleLeavesThreeRanges() {
    tries(ANN, write(0, Long.MAX_VALUE));
    tries(ANN, read(10, 19));

    assertThat(heldBy(ANN)).containsExactly(write(0, 9), read(10, 19), write(20, Long.MAX_VALUE));
    assertThat(tries(BOB, read(10, 19))).isEqualTo(LockStatus.DONE);
    assertThat(tries(ANN, write(10, 19))).isEqualTo(LockStatus.CONFLICT);
  }

  @Test
  void anUpgradeWaitsForOtherReadersAndKeepsTheReadLock() {
    tries(ANN, read(0, 9));
    tries(BOB, read(0, 9));
    assertThat(waits(ANN, FILE, write(0, 9))).isEqualTo(LockStatus.WAITS);
    assertThat(heldBy(ANN)).containsExactly(read(0, 9));

    unlocks(BOB, 0, 9);
    assertThat(events).containsExactly("1 granted 3");
    assertThat(heldBy(ANN)).containsExactly(write(0, 9));
  }

  @Test
  void readersThatWaitForADowngradeAreGranted() {
    tries(ANN, write(0, 9));
    waits(BOB, FILE, read(0, 9));
    tries(ANN, read(0, 9));

    assertThat(events).containsExactly("2 granted 2");
  }

  @Test
  void requestsAreGrantedInTheirOrder() {
    tries(ANN, write(0, 9));
    waits(BOB, FILE, write(0, 9));
    waits(CAT, FILE, write(0, 9));
    unlocks(ANN, 0, 9);
    assertThat(events).containsExactly("2 granted 2");

    unlocks(BOB, 0, 9);
    assertThat(events).containsExactly("2 granted 2", "3 granted 3");
  }

  @Test
  void aDeadlockOverTwoMountsAndTwoFilesIsRefused() {
    tries(ANN, write(0, 0));
    send(BOB, new Acquire(OTHER, OWNER, write(0, 0), false, 90));
    assertThat(waits(ANN, OTHER, write(0, 0))).isEqualTo(LockStatus.WAITS);
    assertThat(waits(BOB, FILE, write(0, 0))).isEqualTo(LockStatus.DEADLOCK);
  }

  @Test
  void aDeadlockOfThreeMountsIsRefused() {
    tries(ANN, write(0, 0));
    tries(BOB, write(1, 1));
    tries(CAT, write(2, 2));
    assertThat(waits(ANN, FILE, write(1, 1))).isEqualTo(LockStatus.WAITS);
    assertThat(waits(BOB, FILE, write(2, 2))).isEqualTo(LockStatus.WAITS);
    assertThat(waits(CAT, FILE, write(0, 0))).isEqualTo(LockStatus.DEADLOCK);
  }

  @Test
  void theOwnersOfOneSessionConflict() {
    assertThat(send(ANN, new Acquire(FILE, 1, write(0, 0), false, 1)))
        .containsExactly(LockStatus.DONE);
    assertThat(send(ANN, new Acquire(FILE, 2, write(0, 0), false, 2)))
        .containsExactly(LockStatus.CONFLICT);
  }

  @Test
  void aWithdrawnRequestNeverGetsItsLock() {
    tries(ANN, write(0, 9));
    waits(BOB, FILE, write(0, 9));
    assertThat(send(BOB, new Withdraw(FILE, 2))).containsExactly(LockStatus.WITHDRAWN);

    unlocks(ANN, 0, 9);
    assertThat(events).containsExactly("2 withdrawn 2");
    assertThat(machine.size()).isZero();
    assertThat(machine.files()).isEmpty();
  }

  @Test
  void aWithdrawalAfterTheGrantLeavesTheLock() {
    tries(ANN, write(0, 9));
    waits(BOB, FILE, write(0, 9));
    unlocks(ANN, 0, 9);

    assertThat(send(BOB, new Withdraw(FILE, 2))).containsExactly(LockStatus.GRANTED_BEFORE);
    assertThat(heldBy(BOB)).containsExactly(write(0, 9));
  }

  @Test
  void aRepeatedBatchHasTheSameReplyAndNoFurtherEffect() {
    Batch batch = new Batch(ANN, 2, 1000, List.of(new Acquire(FILE, OWNER, write(0, 9), false, 1)));
    BatchReply first = send(batch);
    BatchReply second = send(batch);
    assertThat(second).isEqualTo(first);

    send(new Batch(ANN, 3, 1000, List.of(new Unlock(FILE, OWNER, 0, 9))));
    assertThat(send(batch)).isEqualTo(new BatchReply.Gone());
    assertThat(machine.size()).isZero();
  }

  @Test
  void anExpiryEndsASilentSessionAndGrantsItsLocks() {
    tries(ANN, write(0, 9));
    waits(BOB, FILE, write(0, 9));
    machine.apply(new Expire(ANN, 2));

    assertThat(events).containsExactly("1 ended", "2 granted 2");
    assertThat(send(new Batch(ANN, 3, 1000, List.of()))).isEqualTo(new BatchReply.Gone());
    assertThat(machine.sessions()).containsOnlyKeys(BOB, CAT);
  }

  @Test
  void anExpiryHasNoEffectIfTheSessionHasVouchedMeanwhile() {
    tries(ANN, write(0, 9));
    send(ANN);
    machine.apply(new Expire(ANN, 2));

    assertThat(events).isEmpty();
    assertThat(tries(BOB, read(0, 0))).isEqualTo(LockStatus.CONFLICT);
  }

  @Test
  void theRequestsOfAnEndedSessionAreForgotten() {
    tries(ANN, write(0, 9));
    waits(BOB, FILE, write(0, 9));
    machine.apply(new End(BOB));
    unlocks(ANN, 0, 9);

    assertThat(events).containsExactly("2 ended");
    assertThat(machine.size()).isZero();
  }

  @Test
  void aFullStateRefusesLocksAndUnlocksThatSplit() {
    machine = new LockMachine(SessionEvents.NONE, new LockState.Limits(2, 3, 2));
    sequences.clear();
    send(ANN);
    send(BOB);
    assertThat(send(new Batch(CAT, 1, 1000, List.of())))
        .isEqualTo(new BatchReply.TooManySessions());

    assertThat(tries(ANN, write(0, 9))).isEqualTo(LockStatus.DONE);
    assertThat(tries(ANN, write(20, 29))).isEqualTo(LockStatus.DONE);
    assertThat(tries(ANN, write(40, 49))).isEqualTo(LockStatus.NO_ROOM);
    assertThat(unlocks(ANN, 5, 5)).isEqualTo(LockStatus.NO_ROOM);
    assertThat(waits(BOB, FILE, write(0, 9))).isEqualTo(LockStatus.NO_ROOM);
    assertThat(tries(BOB, write(60, 69))).isEqualTo(LockStatus.DONE);
    assertThat(unlocks(ANN, 0, 29)).isEqualTo(LockStatus.DONE);
    assertThat(machine.size()).isEqualTo(1);
  }

  @Test
  void aLoadedStateGoesOnLikeTheSavedOne() throws IOException {
    tries(ANN, write(0, 9));
    tries(BOB, write(20, 29));
    waits(BOB, FILE, write(0, 9));
    byte[] saved = saved();
    machine = new LockMachine(new Recorder());
    machine.load(new DataInputStream(new ByteArrayInputStream(saved)));

    assertThat(saved()).isEqualTo(saved);
    assertThat(machine.size()).isEqualTo(4);
    assertThat(waits(ANN, FILE, write(20, 29))).isEqualTo(LockStatus.DEADLOCK);
    unlocks(ANN, 0, 9);
    assertThat(events).containsExactly("2 granted 3");
    assertThat(heldBy(BOB)).containsExactly(write(0, 9), write(20, 29));
  }

  private byte[] saved() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    machine.save().writeTo(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Test
  void bytesThatAreNoCommandAreRefused() {
    for (byte[] bytes :
        List.of(
            new byte[0],
            new byte[] {9},
            new byte[] {3, 0},
            new byte[] {3, 0, 0, 0, 0, 0, 0, 0, 1, 4})) {
      assertThatThrownBy(() -> LockCodec.decode(ByteBuffer.wrap(bytes)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
