package corfu.protocol.wire;

import java.nio.ByteBuffer;

/** Where a frame is written to: a growing buffer of the transport's. Numbers are little-endian. */
public interface WireWriter {

  /** Bytes written so far. */
  int position();

  void putByte(int value);

  void putShort(int value);

  void putInt(int value);

  void putLong(long value);

  /** Appends what remains in {@code bytes}, leaving its position alone. */
  void putBytes(ByteBuffer bytes);

  /** Replaces the four bytes at {@code position}, which have been written. */
  void setInt(int position, int value);
}
