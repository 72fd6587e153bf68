package corfu.protocol.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/** A writer into an array that grows. */
public final class HeapWriter implements WireWriter {

  private ByteBuffer buffer = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * Returns all bytes written, from position 0 to the buffer's limit. The writer must not be used
   * afterwards.
   */
  public ByteBuffer finish() {
    return buffer.flip();
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int capacity = Math.max(Math.addExact(buffer.position(), bytes), buffer.capacity() * 2);
      buffer = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(buffer.flip());
    }
    return buffer;
  }

  @Override
  public int position() {
    return buffer.position();
  }

  @Override
  public void putByte(int value) {
    room(1).put((byte) value);
  }

  @Override
  public void putShort(int value) {
    room(2).putShort((short) value);
  }

  @Override
  public void putInt(int value) {
    room(4).putInt(value);
  }

  @Override
  public void putLong(long value) {
    room(8).putLong(value);
  }

  @Override
  public void putBytes(ByteBuffer bytes) {
    room(bytes.remaining()).put(bytes.duplicate());
  }

  @Override
  public void digest(int from, int to, Checksum into) {
    into.update(buffer.array(), from, to - from);
  }

  @Override
  public void setInt(int position, int value) {
    buffer.putInt(position, value);
  }
}
