package corfu.protocol.wire;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.Epoch;
import corfu.protocol.message.Failure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads one frame, never behind its end. It rejects every count that the rest of the frame cannot
 * hold.
 */
final class WireReader {

  private final ByteBuffer frame;
  private final boolean copiesEntries;
  private int version = FrameCodec.OLDEST_VERSION;

  /** The checksum of the body without its entries; null if the frame has no checksums. */
  private @Nullable CRC32C body;

  /** The position up to which all bytes are in the checksum or belong to an entry. */
  private int covered;

  /**
   * @param frame the bytes of the frame
   * @param copiesEntries whether entries get memory of their own, instead of sharing the frame's
   *     memory
   */
  WireReader(ByteBuffer frame, boolean copiesEntries) {
    this.frame = frame.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    this.copiesEntries = copiesEntries;
  }

  /** Refuses a field that only this schema version and later ones have. */
  void expectVersion(int oldest) {
    if (version < oldest) {
      throw malformed("has a field of version " + oldest + ", but is of version " + version);
    }
  }

  /** Sets the schema version of the frame. */
  void isOfVersion(int version) {
    this.version = version;
  }

  int remaining() {
    return frame.remaining();
  }

  /**
   * Returns whether the first bytes of the frame match the checksum that follows them.
   *
   * @param bytes the number of bytes; larger than the number read so far
   */
  boolean isSound(int bytes) {
    int start = frame.position() - Long.BYTES;
    if (frame.limit() - start < bytes + 2 * Integer.BYTES) {
      return false;
    }
    CRC32C header = new CRC32C();
    header.update(frame.slice(start, bytes));
    return (int) header.getValue() == frame.getInt(start + bytes);
  }

  /** Skips the header's checksum. Returns the checksum of the body, whose bytes come next. */
  int beginBody() {
    getInt();
    int checksum = getInt();
    body = new CRC32C();
    covered = frame.position();
    return checksum;
  }

  /** Returns the checksum of all bytes of the body read so far, entries excluded. */
  int bodyChecksum() {
    CRC32C checksum = cover();
    return checksum == null ? 0 : (int) checksum.getValue();
  }

  private @Nullable CRC32C cover() {
    CRC32C checksum = body;
    if (checksum != null && covered < frame.position()) {
      checksum.update(frame.slice(covered, frame.position() - covered));
    }
    return checksum;
  }

  private void need(int bytes) {
    if (frame.remaining() < bytes) {
      throw malformed(
          "needs "
              + bytes
              + " bytes at "
              + frame.position()
              + ", but "
              + frame.remaining()
              + " are left");
    }
  }

  int getByte() {
    need(1);
    return Byte.toUnsignedInt(frame.get());
  }

  int getShort() {
    need(2);
    return Short.toUnsignedInt(frame.getShort());
  }

  int getInt() {
    need(4);
    return frame.getInt();
  }

  long getLong() {
    need(8);
    return frame.getLong();
  }

  /** Reads a log address. */
  long getAddress() {
    long address = getLong();
    if (address < 0) {
      throw malformed("has the negative address " + address);
    }
    return address;
  }

  /** Reads a distance between addresses, 1 or more. */
  long getStride() {
    long stride = getLong();
    if (stride < 1) {
      throw malformed("has the stride " + stride);
    }
    return stride;
  }

  /** Reads a time or a size, 0 or more. */
  long getNonNegativeLong() {
    long value = getLong();
    if (value < 0) {
      throw malformed("has the negative number " + value);
    }
    return value;
  }

  Epoch getEpoch() {
    long epoch = getLong();
    if (epoch < 0) {
      throw malformed("has the negative epoch " + epoch);
    }
    return new Epoch(epoch);
  }

  /** Reads the number of elements that follow, each of at least {@code minimumBytes}. */
  int getCount(int minimumBytes) {
    int count = getInt();
    if (count < 0 || (long) count * minimumBytes > frame.remaining()) {
      throw malformed(
          "claims "
              + count
              + " things of "
              + minimumBytes
              + " bytes or more, but "
              + frame.remaining()
              + " bytes are left");
    }
    return count;
  }

  /** Reads a number that must be 0 or more. */
  int getNonNegativeInt() {
    int value = getInt();
    if (value < 0) {
      throw malformed("has the negative number " + value);
    }
    return value;
  }

  String getText() {
    int length = getCount(1);
    ByteBuffer bytes = frame.slice(frame.position(), length);
    frame.position(frame.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw malformed("has a text that is not UTF-8");
    }
  }

  /** Reads bytes into memory of their own. */
  ByteBuffer getBytes(int length) {
    byte[] bytes = new byte[length];
    frame.get(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Reads an entry. */
  Entry getEntry() {
    Entry entry;
    try {
      entry = Entry.wrap(frame);
    } catch (IllegalArgumentException e) {
      throw malformed("holds " + e.getMessage());
    }
    skipChecked(entry.lengthBytes());
    return copiesEntries ? entry.copy() : entry;
  }

  /** Reads blocks of an entry. */
  EntryBlocks getBlocks() {
    EntryBlocks blocks;
    try {
      blocks = EntryBlocks.wrap(frame);
    } catch (IllegalArgumentException e) {
      throw malformed("holds " + e.getMessage());
    }
    skipChecked(blocks.lengthBytes());
    return copiesEntries ? blocks.copy() : blocks;
  }

  /** Skips bytes that have a checksum of their own. */
  private void skipChecked(int bytes) {
    cover();
    frame.position(frame.position() + bytes);
    covered = frame.position();
  }

  void expectEnd() {
    if (frame.hasRemaining()) {
      throw malformed("has " + frame.remaining() + " bytes too many");
    }
  }

  static MalformedFrameException malformed(String what) {
    return new MalformedFrameException(Failure.Cause.MALFORMED, "malformed frame: it " + what);
  }
}
