package corfu.bytes.internal.extent;

import org.jspecify.annotations.Nullable;

/**
 * Some extents that follow each other, packed into a page. Immutable.
 *
 * @param page the page's bytes: the columns offset, length, log address, position
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Leaf(byte[] page) implements Node {

  static final byte KIND = 0x4C;

  /** The most extents of a leaf. */
  static final int MOST = 128;

  static final int OFFSET = 0;
  static final int LENGTH = 1;
  static final int ADDRESS = 2;
  static final int POSITION = 3;
  static final int COLUMNS = 4;

  private static final int MEMORY_BYTES = 32; // of the objects

  /** Returns a leaf of some rows. */
  static Leaf of(long[][] columns, int from, int to) {
    return new Leaf(PackedColumns.pack(KIND, columns, from, to));
  }

  @Override
  public int count() {
    return PackedColumns.count(page);
  }

  @Override
  public long first() {
    return offset(0);
  }

  @Override
  public int memoryBytes() {
    return MEMORY_BYTES + page.length;
  }

  private long get(int column, int row) {
    return PackedColumns.get(page, COLUMNS, column, row);
  }

  long offset(int row) {
    return get(OFFSET, row);
  }

  long end(int row) {
    return get(OFFSET, row) + get(LENGTH, row);
  }

  Extent extent(int row) {
    return new Extent(get(OFFSET, row), get(LENGTH, row), get(ADDRESS, row), get(POSITION, row));
  }

  /** Copies all rows to columns, from an index on. */
  void copyTo(long[][] columns, int index) {
    for (int i = 0; i < COLUMNS; i++) {
      PackedColumns.copy(page, COLUMNS, i, columns[i], index);
    }
  }

  /** Returns the first row whose extent ends behind an offset; the count if none does. */
  int rowAt(long offset) {
    int behind = PackedColumns.rowBehind(page, COLUMNS, offset);
    return behind > 0 && end(behind - 1) > offset ? behind - 1 : behind;
  }

  /**
   * Returns this leaf with another extent in place of one of the same range, without unpacking it.
   *
   * @return the leaf, or null if the extents differ in more, or the numbers do not fit
   */
  @Nullable Leaf replaced(Extent extent) {
    int row = PackedColumns.rowBehind(page, COLUMNS, extent.offset()) - 1;
    if (row < 0
        || offset(row) != extent.offset()
        || get(LENGTH, row) != extent.length()
        || (row > 0 && get(ADDRESS, row - 1) == extent.address())
        || (row + 1 < count() && get(ADDRESS, row + 1) == extent.address())) {
      return null;
    }
    byte[] changed = page.clone();
    boolean fits =
        PackedColumns.replace(changed, COLUMNS, ADDRESS, row, extent.address())
            && PackedColumns.replace(changed, COLUMNS, POSITION, row, extent.position());
    return fits ? new Leaf(changed) : null;
  }
}
