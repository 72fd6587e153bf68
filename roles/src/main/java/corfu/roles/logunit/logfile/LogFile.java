package corfu.roles.logunit.logfile;

import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of one log file. While it is written, {@code index} and {@code writing} are set. When
 * it is closed, no more records are added, and its footer is due. When it is finished, both fields
 * are null. At the end it is dropped.
 *
 * <p>Live records are counted. A record that dies counts with the average size, because the page
 * map has no room for lengths. {@code Compaction} measures the real size before it relies on it.
 */
public final class LogFile {

  public final int slot;
  public final long sequence;

  /** The nonce of the records; 0 if the file was found on the disk, which need not be read then. */
  public final long nonce;

  /** The content of the file; null once the footer has it. */
  public @Nullable LogFileIndex index;

  /**
   * The file while it is written. It belongs to the committing thread until then; that thread may
   * still read the field while the unit's thread finishes the file.
   */
  public volatile @Nullable DiskFile writing;

  /** The file's name before its first use. */
  String temporaryName = "";

  /** Whether records extend the file, because its blocks were not written in advance. */
  boolean grows;

  /** The offset of the next record. */
  public long end = RecordFormat.FILE_HEADER_BYTES;

  /** The offset below which records may be shown: they are as safe as the unit's mode promises. */
  public long settled;

  /** The offset below which records have been synced. */
  public long durable;

  /** The present or future size on the disk in bytes. */
  public long fileBytes;

  /** The size that the file had before it was compressed; 0 if it is not compressed. */
  public long plainBytes;

  /** Whether the file could not be compressed, and is not tried again for now. */
  public boolean staysPlain;

  boolean closed;
  public boolean dropped;

  /**
   * Whether some of the file is unreadable, so that it cannot be copied: it stays until nobody
   * needs it.
   */
  public boolean unreadable;

  /**
   * Whether something other than entries is damaged: the needed records have to be written
   * elsewhere.
   */
  public boolean condemned;

  /** Whether the file waits for a check whether its space should be freed. */
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

  LogFile(int slot, long sequence, long nonce) {
    this.slot = slot;
    this.sequence = sequence;
    this.nonce = nonce;
  }

  /**
   * Syncs the written bytes, on the committing thread. When all records and the footer are durable,
   * the unit's thread closes the file. Then there is nothing to sync, and a failure of the call
   * does not count.
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

  /** Closes the written file if it is still open. */
  void closeWriting() {
    DiskFile file = writing;
    writing = null;
    if (file != null) {
      file.close();
    }
  }

  public String name() {
    return LogFileName.of(sequence);
  }

  public boolean isCompressed() {
    return plainBytes > 0;
  }

  /** Returns the file's size in bytes, before compression if it is compressed. */
  public long contentBytes() {
    return isCompressed() ? plainBytes : fileBytes;
  }

  /** Returns whether more records may come: the file is not closed. */
  public boolean isOpen() {
    return !closed;
  }

  public boolean isFinished() {
    return closed && index == null;
  }

  /** Returns the content of the file; only while it is written. */
  public LogFileIndex content() {
    return Objects.requireNonNull(index, "a segment that is written has its index");
  }

  /**
   * Records that the file contains an entry's record. The record is not alive before {@link #born}.
   */
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
   * Counts a record of unknown length as garbage.
   *
   * @return the length that it counts for
   */
  public long died() {
    long bytes = liveBytes / live;
    liveBytes -= bytes;
    live--;
    deaths++;
    return bytes;
  }

  /** Counts a record that {@linkplain #died died} as alive again. */
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

  /** Returns the size of the trims and marks of streams that are still needed. */
  public long keptBytes() {
    return liveTrims * RecordFormat.sizeOf(TrimmedSet.BITMAP_BYTES)
        + liveMarks * RecordFormat.sizeOf(RecordFormat.STREAM_BYTES);
  }

  /** Sets the measured number and size of live records. */
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

  /** Returns whether all addresses in the file lie below the mark. */
  public boolean isBelow(long mark) {
    return highest < mark;
  }

  /** Returns whether nothing in the file is needed any more, given the mark. */
  public boolean isNeededNoMore(long mark) {
    return isDead() || (isBelow(mark) && liveMarks == 0);
  }

  /** Returns whether the mark lies between the file's addresses. */
  public boolean isCutBy(long mark) {
    return lowest < mark && mark <= highest;
  }

  /**
   * Returns an estimate of the live bytes, from the position of the file's addresses relative to
   * the mark.
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
