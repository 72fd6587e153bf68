package corfu.roles.logunit.segment;

import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.format.SegmentName;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the unit knows of one segment file. Its life: it is written ({@code index} and {@code
 * writing} are there), it is closed (nothing more is added; its footer is due), it is finished
 * (both are gone), it is dropped.
 *
 * <p>How much of it is alive is counted in records. The bytes of a record that dies are taken for
 * the average, because the page map has no room for lengths; {@code Compaction} measures before it
 * relies on them.
 */
public final class Segment {

  public final int slot;
  public final long sequence;
  public final long nonce;

  /** What is in it, until the footer says so. */
  public @Nullable SegmentIndex index;

  /**
   * The file while it is written; it belongs to the thread that commits until then. That thread may
   * still look at it when the unit's thread finishes it.
   */
  public volatile @Nullable DiskFile writing;

  /** Its name until it is used for the first time. */
  String temporaryName = "";

  /** Whether its blocks were not written ahead, so that records extend it. */
  boolean grows;

  /** Where the next record goes. */
  public long end = RecordFormat.FILE_HEADER_BYTES;

  /** Records below may be shown: they are as safe as the unit's mode promises. */
  public long settled;

  /** Records below have been synced. */
  public long durable;

  /** What it takes, or is going to take, of the disk. */
  public long fileBytes;

  boolean closed;
  public boolean dropped;

  /**
   * Something in it can't be read, so that it can't be copied either: it stays until nobody needs
   * it.
   */
  public boolean unreadable;

  /** Something beside entries is damaged in it: what is needed has to be written elsewhere. */
  public boolean condemned;

  /** It waits for somebody to look whether it is worth keeping. */
  public boolean suspected;

  private long live;
  private long liveBytes;
  private int liveTrims;
  private int liveMarks; // of streams
  private long deaths;
  private long lowest = Long.MAX_VALUE;
  private long highest = -1;
  private long shortestRecord = Long.MAX_VALUE;
  private long longestRecord;

  Segment(int slot, long sequence, long nonce) {
    this.slot = slot;
    this.sequence = sequence;
    this.nonce = nonce;
  }

  /**
   * Syncs what was written, for the thread that commits. The unit's thread closes the file when all
   * of it is durable, and the footer too: then there is nothing to sync, however the call ends.
   */
  void syncUnlessFinished() {
    DiskFile file = writing;
    if (file == null) {
      return;
    }
    try {
      file.sync();
    } catch (DiskException failure) {
      if (writing != null) {
        throw failure;
      }
    }
  }

  /** Closes the file that was written, if it is still open. */
  void closeWriting() {
    DiskFile file = writing;
    writing = null;
    if (file != null) {
      file.close();
    }
  }

  public String name() {
    return SegmentName.of(sequence);
  }

  public boolean isFinished() {
    return closed && index == null;
  }

  /** What has been written to it; only while it is written. */
  public SegmentIndex content() {
    return Objects.requireNonNull(index, "a segment that is written has its index");
  }

  /** An entry's record is in it. It is not alive before {@link #born}. */
  public void holds(long address, long recordBytes) {
    lowest = Math.min(lowest, address);
    highest = Math.max(highest, address);
    shortestRecord = Math.min(shortestRecord, recordBytes);
    longestRecord = Math.max(longestRecord, recordBytes);
  }

  public void holdsTrims(TrimmedSet.Block block) {
    highest = Math.max(highest, block.end() < 0 ? Long.MAX_VALUE : block.end() - 1);
  }

  public void born(long recordBytes) {
    live++;
    liveBytes += recordBytes;
  }

  /**
   * A record of unknown length is garbage now.
   *
   * @return what is taken for its length
   */
  public long died() {
    long bytes = liveBytes / live;
    liveBytes -= bytes;
    live--;
    deaths++;
    return bytes;
  }

  /** A record that {@linkplain #died died} is not garbage after all. */
  public void revived(long bytes) {
    liveBytes += bytes;
    live++;
    deaths = Math.max(0, deaths - 1);
  }

  public void trimsBorn() {
    liveTrims++;
  }

  public void trimsDied() {
    liveTrims--;
  }

  public void markBorn() {
    liveMarks++;
  }

  public void markDied() {
    liveMarks--;
  }

  /** What its trims and its marks of streams measure that are still needed. */
  public long keptBytes() {
    return liveTrims * RecordFormat.sizeOf(TrimmedSet.BITMAP_BYTES)
        + liveMarks * RecordFormat.sizeOf(RecordFormat.STREAM_BYTES);
  }

  /** The truth about what is alive. */
  public void measured(long records, long bytes) {
    live = records;
    liveBytes = bytes;
    deaths = 0;
  }

  long live() {
    return live;
  }

  public long liveBytes() {
    return liveBytes;
  }

  boolean isDead() {
    return live == 0 && liveTrims == 0 && liveMarks == 0;
  }

  public long lowest() {
    return lowest;
  }

  public long highest() {
    return highest;
  }

  long longestRecord() {
    return longestRecord;
  }

  /** Whether all addresses in it lie below the mark. */
  public boolean isBelow(long mark) {
    return highest < mark;
  }

  /** Whether nothing in it is needed any more, given the mark. */
  public boolean isNeededNoMore(long mark) {
    return isDead() || (isBelow(mark) && liveMarks == 0);
  }

  /** Whether the mark divides it. */
  public boolean isCutBy(long mark) {
    return lowest < mark && mark <= highest;
  }

  /**
   * How many bytes are alive at most, as far as one can tell from how its addresses lie around the
   * mark.
   */
  public long likelyLiveBytes(long mark) {
    if (isBelow(mark)) {
      return 0;
    }
    long known = shortestRecord == longestRecord ? liveBytes : liveBytes - deaths * longestRecord;
    if (!isCutBy(mark)) {
      return known;
    }
    double above = (double) (highest - mark + 1) / ((double) highest - lowest + 1);
    return (long) (known * above);
  }
}
