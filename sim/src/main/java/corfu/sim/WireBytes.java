package corfu.sim;

import corfu.protocol.message.Message;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Messages as the bytes that travel, so that two processes share nothing. */
final class WireBytes {

  private static final byte POISON = (byte) 0xDB;

  private WireBytes() {}

  static ByteBuffer of(Message message, long id) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(message, id, out);
    return out.finish();
  }

  static long checksum(ByteBuffer frame) {
    CRC32C crc = new CRC32C();
    crc.update(frame.duplicate());
    return crc.getValue();
  }

  /** The memory goes back to the transport: whoever still looks at it will be found out. */
  static void giveBack(ByteBuffer frame) {
    for (int i = 0; i < frame.limit(); i++) {
      frame.put(i, POISON);
    }
  }
}
