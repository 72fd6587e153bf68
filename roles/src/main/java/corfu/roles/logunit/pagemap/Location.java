package corfu.roles.logunit.pagemap;

/**
 * The location of a record, as the 40 bits that the page map stores for its address.
 *
 * <pre>
 *   39     38           23 22                    0
 *   +------+---------------+----------------------+
 *   | hole | slot of file  | offset in file / 8   |
 *   +------+---------------+----------------------+
 * </pre>
 *
 * A slot is the number of an existing file; it is reused after nothing points to it any more. So a
 * unit has at most 65,536 files. In none of them a record starts at 64 MiB or later: 4 TiB.
 */
public final class Location {

  /** No record. */
  public static final long NONE = -1;

  public static final int SLOTS = 1 << 16;

  /** Records start below this offset. */
  public static final int MAX_LOG_FILE_BYTES = 1 << 26;

  private static final int OFFSET_BITS = 23;
  private static final long HOLE = 1L << 39;

  private Location() {}

  public static long of(int slot, long offset, boolean hole) {
    return (hole ? HOLE : 0) | (long) slot << OFFSET_BITS | offset >> 3;
  }

  public static int slot(long location) {
    return (int) (location >> OFFSET_BITS) & (SLOTS - 1);
  }

  public static long offset(long location) {
    return (location & ((1L << OFFSET_BITS) - 1)) << 3;
  }

  public static boolean isHole(long location) {
    return (location & HOLE) != 0;
  }
}
