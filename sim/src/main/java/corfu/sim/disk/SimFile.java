package corfu.sim.disk;

import corfu.sim.world.SimRandom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file on a disk: its current contents, its last synced contents, and the writes in between. Any
 * of these writes may have reached the platter, sector by sector.
 *
 * <pre>
 *   synced     |AAAA|AAAA|AAAA|
 *   unsynced 1      |BBBB|BBBB|BB          a write
 *   unsynced 2 |CC                         another one
 *   now        |CCAA|BBBB|BBBB|BB
 *   after a power loss, for example        |CCAA|AAAA|BBBB|BB
 * </pre>
 */
public final class SimFile {

  static final int SECTOR_BYTES = 512;
  static final int PAGE_BYTES = 4096;

  private final List<Change> unsynced = new ArrayList<>();
  private final CorruptRanges lies = new CorruptRanges();
  private byte[] now = {};
  private byte[] synced = {};
  private long changes;

  /** Bytes at a position, or a new size if there are no bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Change(long number, long position, byte[] bytes, int sizeAfter) {
    byte[] appliedTo(byte[] content) {
      byte[] after = Arrays.copyOf(content, sizeAfter);
      System.arraycopy(bytes, 0, after, (int) position, bytes.length);
      return after;
    }

    boolean touches(int sector) {
      long start = (long) sector * SECTOR_BYTES;
      return position < start + SECTOR_BYTES && position + bytes.length > start;
    }
  }

  /** Returns a copy for another disk. */
  public SimFile copy() {
    SimFile copy = new SimFile();
    copy.now = now.clone();
    copy.synced = synced.clone();
    copy.unsynced.addAll(unsynced);
    copy.changes = changes;
    return copy;
  }

  public boolean holdsTheSameAs(SimFile other) {
    return Arrays.equals(now, other.now);
  }

  public int size() {
    return now.length;
  }

  public int read(ByteBuffer into, long position) {
    int start = into.position();
    int n = Math.clamp(now.length - position, 0, into.remaining());
    if (n > 0) {
      into.put(now, (int) position, n);
      lies.distort(into, start, position);
    }
    return n;
  }

  /** Reads the contents at the last sync. */
  void readSynced(byte[] into, long position) {
    int n = Math.clamp(synced.length - position, 0, into.length);
    if (n > 0) {
      System.arraycopy(synced, (int) position, into, 0, n);
    }
  }

  /** Returns the ranges that read wrong. */
  public CorruptRanges lies() {
    return lies;
  }

  boolean isSynced() {
    return unsynced.isEmpty();
  }

  public void write(byte[] bytes, long position) {
    int end = Math.toIntExact(position + bytes.length);
    lies.isWritten(position, bytes.length);
    now = end > now.length ? Arrays.copyOf(now, end) : now;
    System.arraycopy(bytes, 0, now, (int) position, bytes.length);
    unsynced.add(new Change(changes++, position, bytes, now.length));
  }

  void resize(long size) {
    lies.isCut(size);
    now = Arrays.copyOf(now, Math.toIntExact(size));
    unsynced.add(new Change(changes++, size, new byte[0], now.length));
  }

  /**
   * Corrupts a bit, a sector or a page.
   *
   * @return a description with the position
   */
  public String rots(SimRandom chance) {
    int contentEnd = now.length;
    while (contentEnd > 1 && now[contentEnd - 1] == 0) {
      contentEnd--;
    }
    int at = chance.below(contentEnd);
    int kind = chance.below(4);
    int block = kind == 3 ? PAGE_BYTES : SECTOR_BYTES;
    int from = kind < 2 ? at : at / block * block;
    byte[] bytes = new byte[kind < 2 ? 1 : Math.min(block, now.length - from)];
    var unused = read(ByteBuffer.wrap(bytes), from);
    if (kind < 2) {
      bytes[0] ^= (byte) (1 << chance.below(8));
    } else {
      Arrays.fill(bytes, (byte) 0);
    }
    lies.tell(from, bytes);
    return (kind < 2 ? "a bit at " : block + " zeros at ") + from;
  }

  /** Returns the number of changes that a sync beginning now covers. */
  long changes() {
    return changes;
  }

  /** Makes the first changes durable, up to this count. */
  void syncedUpTo(long count) {
    if (count == changes && !unsynced.isEmpty()) {
      unsynced.clear();
      synced = now.clone();
      return;
    }
    while (!unsynced.isEmpty() && unsynced.getFirst().number() < count) {
      synced = unsynced.removeFirst().appliedTo(synced);
    }
  }

  /**
   * The power fails. Each sector keeps its state at some moment since the last sync, and so does
   * the size, independently: writes reach the platter in any order.
   */
  public void losePower(SimRandom chance) {
    if (!unsynced.isEmpty()) {
      int luck = chance.below(4); // nothing, everything, or each sector independently
      int sizeMoment = moment(luck, chance);
      int size = sizeMoment == 0 ? synced.length : unsynced.get(sizeMoment - 1).sizeAfter();
      byte[] left = Arrays.copyOf(synced, size);
      for (int sector = 0; (long) sector * SECTOR_BYTES < size; sector++) {
        replay(sector, moment(luck, chance), left);
      }
      unsynced.clear();
      now = left;
      synced = left.clone();
    }
  }

  /** Returns how many of the unsynced changes had happened when the sector was written back. */
  private int moment(int luck, SimRandom chance) {
    return switch (luck) {
      case 0 -> 0;
      case 1 -> unsynced.size();
      default -> chance.below(unsynced.size() + 1);
    };
  }

  /** Copies into {@code left} the sector's state after the first unsynced changes. */
  private void replay(int sector, int changes, byte[] left) {
    int start = sector * SECTOR_BYTES;
    int end = Math.min(start + SECTOR_BYTES, left.length);
    for (Change change : unsynced.subList(0, changes)) {
      if (change.touches(sector)) {
        int from = (int) Math.max(start, change.position());
        int to = (int) Math.min(end, change.position() + change.bytes().length);
        if (from < to) {
          System.arraycopy(change.bytes(), (int) (from - change.position()), left, from, to - from);
        }
      }
      if (change.sizeAfter() < end) {
        Arrays.fill(left, Math.max(start, change.sizeAfter()), end, (byte) 0);
      }
    }
  }
}
