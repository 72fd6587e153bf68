package corfu.silver.lock.internal.machine;

import corfu.fuse.protocol.FileLock;
import corfu.protocol.StreamId;
import corfu.silver.lock.LockKind;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.silver.lock.internal.machine.FileLocks.Waiter;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Encodes the state in checkpoints. All numbers are big-endian; a count has 32 bits.
 *
 * <pre>
 *   state     version 1 (8) | count of sessions | sessions | count of files | files
 *   session   id 64 | timeout 32 | sequence 64 | length of the last reply 32 | last reply
 *   file      high 64 | low 64 | kind 8 | count of owners | owners | count of waiters | waiters
 *   owner     session 64 | owner 64 | count of ranges | ranges
 *   waiter    session 64 | owner 64 | request 64 | range
 *   range     type 8 | start 64 | end 64 | pid 32
 * </pre>
 */
final class StateCodec {

  private static final int VERSION = 1;

  private StateCodec() {}

  static byte[] encode(LockState state) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(state, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }

  private static void write(LockState state, DataOutput out) throws IOException {
    out.writeByte(VERSION);
    out.writeInt(state.sessions().size());
    for (Map.Entry<Long, SessionState> session : state.sessions().entrySet()) {
      out.writeLong(session.getKey());
      session.getValue().write(out);
    }
    out.writeInt(state.files().size());
    for (Map.Entry<LockedFile, FileLocks> file : state.files().entrySet()) {
      StreamId id = file.getKey().file();
      out.writeLong(id.high());
      out.writeLong(id.low());
      out.writeByte(file.getKey().kind().code());
      write(file.getValue(), out);
    }
  }

  private static void write(FileLocks locks, DataOutput out) throws IOException {
    out.writeInt(locks.held().size());
    for (Map.Entry<LockOwner, LockedRanges> held : locks.held().entrySet()) {
      write(held.getKey(), out);
      out.writeInt(held.getValue().size());
      for (FileLock range : held.getValue().ranges()) {
        write(range, out);
      }
    }
    out.writeInt(locks.waiters().size());
    for (Waiter waiter : locks.waiters()) {
      write(waiter.owner(), out);
      out.writeLong(waiter.request());
      write(waiter.lock(), out);
    }
  }

  private static void write(LockOwner owner, DataOutput out) throws IOException {
    out.writeLong(owner.session());
    out.writeLong(owner.owner());
  }

  private static void write(FileLock lock, DataOutput out) throws IOException {
    out.writeByte(lock.type().code());
    out.writeLong(lock.start());
    out.writeLong(lock.end());
    out.writeInt(lock.pid());
  }

  /** Reads a saved state into an empty one. */
  static void decode(DataInput in, LockState into) throws IOException {
    int version = in.readByte();
    if (version != VERSION) {
      throw new IOException(
          "a saved state of locks has version %d, and this program reads %d: install a newer one"
              .formatted(version, VERSION));
    }
    for (int i = in.readInt(); i > 0; i--) {
      into.load(in.readLong(), SessionState.read(in));
    }
    for (int i = in.readInt(); i > 0; i--) {
      StreamId id = new StreamId(in.readLong(), in.readLong());
      LockKind kind = in.readByte() == 0 ? LockKind.BYTE_RANGE : LockKind.WHOLE_FILE;
      readFile(in, new LockedFile(id, kind), into);
    }
  }

  private static void readFile(DataInput in, LockedFile file, LockState into) throws IOException {
    for (int i = in.readInt(); i > 0; i--) {
      LockOwner owner = readOwner(in);
      List<FileLock> ranges = new ArrayList<>();
      int count = in.readInt();
      if (count < 1) {
        throw new IOException("a saved owner of locks has %d ranges".formatted(count));
      }
      for (int j = count; j > 0; j--) {
        ranges.add(readLock(in));
      }
      into.load(file, owner, new LockedRanges(ranges));
    }
    for (int i = in.readInt(); i > 0; i--) {
      LockOwner owner = readOwner(in);
      long request = in.readLong();
      into.load(file, new Waiter(owner, request, readLock(in)));
    }
  }

  private static LockOwner readOwner(DataInput in) throws IOException {
    return new LockOwner(in.readLong(), in.readLong());
  }

  private static FileLock readLock(DataInput in) throws IOException {
    FileLock.Type type = in.readByte() == 0 ? FileLock.Type.READ : FileLock.Type.WRITE;
    return new FileLock(type, in.readLong(), in.readLong(), in.readInt());
  }
}
