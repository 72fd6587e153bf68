package corfu.silver.lock.internal.command;

import corfu.fuse.protocol.FileLock;
import corfu.protocol.StreamId;
import corfu.silver.lock.LockKind;
import corfu.silver.lock.internal.command.LockCommand.Batch;
import corfu.silver.lock.internal.command.LockCommand.End;
import corfu.silver.lock.internal.command.LockCommand.Expire;
import corfu.silver.lock.internal.command.LockOperation.Acquire;
import corfu.silver.lock.internal.command.LockOperation.Unlock;
import corfu.silver.lock.internal.command.LockOperation.Withdraw;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes commands and replies. All numbers are big-endian.
 *
 * <pre>
 *   batch     1 (8) | session 64 | sequence 64 | timeout 32 | count 32 | operations
 *   expire    2 (8) | session 64 | sequence 64
 *   end       3 (8) | session 64
 *
 *   acquire   1 (8) | file | owner 64 | type 8 | start 64 | end 64 | pid 32 | waits 8 | request 64
 *   unlock    2 (8) | file | owner 64 | start 64 | end 64
 *   withdraw  3 (8) | file | request 64
 *
 *   file      high 64 | low 64 | kind 8
 *   reply     0 (8) | a status 8 for each operation, or 1 (8): gone, or 2 (8): too many sessions
 * </pre>
 */
public final class LockCodec {

  private static final byte BATCH = 1;
  private static final byte EXPIRE = 2;
  private static final byte END = 3;

  private static final byte ACQUIRE = 1;
  private static final byte UNLOCK = 2;
  private static final byte WITHDRAW = 3;

  private static final byte APPLIED = 0;
  private static final byte GONE = 1;
  private static final byte TOO_MANY_SESSIONS = 2;

  private static final int BATCH_BYTES = 1 + 8 + 8 + 4 + 4;
  private static final int ACQUIRE_BYTES = 1 + 17 + 8 + 1 + 8 + 8 + 4 + 1 + 8;
  private static final int WITHDRAW_BYTES = 1 + 17 + 8;

  private LockCodec() {}

  /** Returns the encoded command, from position 0 to the limit. */
  public static ByteBuffer encode(LockCommand command) {
    return switch (command) {
      case Batch batch -> encode(batch);
      case Expire(long session, long sequence) ->
          ByteBuffer.allocate(17).put(EXPIRE).putLong(session).putLong(sequence).flip();
      case End(long session) -> ByteBuffer.allocate(9).put(END).putLong(session).flip();
    };
  }

  private static ByteBuffer encode(Batch batch) {
    List<LockOperation> operations = batch.operations();
    ByteBuffer out = ByteBuffer.allocate(BATCH_BYTES + operations.size() * ACQUIRE_BYTES);
    out.put(BATCH).putLong(batch.session()).putLong(batch.sequence());
    out.putInt(batch.timeoutMillis()).putInt(operations.size());
    operations.forEach(operation -> put(out, operation));
    return out.flip();
  }

  private static void put(ByteBuffer out, LockOperation operation) {
    switch (operation) {
      case Acquire(LockedFile file, long owner, FileLock lock, boolean waits, long request) -> {
        put(out.put(ACQUIRE), file).putLong(owner).put((byte) lock.type().code());
        out.putLong(lock.start()).putLong(lock.end()).putInt(lock.pid());
        out.put((byte) (waits ? 1 : 0)).putLong(request);
      }
      case Unlock(LockedFile file, long owner, long start, long end) ->
          put(out.put(UNLOCK), file).putLong(owner).putLong(start).putLong(end);
      case Withdraw(LockedFile file, long request) -> put(out.put(WITHDRAW), file).putLong(request);
    }
  }

  private static ByteBuffer put(ByteBuffer out, LockedFile file) {
    StreamId id = file.file();
    return out.putLong(id.high()).putLong(id.low()).put((byte) file.kind().code());
  }

  /**
   * Returns the command in a buffer.
   *
   * @throws IllegalArgumentException if the bytes are no command
   */
  public static LockCommand decode(ByteBuffer in) {
    try {
      LockCommand command =
          switch (in.get()) {
            case BATCH -> decodeBatch(in);
            case EXPIRE -> new Expire(in.getLong(), in.getLong());
            case END -> new End(in.getLong());
            default -> throw new IllegalArgumentException("no command of locks has this kind");
          };
      if (in.hasRemaining()) {
        throw new IllegalArgumentException(
            "a command ends %d bytes before its entry does".formatted(in.remaining()));
      }
      return command;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a command of locks is cut short", e);
    }
  }

  private static Batch decodeBatch(ByteBuffer in) {
    long session = in.getLong();
    long sequence = in.getLong();
    int timeoutMillis = in.getInt();
    int count = in.getInt();
    if (timeoutMillis < 1 || count < 0 || count > in.remaining() / WITHDRAW_BYTES) {
      throw new IllegalArgumentException(
          "a batch has a timeout of %d ms and %d operations in %d bytes"
              .formatted(timeoutMillis, count, in.remaining()));
    }
    List<LockOperation> operations = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      operations.add(decodeOperation(in));
    }
    return new Batch(session, sequence, timeoutMillis, operations);
  }

  private static LockOperation decodeOperation(ByteBuffer in) {
    byte kind = in.get();
    LockedFile file = decodeFile(in);
    return switch (kind) {
      case ACQUIRE -> {
        long owner = in.getLong();
        FileLock.Type type = decodeType(in.get());
        FileLock lock = checked(new FileLock(type, in.getLong(), in.getLong(), in.getInt()));
        yield new Acquire(file, owner, lock, in.get() != 0, in.getLong());
      }
      case UNLOCK -> {
        long owner = in.getLong();
        long start = in.getLong();
        long end = in.getLong();
        FileLock range = checked(new FileLock(FileLock.Type.UNLOCKED, start, end, 0));
        yield new Unlock(file, owner, range.start(), range.end());
      }
      case WITHDRAW -> new Withdraw(file, in.getLong());
      default -> throw new IllegalArgumentException("no operation has kind " + kind);
    };
  }

  private static LockedFile decodeFile(ByteBuffer in) {
    StreamId id = new StreamId(in.getLong(), in.getLong());
    return new LockedFile(
        id,
        switch (in.get()) {
          case 0 -> LockKind.BYTE_RANGE;
          case 1 -> LockKind.WHOLE_FILE;
          default -> throw new IllegalArgumentException("no lock has this kind");
        });
  }

  private static FileLock.Type decodeType(byte type) {
    return switch (type) {
      case 0 -> FileLock.Type.READ;
      case 1 -> FileLock.Type.WRITE;
      default -> throw new IllegalArgumentException("no lock has type " + type);
    };
  }

  private static FileLock checked(FileLock lock) {
    if (lock.start() < 0 || lock.end() < lock.start()) {
      throw new IllegalArgumentException(
          "a range goes from %d to %d".formatted(lock.start(), lock.end()));
    }
    return lock;
  }

  /** Returns the encoded reply. */
  public static byte[] encode(BatchReply reply) {
    return switch (reply) {
      case BatchReply.Applied(List<LockStatus> statuses) -> {
        byte[] bytes = new byte[1 + statuses.size()];
        bytes[0] = APPLIED;
        for (int i = 0; i < statuses.size(); i++) {
          bytes[1 + i] = (byte) statuses.get(i).code();
        }
        yield bytes;
      }
      case BatchReply.Gone() -> new byte[] {GONE};
      case BatchReply.TooManySessions() -> new byte[] {TOO_MANY_SESSIONS};
    };
  }

  /**
   * Returns the decoded reply.
   *
   * @throws IllegalArgumentException if the bytes are no reply
   */
  public static BatchReply decodeReply(byte[] bytes) {
    byte kind = bytes.length == 0 ? -1 : bytes[0];
    return switch (kind) {
      case APPLIED -> {
        List<LockStatus> statuses = new ArrayList<>();
        for (int i = 1; i < bytes.length; i++) {
          statuses.add(status(bytes[i]));
        }
        yield new BatchReply.Applied(statuses);
      }
      case GONE -> new BatchReply.Gone();
      case TOO_MANY_SESSIONS -> new BatchReply.TooManySessions();
      default -> throw new IllegalArgumentException("no reply of locks has kind " + kind);
    };
  }

  private static LockStatus status(byte code) {
    for (LockStatus status : LockStatus.values()) {
      if (status.code() == code) {
        return status;
      }
    }
    throw new IllegalArgumentException("no outcome of locks has number " + code);
  }
}
