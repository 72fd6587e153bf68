package corfu.bytes.internal.extent;

import corfu.bytes.DamagedRecordException;
import corfu.protocol.Address;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The pages of a map of extents, as the log holds them: {@link PackedColumns} of the kind {@code
 * 'L'}, a leaf, or {@code 'B'}, a branch.
 *
 * <pre>
 *   leaf:   offset, length, log address, position in that entry's payload
 *   branch: offset of the first extent, here, log address, place, position, length of the page,
 *           oldest place, oldest number of bytes, bytes of the subtree
 *
 *   here: 1 if the child is in the same entry as the branch, whose address and place it has; 2 if
 *         the oldest place is that entry's; the columns hold some other number then
 * </pre>
 */
final class PageCodec {

  static final byte BRANCH = 0x42;
  static final int BRANCH_COLUMNS = 9;

  /** The most bytes of a page of a branch. */
  static final int MOST_BRANCH_BYTES =
      PackedColumns.mostBytes(BRANCH_COLUMNS, Branch.MOST, 6 * Long.BYTES + 2 * Integer.BYTES + 1);

  /** The bytes of a child in a branch, about. */
  static final int BYTES_OF_CHILD = 20;

  private static final long IS_HERE = 1;
  private static final long IS_OLDEST_HERE = 2;

  private PageCodec() {}

  /**
   * The place of a child's page, as far as it is known.
   *
   * @param isHere whether the page is in the entry that is being written
   * @param isOldestHere whether all pages of the subtree are
   */
  record Child(
      boolean isHere,
      boolean isOldestHere,
      long address,
      long place,
      int position,
      int bytes,
      long oldestPlace,
      long oldestAt,
      long treeBytes) {}

  /** Encodes the page of a branch. */
  static byte[] encode(Branch branch, Child[] children) {
    int count = children.length;
    long address = 0;
    long place = 0;
    long oldest = 0;
    for (Child child : children) { // numbers that need no width of their own
      address = child.isHere() ? address : child.address();
      place = child.isHere() ? place : child.place();
      oldest = child.isOldestHere() ? oldest : child.oldestPlace();
    }
    long[][] columns = new long[BRANCH_COLUMNS][count];
    columns[0] = branch.firsts();
    for (int i = 0; i < count; i++) {
      Child child = children[i];
      columns[1][i] = (child.isHere() ? IS_HERE : 0) | (child.isOldestHere() ? IS_OLDEST_HERE : 0);
      columns[2][i] = child.isHere() ? address : child.address();
      columns[3][i] = child.isHere() ? place : child.place();
      columns[4][i] = child.position();
      columns[5][i] = child.bytes();
      columns[6][i] = child.isOldestHere() ? oldest : child.oldestPlace();
      columns[7][i] = child.oldestAt();
      columns[8][i] = child.treeBytes();
    }
    return PackedColumns.pack(BRANCH, columns, 0, count);
  }

  /**
   * Decodes a page.
   *
   * @throws DamagedRecordException if the bytes are no page
   */
  static Node decode(StoredPage at, byte[] page) {
    if (pageLength(page, 0) != page.length || PackedColumns.count(page) == 0) {
      throw damaged(at, "%d bytes there are no page".formatted(page.length));
    }
    return page[0] == Leaf.KIND ? leaf(at, page) : branch(at, page);
  }

  private static Leaf leaf(StoredPage at, byte[] page) {
    int count = PackedColumns.count(page);
    long[][] columns = new long[Leaf.COLUMNS][count];
    Leaf leaf = new Leaf(page);
    leaf.copyTo(columns, 0);
    long next = 0;
    for (int i = 0; i < count; i++) {
      long offset = columns[Leaf.OFFSET][i];
      long length = columns[Leaf.LENGTH][i];
      if (offset < next
          || length < 1
          || offset > Long.MAX_VALUE - length
          || columns[Leaf.ADDRESS][i] < 0
          || columns[Leaf.POSITION][i] < 0) {
        throw damaged(at, "extent %d is out of range".formatted(i));
      }
      next = offset + length;
    }
    return leaf;
  }

  private static Branch branch(StoredPage at, byte[] page) {
    int count = PackedColumns.count(page);
    long[][] columns = new long[BRANCH_COLUMNS][count];
    for (int i = 0; i < BRANCH_COLUMNS; i++) {
      PackedColumns.copy(page, BRANCH_COLUMNS, i, columns[i], 0);
    }
    PageRef[] children = new PageRef[count];
    for (int i = 0; i < count; i++) {
      boolean isHere = (columns[1][i] & IS_HERE) != 0;
      boolean isOldestHere = (columns[1][i] & IS_OLDEST_HERE) != 0;
      var child =
          new StoredPage(
              at.store(),
              isHere ? at.address() : columns[2][i],
              isHere ? at.place() : columns[3][i],
              (int) columns[4][i],
              (int) columns[5][i],
              isOldestHere ? at.place() : columns[6][i],
              columns[7][i],
              columns[8][i],
              null);
      if (child.address() < 0
          || columns[4][i] != child.position()
          || columns[5][i] != child.bytes()
          || child.position() < 0
          || child.bytes() < 1
          || (i > 0 && columns[0][i] <= columns[0][i - 1])) {
        throw damaged(at, "child %d is out of range".formatted(i));
      }
      children[i] = PageRef.to(child);
    }
    return new Branch(columns[0], children);
  }

  private static DamagedRecordException damaged(StoredPage at, String detail) {
    return new DamagedRecordException(
        new Address(at.address()),
        "the page of a map at position %d: %s".formatted(at.position(), detail));
  }

  /** Returns the length of the page that begins in these bytes, or -1 if none does. */
  private static int pageLength(byte[] bytes, int from) {
    if (from >= bytes.length) {
      return -1;
    }
    return switch (bytes[from]) {
      case Leaf.KIND -> PackedColumns.lengthAt(bytes, from, Leaf.COLUMNS);
      case BRANCH -> PackedColumns.lengthAt(bytes, from, BRANCH_COLUMNS);
      default -> -1;
    };
  }

  /**
   * Passes on all extents of pages that follow each other.
   *
   * @param at the place of the first page
   * @throws DamagedRecordException if the bytes are no pages
   */
  static void forEachExtent(StoredPage at, byte[] pages, Consumer<Extent> receiver) {
    int from = 0;
    while (from < pages.length) {
      int length = pageLength(pages, from);
      if (length < 0) {
        throw damaged(at, "no page begins %d bytes behind it".formatted(from));
      }
      if (pages[from] == Leaf.KIND) {
        Leaf leaf = leaf(at, Arrays.copyOfRange(pages, from, from + length));
        for (int i = 0; i < leaf.count(); i++) {
          receiver.accept(leaf.extent(i));
        }
      }
      from += length;
    }
  }
}
