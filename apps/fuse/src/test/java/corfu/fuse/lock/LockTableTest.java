package corfu.fuse.lock;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileLock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LockTableTest {

  private static final long NODE = 7;
  private static final long ANN = 1;
  private static final long BOB = 2;

  private final LockTable table = new LockTable(100);

  private static FileLock read(long start, long end) {
    return new FileLock(FileLock.Type.READ, start, end, 10);
  }

  private static FileLock write(long start, long end) {
    return new FileLock(FileLock.Type.WRITE, start, end, 10);
  }

  private static FileLock unlocked(long start, long end) {
    return new FileLock(FileLock.Type.UNLOCKED, start, end, 10);
  }

  private Result<Done> tries(long owner, FileLock lock) {
    return table.set(NODE, owner, lock, false).join();
  }

  private CompletableFuture<Result<Done>> waits(long owner, FileLock lock) {
    return table.set(NODE, owner, lock, true);
  }

  @Test
  void readersShareAndWritersExclude() {
    assertThat(tries(ANN, read(0, 9))).isEqualTo(Result.done());
    assertThat(tries(BOB, read(5, 20))).isEqualTo(Result.done());
    assertThat(tries(BOB, write(0, 4))).isEqualTo(Result.failed(Errno.EAGAIN));
    assertThat(tries(BOB, write(10, 20))).isEqualTo(Result.done());
    assertThat(tries(ANN, read(20, 20))).isEqualTo(Result.failed(Errno.EAGAIN));
  }

  @Test
  void anUnlockInTheMiddleLeavesBothEnds() {
    var unused = tries(ANN, write(0, 99));
    unused = tries(ANN, unlocked(40, 59));

    assertThat(tries(BOB, write(40, 59))).isEqualTo(Result.done());
    assertThat(table.test(NODE, BOB, write(0, 39))).isEqualTo(write(0, 39));
    assertThat(table.test(NODE, BOB, write(60, 60))).isEqualTo(write(60, 99));
    assertThat(table.test(NODE, ANN, write(0, 39)).type()).isEqualTo(FileLock.Type.UNLOCKED);
  }

  @Test
  void aWaiterGetsTheLockWhenItIsFree() {
    var unused = tries(ANN, write(0, 9));
    var waiting = waits(BOB, write(5, 5));

    assertThat(waiting).isNotDone();
    table.release(NODE, ANN);
    assertThat(waiting).isCompletedWithValue(Result.done());
    assertThat(tries(ANN, read(5, 5))).isEqualTo(Result.failed(Errno.EAGAIN));
  }

  @Test
  void aWaiterThatGaveUpNeverGetsTheLock() {
    var unused = tries(ANN, write(0, 9));
    var waiting = waits(BOB, write(0, 9));
    waiting.complete(Result.failed(Errno.EINTR));
    table.release(NODE, ANN);

    assertThat(table.size()).isZero();
    assertThat(tries(ANN, write(0, 9))).isEqualTo(Result.done());
  }

  @Test
  void ownersThatWaitForEachOtherAreRefused() {
    var unused = tries(ANN, write(0, 0));
    unused = tries(BOB, write(1, 1));
    var waiting = waits(ANN, write(1, 1));

    assertThat(waits(BOB, write(0, 0))).isCompletedWithValue(Result.failed(Errno.EDEADLK));
    assertThat(waiting).isNotDone();
  }

  @Test
  void aFullTableRefusesLocks() {
    LockTable small = new LockTable(2);
    var unused = small.set(NODE, ANN, write(0, 0), false);
    unused = small.set(NODE, ANN, write(5, 5), false);

    assertThat(small.set(NODE, ANN, write(9, 9), false).join())
        .isEqualTo(Result.failed(Errno.ENOLCK));
    small.release(NODE, ANN);
    assertThat(small.size()).isZero();
  }
}
