package corfu.bytes.internal.checkpoint;

import java.util.function.LongSupplier;

/**
 * Decides when a checkpoint of an array is worthwhile: after some entries. If it would be large in
 * relation to them, it waits, but not for ever, since the next client has to play them. Not
 * thread-safe.
 */
public final class CheckpointPace {

  /** The bytes of entries for each byte of changed pages in their checkpoint, 4 or more. */
  private static final int BYTES_OF_CHECKPOINT = 4;

  /** The bytes of an entry in the log beside its payload, about. */
  private static final int HEADER_BYTES = 64;

  /** A checkpoint is written after this many times the entries, however large it is. */
  private static final int MOST_ENTRIES_FACTOR = 32;

  private final int from;
  private final long most;
  private long entries; // since the last checkpoint
  private long bytes; // of these entries
  private long worthwhileFrom; // the number of such entries that make a checkpoint worthwhile

  /**
   * @param from the least number of entries between two checkpoints
   */
  public CheckpointPace(int from) {
    this.from = from;
    this.most = (long) from * MOST_ENTRIES_FACTOR;
    this.worthwhileFrom = from;
  }

  /** Counts an entry that was applied. */
  public void add(int payloadBytes) {
    entries++;
    bytes += payloadBytes + HEADER_BYTES;
  }

  /** A checkpoint includes all entries so far. */
  public void restart() {
    entries = 0;
    bytes = 0;
    worthwhileFrom = from;
  }

  /**
   * Returns whether a checkpoint is worthwhile now. Then it is taken to be written.
   *
   * @param changedBytes tells the bytes of the pages that a checkpoint would write; is asked rarely
   */
  public boolean takeDue(LongSupplier changedBytes) {
    if (entries < worthwhileFrom) {
      return false;
    }
    if (entries < most && changedBytes.getAsLong() > bytes / BYTES_OF_CHECKPOINT) {
      worthwhileFrom = Math.min(most, 2 * entries);
      return false;
    }
    restart();
    return true;
  }
}
