package corfu.bytes.internal.extent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Columns of numbers in few bytes: the frame-of-reference encoding. A column has a base, and for
 * each row the difference to the base, of which bits that are always zero are left out.
 * Little-endian.
 *
 * <pre>
 *   0      1       3           3 + 10 * columns
 *   +------+-------+-----------+----------+----------+- - -
 *   | kind | count | columns   | column 0 | column 1 |
 *   +------+-------+-----------+----------+----------+- - -
 *
 *   columns: for each: width (1), shift (1), base (8)
 *   column:  for each row: (number - base) >>> shift, in width bytes, 0 to 8
 *   number = base + (difference << shift)
 * </pre>
 */
final class PackedColumns {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int HEADER_BYTES = 3;
  private static final int COLUMN_BYTES = 10;

  private PackedColumns() {}

  /** Returns the most bytes that rows need. */
  static int mostBytes(int columns, int rows, int bytesOfRow) {
    return dataAt(columns) + rows * bytesOfRow;
  }

  private static int dataAt(int columns) {
    return HEADER_BYTES + columns * COLUMN_BYTES;
  }

  /**
   * Packs rows.
   *
   * @param columns for each column the numbers, of which those from {@code from} to {@code to} are
   *     packed
   */
  static byte[] pack(byte kind, long[][] columns, int from, int to) {
    int count = to - from;
    long[] bases = new long[columns.length];
    int[] widths = new int[columns.length];
    int[] shifts = new int[columns.length];
    int bytes = dataAt(columns.length);
    for (int i = 0; i < columns.length; i++) {
      long[] column = columns[i];
      long base = Long.MAX_VALUE;
      for (int row = from; row < to; row++) {
        base = Math.min(base, column[row]);
      }
      long differences = 0;
      for (int row = from; row < to; row++) {
        differences |= column[row] - base;
      }
      bases[i] = base;
      shifts[i] = differences == 0 ? 0 : Long.numberOfTrailingZeros(differences);
      widths[i] = bytesOf(differences >>> shifts[i]);
      bytes += widths[i] * count;
    }
    byte[] page = new byte[bytes];
    page[0] = kind;
    page[1] = (byte) count;
    page[2] = (byte) (count >>> Byte.SIZE);
    int at = dataAt(columns.length);
    for (int i = 0; i < columns.length; i++) {
      int header = HEADER_BYTES + i * COLUMN_BYTES;
      page[header] = (byte) widths[i];
      page[header + 1] = (byte) shifts[i];
      LONGS.set(page, header + 2, bases[i]);
      for (int row = from; row < to; row++) {
        set(page, at, widths[i], (columns[i][row] - bases[i]) >>> shifts[i]);
        at += widths[i];
      }
    }
    return page;
  }

  private static int bytesOf(long difference) {
    return (Long.SIZE - Long.numberOfLeadingZeros(difference) + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** May overwrite bytes behind the number, which are written later. */
  private static void set(byte[] page, int at, int width, long difference) {
    if (at + Long.BYTES <= page.length) {
      LONGS.set(page, at, difference);
    } else {
      setExactly(page, at, width, difference);
    }
  }

  private static void setExactly(byte[] page, int at, int width, long difference) {
    for (int i = 0; i < width; i++) {
      page[at + i] = (byte) (difference >>> (i * Byte.SIZE));
    }
  }

  /** Returns the number of rows. */
  static int count(byte[] page) {
    return (page[1] & 0xff) | (page[2] & 0xff) << Byte.SIZE;
  }

  private static int width(byte[] page, int column) {
    return page[HEADER_BYTES + column * COLUMN_BYTES];
  }

  private static int shift(byte[] page, int column) {
    return page[HEADER_BYTES + column * COLUMN_BYTES + 1];
  }

  private static long base(byte[] page, int column) {
    return (long) LONGS.get(page, HEADER_BYTES + column * COLUMN_BYTES + 2);
  }

  private static int startOf(byte[] page, int columns, int column) {
    int before = 0;
    for (int i = 0; i < column; i++) {
      before += width(page, i);
    }
    return dataAt(columns) + before * count(page);
  }

  /** Reads backwards: the bytes in front of a number are there in any case. */
  private static long difference(byte[] page, int at, int width) {
    return width == 0
        ? 0
        : (long) LONGS.get(page, at + width - Long.BYTES) >>> (Long.SIZE - width * Byte.SIZE);
  }

  /** Returns a number. */
  static long get(byte[] page, int columns, int column, int row) {
    int width = width(page, column);
    int at = startOf(page, columns, column) + row * width;
    return base(page, column) + (difference(page, at, width) << shift(page, column));
  }

  /** Copies all numbers of a column to an array, from an index on. */
  static void copy(byte[] page, int columns, int column, long[] into, int index) {
    int count = count(page);
    int width = width(page, column);
    int shift = shift(page, column);
    long base = base(page, column);
    int at = startOf(page, columns, column);
    for (int row = 0; row < count; row++) {
      into[index + row] = base + (difference(page, at, width) << shift);
      at += width;
    }
  }

  /**
   * Replaces a number in place.
   *
   * @return whether it fits; if not, nothing is changed
   */
  static boolean replace(byte[] page, int columns, int column, int row, long number) {
    int width = width(page, column);
    int shift = shift(page, column);
    long difference = number - base(page, column);
    if (difference < 0
        || difference >>> shift << shift != difference
        || bytesOf(difference >>> shift) > width) {
      return false;
    }
    setExactly(page, startOf(page, columns, column) + row * width, width, difference >>> shift);
    return true;
  }

  /** Returns the first row behind all whose number in column 0 is at most this one. */
  static int rowBehind(byte[] page, int columns, long number) {
    int low = 0;
    int high = count(page);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (get(page, columns, 0, middle) <= number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the length of the page that begins in these bytes, or -1 if it is damaged. */
  static int lengthAt(byte[] bytes, int from, int columns) {
    if (bytes.length - from < dataAt(columns)) {
      return -1;
    }
    int count = (bytes[from + 1] & 0xff) | (bytes[from + 2] & 0xff) << Byte.SIZE;
    int length = dataAt(columns);
    for (int i = 0; i < columns; i++) {
      int at = from + HEADER_BYTES + i * COLUMN_BYTES;
      if (bytes[at] < 0
          || bytes[at] > Long.BYTES
          || bytes[at + 1] < 0
          || bytes[at + 1] >= Long.SIZE) {
        return -1;
      }
      length += bytes[at] * count;
    }
    return length <= bytes.length - from ? length : -1;
  }
}
