package corfu.sim.world;

import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.protocol.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/** Messages as the bytes on the wire, so that two processes share no objects. */
final class WireBytes {

  private static final int VERSION_AT = 6;
  private static final byte POISON = (byte) 0xDB;

  private WireBytes() {}

  static ByteBuffer of(Message message, long id, int version) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(message, id, version, out);
    return out.finish();
  }

  static long checksum(ByteBuffer frame) {
    CRC32C crc = new CRC32C();
    crc.update(frame.duplicate());
    return crc.getValue();
  }

  /**
   * Flips a bit of an entry, or of blocks of one, in the message. Returns false if the message has
   * neither.
   */
  static boolean flipABit(ByteBuffer frame, Message message, SimRandom chance) {
    List<ByteBuffer> entries = entriesOf(message);
    if (entries.isEmpty()) {
      return false;
    }
    ByteBuffer entry = chance.pick(entries);
    int at = frame.position();
    while (!entry.equals(frame.slice(at, entry.remaining()))) {
      at++;
    }
    int victim = at + chance.below(entry.remaining());
    frame.put(victim, (byte) (frame.get(victim) ^ (1 << chance.below(8))));
    return true;
  }

  /**
   * Flips a bit of any byte of the frame. Returns false if the frame has no checksums: it could
   * become any other frame.
   */
  static boolean flipAByte(ByteBuffer frame, SimRandom chance) {
    if (frame.getShort(frame.position() + VERSION_AT) == FrameCodec.OLDEST_VERSION) {
      return false;
    }
    int victim = frame.position() + chance.below(frame.remaining());
    frame.put(victim, (byte) (frame.get(victim) ^ (1 << chance.below(8))));
    return true;
  }

  private static List<ByteBuffer> entriesOf(Message message) {
    return switch (message) {
      case LogUnitRequest.Write write -> write.entries().stream().map(Entry::bytes).toList();
      case LogUnitReply.Reads reads ->
          reads.outcomes().stream()
              .filter(LogUnitReply.ReadOutcome.Found.class::isInstance)
              .map(found -> ((LogUnitReply.ReadOutcome.Found) found).entry().bytes())
              .toList();
      case LogUnitReply.FoundBlocks found ->
          found.outcomes().stream()
              .filter(LogUnitReply.BlocksOutcome.Found.class::isInstance)
              .map(blocks -> ((LogUnitReply.BlocksOutcome.Found) blocks).blocks().bytes())
              .toList();
      default -> List.of();
    };
  }

  /** Returns whether a receiver can decode the frame, before it looks at entries. */
  static boolean isReadable(ByteBuffer frame) {
    try {
      FrameCodec.decode(frame.duplicate().order(frame.order()));
      return true;
    } catch (MalformedFrameException malformed) {
      return false;
    }
  }

  /**
   * Gives the memory back to the transport, and overwrites it, so that a later use of it is
   * detected.
   */
  static void giveBack(ByteBuffer frame) {
    for (int i = 0; i < frame.limit(); i++) {
      frame.put(i, POISON);
    }
  }
}
