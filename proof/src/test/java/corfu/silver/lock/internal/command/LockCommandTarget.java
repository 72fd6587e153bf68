package corfu.silver.lock.internal.command;

import corfu.fuse.protocol.FileLock;
import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.StreamId;
import corfu.silver.lock.LockKind;
import java.nio.ByteBuffer;
import java.util.List;

/** The commands of the state machine of locks: a first byte 0; and its replies: another one. */
public final class LockCommandTarget implements FuzzTarget {

  @Override
  public String name() {
    return "silver-lock-command";
  }

  @Override
  public List<byte[]> seeds() {
    LockedFile ranges = new LockedFile(new StreamId(1, 2), LockKind.BYTE_RANGE);
    LockedFile whole = new LockedFile(new StreamId(3, 4), LockKind.WHOLE_FILE);
    FileLock write = new FileLock(FileLock.Type.WRITE, 5, 6, 7);
    FileLock read = new FileLock(FileLock.Type.READ, 0, Long.MAX_VALUE, 8);
    List<LockOperation> operations =
        List.of(
            new LockOperation.Acquire(ranges, 9, write, true, 10),
            new LockOperation.Acquire(whole, 11, read, false, 12),
            new LockOperation.Unlock(ranges, 9, 5, 6),
            new LockOperation.Withdraw(whole, 12));
    return List.of(
        command(new LockCommand.Batch(13, 1, 30_000, List.of())),
        command(new LockCommand.Batch(13, 2, 30_000, operations)),
        command(new LockCommand.Expire(13, 2)),
        command(new LockCommand.End(13)),
        reply(new BatchReply.Applied(List.of(LockStatus.values()))),
        reply(new BatchReply.Gone()),
        reply(new BatchReply.TooManySessions()));
  }

  private static byte[] command(LockCommand command) {
    return Bytes.behind(0, Bytes.of(LockCodec.encode(command)));
  }

  private static byte[] reply(BatchReply reply) {
    return Bytes.behind(1, LockCodec.encode(reply));
  }

  @Override
  public void run(byte[] input) {
    byte[] rest = Bytes.of(Bytes.from(input, 1));
    try {
      if (input.length > 0 && input[0] == 0) {
        LockCommand command = LockCodec.decode(ByteBuffer.wrap(rest));
        Bytes.same(command, LockCodec.decode(LockCodec.encode(command)), "written again");
      } else {
        BatchReply reply = LockCodec.decodeReply(rest);
        Bytes.same(reply, LockCodec.decodeReply(LockCodec.encode(reply)), "replied again");
      }
    } catch (IllegalArgumentException refused) {
      // the bytes are no command and no reply
    }
  }
}
