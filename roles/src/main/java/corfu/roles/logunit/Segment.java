package corfu.roles.logunit;

import corfu.world.DiskFile;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the unit knows of one segment file. Its life: it is written ({@code index} and {@code
 * writing} are there), it is closed (nothing more is added; its footer is due), it is finished
 * (both are gone), it is dropped.
 *
 * <p>How much of it is alive is counted in records. The bytes of a record that dies are taken for
 * the average, because the page map has no room for lengths; {@link Compaction} measures before it
 * relies on them.
 */
final class Segment {

  /** What ends the names of files that a restart deletes. */
  static final String TEMPORARY = ".tmp";

  private static final String PREFIX = "segment-";
  private static final String SUFFIX = ".log";

  final int slot;
  final long sequence;
  final long nonce;

  /** What is in it, until the footer says so. */
  @Nullable SegmentIndex index;

  /** The file while it is written; belongs to the thread that commits until then. */
  @Nullable DiskFile writing;

  /** Its name until it is used for the first time. */
  String temporaryName = "";

  /** Whether its blocks were not written ahead, so that records extend it. */
  boolean grows;

  /** Where the next record goes. */
  long end = RecordFormat.FILE_HEADER_BYTES;

  /** Records below may be shown: they are as safe as the unit's mode promises. */
  long settled;

  /** Records below have been synced. */
  long durable;

  /** What it takes, or is going to take, of the disk. */
  long fileBytes;

  boolean closed;
  boolean dropped;

  /**
   * Something in it can't be read, so that it can't be copied either: it stays until nobody needs
   * it.
   */
  boolean unreadable;

  /** Something beside entries is damaged in it: what is needed has to be written elsewhere. */
  boolean condemned;

  /** It waits for somebody to look whether it is worth keeping. */
  boolean suspected;

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

  static String nameOf(long sequence) {
    return "%s%016x%s".formatted(PREFIX, sequence, SUFFIX);
  }

  static boolean isName(String name) {
    return name.matches(PREFIX + "[0-9a-f]{16}" + SUFFIX);
  }

  /** Whether it names a file that does not count where {@code first} is the first one that does. */
  static boolean isVoid(String name, long first) {
    return isName(name) && sequenceOf(name) < first;
  }

  static long sequenceOf(String name) {
    return Long.parseUnsignedLong(name.substring(PREFIX.length(), PREFIX.length() + 16), 16);
  }

  String name() {
    return nameOf(sequence);
  }

  boolean isFinished() {
    return closed && index == null;
  }

  /** What has been written to it; only while it is written. */
  SegmentIndex content() {
    return Objects.requireNonNull(index, "a segment that is written has its index");
  }

  /** An entry's record is in it. It is not alive before {@link #born}. */
  void holds(long address, long recordBytes) {
    lowest = Math.min(lowest, address);
    highest = Math.max(highest, address);
    shortestRecord = Math.min(shortestRecord, recordBytes);
    longestRecord = Math.max(longestRecord, recordBytes);
  }

  void holdsTrims(TrimmedSet.Block block) {
    highest = Math.max(highest, block.end() < 0 ? Long.MAX_VALUE : block.end() - 1);
  }

  void born(long recordBytes) {
    live++;
    liveBytes += recordBytes;
  }

  /**
   * A record of unknown length is garbage now.
   *
   * @return what is taken for its length
   */
  long died() {
    long bytes = liveBytes / live;
    liveBytes -= bytes;
    live--;
    deaths++;
    return bytes;
  }

  /** A record that {@linkplain #died died} is not garbage after all. */
  void revived(long bytes) {
    liveBytes += bytes;
    live++;
    deaths = Math.max(0, deaths - 1);
  }

  void trimsBorn() {
    liveTrims++;
  }

  void trimsDied() {
    liveTrims--;
  }

  void markBorn() {
    liveMarks++;
  }

  void markDied() {
    liveMarks--;
  }

  /** What its trims and its marks of streams measure that are still needed. */
  long keptBytes() {
    return liveTrims * RecordFormat.sizeOf(TrimmedSet.BITMAP_BYTES)
        + liveMarks * RecordFormat.sizeOf(RecordFormat.STREAM_BYTES);
  }

  /** The truth about what is alive. */
  void measured(long records, long bytes) {
    live = records;
    liveBytes = bytes;
    deaths = 0;
  }

  long live() {
    return live;
  }

  long liveBytes() {
    return liveBytes;
  }

  boolean isDead() {
    return live == 0 && liveTrims == 0 && liveMarks == 0;
  }

  long lowest() {
    return lowest;
  }

  long highest() {
    return highest;
  }

  long longestRecord() {
    return longestRecord;
  }

  /** Whether all addresses in it lie below the mark. */
  boolean isBelow(long mark) {
    return highest < mark;
  }

  /** Whether nothing in it is needed any more, given the mark. */
  boolean isNeededNoMore(long mark) {
    return isDead() || (isBelow(mark) && liveMarks == 0);
  }

  /** Whether the mark divides it. */
  boolean isCutBy(long mark) {
    return lowest < mark && mark <= highest;
  }

  /**
   * How many bytes are alive at most, as far as one can tell from how its addresses lie around the
   * mark.
   */
  long likelyLiveBytes(long mark) {
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
