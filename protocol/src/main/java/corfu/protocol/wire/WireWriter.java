package corfu.protocol.wire;

import corfu.protocol.Entry;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;

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

  /** Appends an entry, which has a checksum of its own. */
  default void putEntry(Entry entry) {
    putBytes(entry.bytes());
  }

  /** Gives a checksum the bytes from position {@code from} to {@code to}, exclusive. */
  void digest(int from, int to, Checksum into);

  /** Replaces the four bytes at {@code position}, which have been written. */
  void setInt(int position, int value);
}
