package corfu.protocol.wire;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;

/** The destination of a frame: a growing buffer of the transport. Numbers are little-endian. */
public interface WireWriter {

  /** Returns the number of bytes written so far. */
  int position();

  void putByte(int value);

  void putShort(int value);

  void putInt(int value);

  void putLong(long value);

  /** Appends the remaining bytes of {@code bytes}, without changing its position. */
  void putBytes(ByteBuffer bytes);

  /** Appends an entry, which has a checksum of its own. */
  default void putEntry(Entry entry) {
    putBytes(entry.bytes());
  }

  /** Appends blocks of an entry, which have checksums of their own. */
  default void putBlocks(EntryBlocks blocks) {
    putBytes(blocks.bytes());
  }

  /** Updates a checksum with the bytes from position {@code from} to {@code to}, exclusive. */
  void digest(int from, int to, Checksum into);

  /** Replaces the four bytes at {@code position}, which have been written before. */
  void setInt(int position, int value);
}
