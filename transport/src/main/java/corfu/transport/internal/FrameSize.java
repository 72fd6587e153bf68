package corfu.transport.internal;

import corfu.protocol.message.Message;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;

/**
 * Measures an upper bound of a message's size on the wire, without writing the message anywhere.
 */
public final class FrameSize implements WireWriter {

  private long bytes;

  private FrameSize() {}

  /**
   * Returns the size of the message's frame in bytes; {@link Integer#MAX_VALUE} for that many or
   * more.
   */
  public static int of(Message message) {
    FrameSize size = new FrameSize();
    FrameCodec.encode(message, 0, FrameCodec.NEWEST_VERSION, size);
    return size.position();
  }

  @Override
  public int position() {
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  @Override
  public void putByte(int value) {
    bytes += Byte.BYTES;
  }

  @Override
  public void putShort(int value) {
    bytes += Short.BYTES;
  }

  @Override
  public void putInt(int value) {
    bytes += Integer.BYTES;
  }

  @Override
  public void putLong(long value) {
    bytes += Long.BYTES;
  }

  @Override
  public void putBytes(ByteBuffer more) {
    bytes += more.remaining();
  }

  @Override
  public void digest(int from, int to, Checksum into) {}

  @Override
  public void setInt(int position, int value) {}
}
