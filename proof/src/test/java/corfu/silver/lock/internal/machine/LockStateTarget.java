package corfu.silver.lock.internal.machine;

import corfu.fuse.protocol.FileLock;
import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.StreamId;
import corfu.silver.lock.LockKind;
import corfu.silver.lock.internal.command.LockCommand;
import corfu.silver.lock.internal.command.LockOperation;
import corfu.silver.lock.internal.command.LockedFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The state of the locks of a file system in a checkpoint. */
public final class LockStateTarget implements FuzzTarget {

  @Override
  public String name() {
    return "silver-lock-state";
  }

  @Override
  public List<byte[]> seeds() {
    LockedFile file = new LockedFile(new StreamId(1, -2), LockKind.BYTE_RANGE);
    LockMachine busy = new LockMachine(SessionEvents.NONE);
    for (long session : new long[] {7, 8}) {
      FileLock lock = new FileLock(FileLock.Type.WRITE, 10, 20, 3);
      var acquire = new LockOperation.Acquire(file, session, lock, true, 1);
      byte[] unused = busy.apply(new LockCommand.Batch(session, 1, 30_000, List.of()));
      byte[] alsoUnused = busy.apply(new LockCommand.Batch(session, 2, 30_000, List.of(acquire)));
    }
    return List.of(saved(new LockMachine(SessionEvents.NONE)), saved(busy));
  }

  private static byte[] saved(LockMachine machine) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      machine.save().writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static LockMachine loaded(byte[] bytes) throws IOException {
    LockMachine machine = new LockMachine(SessionEvents.NONE);
    machine.load(new DataInputStream(new ByteArrayInputStream(bytes)));
    return machine;
  }

  @Override
  public void run(byte[] input) {
    byte[] written;
    try {
      written = saved(loaded(input));
    } catch (IOException | IllegalArgumentException refused) {
      return;
    }
    try {
      byte[] again = saved(loaded(written));
      Bytes.same(ByteBuffer.wrap(written), ByteBuffer.wrap(again), "written again");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
