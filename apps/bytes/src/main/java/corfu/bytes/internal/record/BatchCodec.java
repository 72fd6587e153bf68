package corfu.bytes.internal.record;

import corfu.bytes.DamagedRecordException;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a batch of changes: a table of their ranges in front, and their data behind.
 * Little-endian.
 *
 * <pre>
 *   0       8          16           20        24      28         table end   data start
 *   +-------+----------+------------+---------+-------+----------+- - - - - -+------------ - -
 *   | epoch | sequence | table end  | data at | count | changes  | zeros     | data of changes
 *   +-------+----------+------------+---------+-------+----------+- - - - - -+------------ - -
 *
 *   change:  kind + 4 * length, offset          kind 0: write, with data; 1: punch
 *            kind + 4 * size                    kind 2: resize
 *            kind + 4 * length, offset, old log address, old position
 *                                               kind 3: move, with data
 * </pre>
 *
 * <p>The numbers of a change have 7 bits in each byte, the lowest first; the highest bit says that
 * more bytes follow. The table's end and the data's start count from the beginning of the payload.
 * The data of the changes follow each other without gaps.
 *
 * <p>The table of 32 changes of 4 KiB fits into the head that players read. Large data begins at a
 * multiple of 4 KiB, because such blocks of a payload have checksums of their own. So a read of a
 * block of the array fetches one of them, not two.
 */
final class BatchCodec {

  /** The bytes of the fields in front of the changes. */
  static final int HEADER_BYTES = 2 * Long.BYTES + 3 * Integer.BYTES;

  /** The most bytes of one change in the table. */
  private static final int MAX_CHANGE_BYTES = 4 * 10;

  /** The largest length or size in a table, which gives two bits to the kind. */
  private static final long MAX_LENGTH = (1L << 62) - 1;

  private static final int BLOCK_BYTES = 4 << 10;

  /** Less data than this is not aligned to blocks: the gap would cost too much space. */
  private static final int ALIGNED_FROM_BYTES = 16 * BLOCK_BYTES;

  private static final int WRITE = 0;
  private static final int PUNCH = 1;
  private static final int RESIZE = 2;
  private static final int MOVE = 3;

  private BatchCodec() {}

  /**
   * The places of the parts of a batch in its payload.
   *
   * @param table the encoded changes, from position 0 to the limit
   * @param changes the changes as they are decoded
   */
  record Layout(
      ByteBuffer table,
      int tableEnd,
      int dataAt,
      int payloadBytes,
      List<BytesRecord.BatchChange> changes) {}

  /**
   * Plans a payload.
   *
   * @param fields the position of the batch's fields in the payload
   * @throws IllegalArgumentException if the changes are too many, or out of range
   */
  static Layout layout(int fields, BatchData data) {
    int count = data.changes().size();
    if (count < 1 || count > RecordCodec.MAX_CHANGES) {
      throw new IllegalArgumentException(
          "a batch has 1 to %d changes, not %d: append several"
              .formatted(RecordCodec.MAX_CHANGES, count));
    }
    ByteBuffer table = ByteBuffer.allocate(count * MAX_CHANGE_BYTES);
    long bytes = 0;
    for (BatchData.Change change : data.changes()) {
      bytes += encode(change, table);
    }
    int tableEnd = fields + HEADER_BYTES + table.position();
    int unit = bytes >= ALIGNED_FROM_BYTES ? BLOCK_BYTES : Long.BYTES;
    int dataAt = bytes == 0 ? tableEnd : Math.ceilDiv(tableEnd, unit) * unit;
    if (bytes > Integer.MAX_VALUE - dataAt) {
      throw new IllegalArgumentException("%d bytes do not fit into an entry".formatted(bytes));
    }
    return new Layout(
        table.flip(), tableEnd, dataAt, dataAt + (int) bytes, places(data.changes(), dataAt));
  }

  /** Returns the number of the change's bytes of data. */
  private static int encode(BatchData.Change change, ByteBuffer table) {
    switch (change) {
      case BatchData.Change.Write(long offset, ByteBuffer data) -> {
        checkRange(offset, data.remaining(), 1);
        putNumber(table, WRITE + 4L * data.remaining());
        putNumber(table, offset);
        return data.remaining();
      }
      case BatchData.Change.Punch(long offset, long length) -> {
        checkRange(offset, length, 0);
        putNumber(table, PUNCH + 4 * length);
        putNumber(table, offset);
        return 0;
      }
      case BatchData.Change.Resize(long size) -> {
        checkRange(0, size, 0);
        putNumber(table, RESIZE + 4 * size);
        return 0;
      }
      case BatchData.Change.Move(
              long offset,
              ByteBuffer data,
              long oldAddress,
              long oldPosition) -> {
        checkRange(offset, data.remaining(), 1);
        putNumber(table, MOVE + 4L * data.remaining());
        putNumber(table, offset);
        putNumber(table, oldAddress);
        putNumber(table, oldPosition);
        return data.remaining();
      }
    }
  }

  private static void checkRange(long offset, long length, int least) {
    if (length < least || length > MAX_LENGTH || !RecordCodec.isRange(offset, length)) {
      throw new IllegalArgumentException(
          "a change of a batch is a range of %d to %d bytes in an array of at most %d,"
                  .formatted(least, MAX_LENGTH, RecordCodec.MAX_SIZE)
              + " not one of %d bytes at offset %d".formatted(length, offset));
    }
  }

  private static List<BytesRecord.BatchChange> places(List<BatchData.Change> changes, int dataAt) {
    List<BytesRecord.BatchChange> placed = new ArrayList<>(changes.size());
    long at = dataAt;
    for (BatchData.Change change : changes) {
      switch (change) {
        case BatchData.Change.Write(long offset, ByteBuffer data) -> {
          placed.add(new BytesRecord.Write(offset, at, data.remaining()));
          at += data.remaining();
        }
        case BatchData.Change.Move(
                long offset,
                ByteBuffer data,
                long oldAddress,
                long oldPosition) -> {
          placed.add(new BytesRecord.Move(offset, at, data.remaining(), oldAddress, oldPosition));
          at += data.remaining();
        }
        case BatchData.Change.Punch(long offset, long length) ->
            placed.add(new BytesRecord.Punch(offset, length));
        case BatchData.Change.Resize(long size) -> placed.add(new BytesRecord.Truncate(size));
      }
    }
    return placed;
  }

  /** Writes the fields of a batch, up to the payload's end. */
  static void write(ByteBuffer out, long epoch, long sequence, BatchData data, Layout layout) {
    out.putLong(epoch).putLong(sequence).putInt(layout.tableEnd()).putInt(layout.dataAt());
    out.putInt(data.changes().size()).put(layout.table().duplicate());
    out.position(layout.dataAt());
    for (BatchData.Change change : data.changes()) {
      switch (change) {
        case BatchData.Change.Write write -> out.put(write.data().duplicate());
        case BatchData.Change.Move move -> out.put(move.data().duplicate());
        case BatchData.Change.Punch none -> {}
        case BatchData.Change.Resize none -> {}
      }
    }
  }

  /**
   * Returns the end of the table of a batch.
   *
   * @param head the first bytes of the payload
   * @param fields the position of the fields in it
   */
  static int tableEnd(ByteBuffer head, int fields) {
    int at = head.position() + fields + 2 * Long.BYTES;
    return at + Integer.BYTES > head.limit()
        ? Integer.MAX_VALUE
        : Math.max(1, head.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(at));
  }

  /** Decodes the beginning of a batch. */
  static RecordCodec.Decoded withoutChanges(Address address, ByteBuffer head, int fields) {
    ByteBuffer in = head.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.limit() < fields + HEADER_BYTES) {
      throw new DamagedRecordException(address, "it ends within the fields of a batch");
    }
    ByteBuffer note = RecordCodec.copy(in.slice(RecordCodec.NOTE_AT, fields - RecordCodec.NOTE_AT));
    var batch = new BytesRecord.Batch(in.getLong(fields), in.getLong(fields + 8), List.of());
    return new RecordCodec.Decoded(note, batch);
  }

  /**
   * Decodes the fields of a batch.
   *
   * @param in the first bytes of the payload, up to the table's end or more; at the fields
   * @throws DamagedRecordException if they are no batch
   */
  static BytesRecord.Batch read(Address address, ByteBuffer in, int payloadBytes) {
    if (in.remaining() < HEADER_BYTES) {
      throw new DamagedRecordException(address, "it ends within the fields of a batch");
    }
    long epoch = in.getLong();
    long sequence = in.getLong();
    int tableEnd = in.getInt();
    int dataAt = in.getInt();
    int count = in.getInt();
    if (epoch < 0
        || sequence < 0
        || count < 1
        || count > RecordCodec.MAX_CHANGES
        || tableEnd < in.position()
        || tableEnd > in.limit()
        || dataAt < tableEnd
        || dataAt > payloadBytes) {
      throw new DamagedRecordException(address, "the table of its batch is out of range");
    }
    in.limit(tableEnd);
    List<BytesRecord.BatchChange> changes = new ArrayList<>(count);
    long at = dataAt;
    for (int i = 0; i < count; i++) {
      at += read(address, in, at, changes);
    }
    if (in.hasRemaining() || at != payloadBytes) {
      throw new DamagedRecordException(address, "the data of its batch does not fit the table");
    }
    return new BytesRecord.Batch(epoch, sequence, changes);
  }

  /** Returns the number of the change's bytes of data. */
  private static long read(
      Address address, ByteBuffer in, long at, List<BytesRecord.BatchChange> changes) {
    long first = number(address, in);
    long length = first >>> 2;
    int kind = (int) first & 3;
    long offset = kind == RESIZE ? length : number(address, in);
    boolean hasData = kind == WRITE || kind == MOVE;
    boolean isSound =
        hasData
            ? length > 0 && length <= Integer.MAX_VALUE && RecordCodec.isRange(offset, length)
            : RecordCodec.isRange(offset, kind == RESIZE ? 0 : length);
    if (!isSound) {
      throw new DamagedRecordException(
          address, "a change of %d bytes at offset %d is out of range".formatted(length, offset));
    }
    changes.add(
        switch (kind) {
          case WRITE -> new BytesRecord.Write(offset, at, length);
          case PUNCH -> new BytesRecord.Punch(offset, length);
          case RESIZE -> new BytesRecord.Truncate(length);
          default ->
              new BytesRecord.Move(offset, at, length, number(address, in), position(address, in));
        });
    return hasData ? length : 0;
  }

  private static long position(Address address, ByteBuffer in) {
    long position = number(address, in);
    if (position < 0 || position > Integer.MAX_VALUE) {
      throw new DamagedRecordException(address, "no payload has a position " + position);
    }
    return position;
  }

  private static void putNumber(ByteBuffer out, long number) {
    long rest = number;
    while ((rest & ~0x7fL) != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  private static long number(Address address, ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (!in.hasRemaining()) {
        throw new DamagedRecordException(address, "the table of its batch is cut");
      }
      byte next = in.get();
      number |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new DamagedRecordException(address, "a number in its batch has more than 64 bits");
  }
}
