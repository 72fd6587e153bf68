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

/** Messages as the bytes that travel, so that two processes share nothing. */
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

  /** Changes a bit of an entry that the message carries; false if it carries none. */
  static boolean flipABit(ByteBuffer frame, Message message, Chance chance) {
    List<Entry> entries = entriesOf(message);
    if (entries.isEmpty()) {
      return false;
    }
    ByteBuffer entry = chance.pick(entries).bytes();
    int at = frame.position();
    while (!entry.equals(frame.slice(at, entry.remaining()))) {
      at++;
    }
    int victim = at + chance.below(entry.remaining());
    frame.put(victim, (byte) (frame.get(victim) ^ (1 << chance.below(8))));
    return true;
  }

  /** Changes any byte of the frame; false if it has no checksums, and might become any other. */
  static boolean flipAByte(ByteBuffer frame, Chance chance) {
    if (frame.getShort(frame.position() + VERSION_AT) == FrameCodec.OLDEST_VERSION) {
      return false;
    }
    int victim = frame.position() + chance.below(frame.remaining());
    frame.put(victim, (byte) (frame.get(victim) ^ (1 << chance.below(8))));
    return true;
  }

  private static List<Entry> entriesOf(Message message) {
    return switch (message) {
      case LogUnitRequest.Write write -> write.entries();
      case LogUnitReply.Reads reads ->
          reads.outcomes().stream()
              .filter(LogUnitReply.ReadOutcome.Found.class::isInstance)
              .map(found -> ((LogUnitReply.ReadOutcome.Found) found).entry())
              .toList();
      default -> List.of();
    };
  }

  /** Whether it is a message still, as far as a receiver can tell before it looks at entries. */
  static boolean isReadable(ByteBuffer frame) {
    try {
      FrameCodec.decode(frame.duplicate().order(frame.order()));
      return true;
    } catch (MalformedFrameException malformed) {
      return false;
    }
  }

  /** The memory goes back to the transport: whoever still looks at it will be found out. */
  static void giveBack(ByteBuffer frame) {
    for (int i = 0; i < frame.limit(); i++) {
      frame.put(i, POISON);
    }
  }
}
