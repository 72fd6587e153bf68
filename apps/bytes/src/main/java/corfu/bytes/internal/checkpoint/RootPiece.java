package corfu.bytes.internal.checkpoint;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.WriterMark;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The last entry of a checkpoint. Together with the pages to which its root refers, it is the state
 * of an array. The entries before it hold pages only; a checkpoint without such a last entry does
 * not exist. Little-endian.
 *
 * <pre>
 *   0      1         2      3             4
 *   +------+---------+------+-------------+-------+--------+------+--------+
 *   | 0xCB | version | kind | note length | pages | fields | note | writer |
 *   +------+---------+------+-------------+-------+--------+------+--------+
 *
 *   version: 2; of version 1 are the entries of {@link CheckpointPiece}
 *   kind:    10, pages only; 11, the last entry, which alone has fields and a note; 12, the last
 *            entry for an array that has, or has had, an only writer
 *   fields:  before (8), place (8), size (8), change (8), depth (4),
 *            until (8): -1 if entries of the array before this state may not be trimmed,
 *            oldest place (8): of an entry with pages of the map; -1 if all are in this one,
 *            oldest number of bytes (8), written (8), bytes of the tree (8),
 *            index of the root's page among the pages (4): -1 if the map is empty
 *   writer:  of kind 12 only: owner, length of the owner (1), whether it is held (1), writer
 *            epoch (8), log address since when (8)
 * </pre>
 *
 * @param fields the fields of the state
 * @param until the last version of which this is the state for certain, if entries of other
 *     versions may be trimmed
 * @param oldestPlace the least place of another entry with pages of the map, if there is any
 * @param oldestAt the least number of bytes of checkpoints before an entry with pages of the map
 * @param written the number of bytes of checkpoints in the stream before this entry, as known
 * @param treeBytes the length of all pages of the map
 * @param rootAt the index of the root's page among the bytes of the pages, or -1
 * @param pages the pages of this entry
 */
@SuppressWarnings("ArrayRecordComponent") // compared by their content
record RootPiece(
    CheckpointPiece.Fields fields,
    OptionalLong until,
    OptionalLong oldestPlace,
    long oldestAt,
    long written,
    long treeBytes,
    int rootAt,
    byte[] pages) {

  /** The bytes in front of the pages of any entry. */
  static final int HEADER_BYTES = 4;

  /** The most bytes of a last entry beside its pages. */
  static final int MOST_BYTES_BESIDE_PAGES = 640;

  private static final byte MAGIC = (byte) 0xCB;
  private static final byte VERSION = 2;
  private static final byte PAGES = 10;
  private static final byte ROOT = 11;
  private static final byte ROOT_WITH_WRITER = 12;
  private static final int WRITER_BYTES = 2 * Long.BYTES + 2; // beside the owner
  private static final int FIELD_BYTES = 9 * Long.BYTES + 2 * Integer.BYTES;
  private static final int NONE = -1;

  /** Returns the bytes of an entry that holds pages only. */
  static ByteBuffer encodePages(ByteBuffer pages) {
    return begin(PAGES, 0, pages.remaining()).put(pages).flip();
  }

  private static ByteBuffer begin(byte kind, int noteBytes, int bytes) {
    return ByteBuffer.allocate(HEADER_BYTES + bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .put(VERSION)
        .put(kind)
        .put((byte) noteBytes);
  }

  ByteBuffer encoded() {
    int noteBytes = fields.note().remaining();
    WriterMark writer = fields.writer();
    boolean hasWriter = !writer.equals(WriterMark.NONE);
    int writerBytes = hasWriter ? WRITER_BYTES + writer.owner().remaining() : 0;
    byte kind = hasWriter ? ROOT_WITH_WRITER : ROOT;
    ByteBuffer out = begin(kind, noteBytes, pages.length + FIELD_BYTES + noteBytes + writerBytes);
    out.put(pages)
        .putLong(fields.before())
        .putLong(fields.place())
        .putLong(fields.size())
        .putLong(fields.change())
        .putInt(fields.depth())
        .putLong(until.orElse(NONE))
        .putLong(oldestPlace.orElse(NONE))
        .putLong(oldestAt)
        .putLong(written)
        .putLong(treeBytes)
        .putInt(rootAt)
        .put(fields.note().duplicate());
    if (hasWriter) {
      out.put(writer.owner())
          .put((byte) writer.owner().remaining())
          .put((byte) (writer.isHeld() ? 1 : 0))
          .putLong(writer.epoch())
          .putLong(writer.since());
    }
    return out.flip();
  }

  /** Returns whether an entry that begins with these bytes is of this format's version. */
  static boolean isOfThisVersion(ByteBuffer head) {
    int at = head.position();
    return head.remaining() >= HEADER_BYTES && head.get(at) == MAGIC && head.get(at + 1) == VERSION;
  }

  /** Returns whether an entry that begins with these bytes holds pages only. */
  static boolean isPages(ByteBuffer head) {
    return isOfThisVersion(head) && head.get(head.position() + 2) == PAGES;
  }

  /**
   * Decodes the last entry of a checkpoint.
   *
   * @throws DamagedRecordException if it is none
   */
  static RootPiece decode(Address address, ByteBuffer payload) {
    ByteBuffer in = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
    int noteBytes = in.limit() < HEADER_BYTES ? 0 : in.get(3) & 0xff;
    boolean isRoot = isOfThisVersion(in) && (in.get(2) == ROOT || in.get(2) == ROOT_WITH_WRITER);
    int writerBytes = isRoot && in.get(2) == ROOT_WITH_WRITER ? writerBytes(in) : 0;
    int end = in.limit() - writerBytes;
    int pageBytes = end - HEADER_BYTES - FIELD_BYTES - noteBytes;
    if (pageBytes < 0 || !isRoot) {
      throw new DamagedRecordException(address, "it is no end of a checkpoint");
    }
    byte[] pages = new byte[pageBytes];
    in.get(HEADER_BYTES, pages).position(HEADER_BYTES + pageBytes);
    ByteBuffer note = ByteBuffer.allocate(noteBytes);
    note.put(in.slice(end - noteBytes, noteBytes)).flip();
    var fields =
        new CheckpointPiece.Fields(
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getInt(),
            note.asReadOnlyBuffer(),
            writerBytes == 0 ? WriterMark.NONE : writer(in, end));
    RootPiece root =
        new RootPiece(
            fields,
            optional(in.getLong()),
            optional(in.getLong()),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getInt(),
            pages);
    if (fields.before() < 0
        || fields.place() < 0
        || fields.size() < 0
        || fields.change() < BytesState.NEVER
        || root.rootAt < NONE
        || root.rootAt >= pageBytes
        || root.written < 0
        || root.treeBytes < 0) {
      throw new DamagedRecordException(address, "its fields are out of range");
    }
    return root;
  }

  private static int writerBytes(ByteBuffer in) {
    int lengthAt = in.limit() - WRITER_BYTES;
    return WRITER_BYTES + (lengthAt < HEADER_BYTES ? 0 : in.get(lengthAt) & 0xff);
  }

  private static WriterMark writer(ByteBuffer in, int from) {
    int at = in.limit() - WRITER_BYTES;
    ByteBuffer owner = ByteBuffer.allocate(at - from).put(in.slice(from, at - from)).flip();
    boolean isHeld = in.get(at + 1) != 0;
    return new WriterMark(
        in.getLong(at + 2), isHeld, owner.asReadOnlyBuffer(), in.getLong(at + 2 + Long.BYTES));
  }

  private static OptionalLong optional(long value) {
    return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /**
   * Returns the pages of an entry, which may be its last.
   *
   * @throws DamagedRecordException if it is no entry of a checkpoint of this version
   */
  static byte[] pages(Address address, ByteBuffer payload) {
    if (!isPages(payload)) {
      return decode(address, payload).pages;
    }
    byte[] pages = new byte[payload.remaining() - HEADER_BYTES];
    payload.get(payload.position() + HEADER_BYTES, pages);
    return pages;
  }

  /** Returns whether the map has a root, and the root's page. */
  boolean isEmpty() {
    return rootAt < 0;
  }

  /** Returns the root's page, which is the last one. */
  byte[] root() {
    return Arrays.copyOfRange(pages, rootAt, pages.length);
  }

  /** Compares the pages by their content. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RootPiece same && encoded().equals(same.encoded());
  }

  @Override
  public int hashCode() {
    return encoded().hashCode();
  }
}
