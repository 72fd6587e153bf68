package corfu.protocol.message;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.Incarnation;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.StreamTail;
import java.util.List;
import java.util.Optional;

/** The replies of a log unit. */
public sealed interface LogUnitReply extends Reply {

  /** An outcome for each entry of a {@link LogUnitRequest.Write}, in the request's order. */
  record Writes(List<WriteOutcome> outcomes) implements LogUnitReply {}

  /**
   * An outcome for each of the first addresses of a {@link LogUnitRequest.Read}, in the request's
   * order; at least one.
   */
  record Reads(List<ReadOutcome> outcomes) implements LogUnitReply {}

  /**
   * An outcome for each of the first ranges of a {@link LogUnitRequest.ReadBlocks}, in the
   * request's order; at least one.
   */
  record FoundBlocks(List<BlocksOutcome> outcomes) implements LogUnitReply {
    public FoundBlocks {
      outcomes = List.copyOf(outcomes);
    }
  }

  /** A state for each address of a {@link LogUnitRequest.Inspect}, in the request's order. */
  record States(List<AddressState> states) implements LogUnitReply {}

  /**
   * The unit's tail and trim mark.
   *
   * @param next the address behind the highest one that is not unwritten
   * @param trimmedBefore the address below which everything is trimmed
   */
  record Tail(long next, long trimmedBefore) implements LogUnitReply {}

  /**
   * The epoch is sealed.
   *
   * @param next the address behind the highest one that is not unwritten
   * @param trimmedBefore the address below which everything is trimmed
   * @param incarnation the unit's incarnation, which shows whether the layout relies on this unit
   */
  record SealedAt(long next, long trimmedBefore, Incarnation incarnation) implements LogUnitReply {}

  /**
   * The unit holds nothing.
   *
   * @param incarnation the unit's incarnation
   */
  record Blank(Incarnation incarnation) implements LogUnitReply {}

  /**
   * A part of the range requested by a {@link LogUnitRequest.CopyRange}.
   *
   * @param next the address from which to continue; {@code to} if nothing is left
   * @param records the records, in ascending order of address
   */
  record Copied(long next, List<CopiedRecord> records) implements LogUnitReply {}

  /**
   * The record of one address that is not unwritten. Its outcome is data, a hole, trimmed or
   * corrupt.
   */
  record CopiedRecord(long address, ReadOutcome outcome) {}

  /**
   * The entries that the unit found for each query of a {@link LogUnitRequest.FindInStreams}, in
   * the request's order.
   *
   * @param forgottenBefore the log address below which the unit no longer knows the streams of some
   *     trimmed or damaged entries, or 0 if it knows them all. A stream may have reached further
   *     than the unit found, but not to this number: a stream address is never higher than its log
   *     address.
   * @param found the entries found for each query
   */
  record FoundInStreams(long forgottenBefore, List<Occurrences> found) implements LogUnitReply {
    public FoundInStreams {
      found = List.copyOf(found);
    }
  }

  /**
   * The streams of which the unit has or had entries, or that were trimmed here, in ascending order
   * of their ids.
   *
   * @param tails the streams' ends as the unit knows them; one or more if {@code more}
   * @param more whether there may be streams behind the last one
   */
  record Streams(List<StreamTail> tails, boolean more) implements LogUnitReply {
    public Streams {
      tails = List.copyOf(tails);
    }
  }

  /**
   * Entries of a stream, in stream order.
   *
   * @param trimmedBefore the stream address below which the stream is trimmed
   * @param next the stream address from which to continue, or {@link Long#MAX_VALUE} if there are
   *     no more entries
   * @param entries entries that are intact as far as the unit can tell; unreadable ones are left
   *     out
   */
  record StreamEntries(long trimmedBefore, long next, List<Entry> entries) implements LogUnitReply {
    public StreamEntries {
      entries = List.copyOf(entries);
    }
  }

  /**
   * The unit knows the follower.
   *
   * @param streams the number of streams that the follower now follows here. If the follower
   *     expects another number, the unit has forgotten it, or has refused streams because of too
   *     many followers or streams
   */
  record Following(int streams) implements LogUnitReply {}

  /**
   * New entries of followed streams, each reported once.
   *
   * @param hasMissed whether the unit has dropped other entries since the last reply, because the
   *     follower did not fetch them in time
   * @param entries the entries in the order in which this unit settled them; may be empty
   */
  record Heard(boolean hasMissed, List<Entry> entries) implements LogUnitReply {
    public Heard {
      entries = List.copyOf(entries);
    }
  }

  /**
   * The space that a unit uses.
   *
   * @param entries the number of addresses with data
   * @param liveBytes the size of their records in bytes
   * @param fileBytes the size of the unit's files in bytes
   * @param freeBytes the number of bytes that may still be written; 0 while the unit refuses data
   * @param next the address behind the highest one that is not unwritten
   * @param trimmedBefore the address below which everything is trimmed
   * @param mode {@code durable}, {@code buffered} or {@code memory}
   */
  record Usage(
      long entries,
      long liveBytes,
      long fileBytes,
      long freeBytes,
      long next,
      long trimmedBefore,
      String mode)
      implements LogUnitReply {

    /**
     * Returns whether the unit is full or nearly full. It refuses all data, or refuses larger
     * entries because less than 1 % and less than 1 MiB is free.
     */
    public boolean isFull() {
      return freeBytes <= 0 || (freeBytes < 1 << 20 && freePercent() < 1);
    }

    /**
     * Returns the free part of the unit's space in percent, from 0 to 100; 0 means less than 1 %.
     */
    public int freePercent() {
      double all = (double) fileBytes + freeBytes;
      return all <= 0 ? 0 : (int) (100 * (double) Math.max(0, freeBytes) / all);
    }
  }

  /**
   * The progress of a unit's scrubber, which reads all records of the unit in repeated rounds.
   *
   * @param rounds the number of completed rounds in this life of the disk
   * @param roundAgeMillis the time since the last completed round in milliseconds, or {@link
   *     #NEVER} if none was completed since the unit's start
   * @param readBytes the number of bytes read since the unit's start
   * @param records the number of records checked since the unit's start
   * @param doneBytes the number of bytes read in the current round
   * @param roundBytes an estimate of the bytes to read in the current round
   * @param found the number of corrupt records found since the unit's start, by the scrubber or
   *     anybody else
   * @param repaired the number of corrupt records replaced from other replicas
   * @param waiting the number of unreadable records that are not replaced yet
   * @param detail the place of the first waiting record, for people; empty if none waits
   */
  record Scrubbed(
      long rounds,
      long roundAgeMillis,
      long readBytes,
      long records,
      long doneBytes,
      long roundBytes,
      long found,
      long repaired,
      long waiting,
      String detail)
      implements LogUnitReply {

    /** The age if no round was completed. */
    public static final long NEVER = -1;
  }

  /**
   * The progress of a unit's compression.
   *
   * @param before the address below which clients want the log compressed, or 0 if none has asked
   * @param plainBytes the size that the compressed files had before, in bytes
   * @param storedBytes the size of the compressed files in bytes
   * @param waitingBytes the size of the files that the unit has still to compress, in bytes; 0 if
   *     it has finished
   * @param detail the reason why files wait or stay as they are, for people; empty if there is none
   */
  record Compressed(
      long before, long plainBytes, long storedBytes, long waitingBytes, String detail)
      implements LogUnitReply {}

  /** The outcome of one write. */
  sealed interface WriteOutcome {

    /** The address now holds the entry. */
    record Written() implements WriteOutcome {
      public static final Written WRITTEN = new Written();
    }

    /** The address held another entry, which may be an earlier write by the same writer. */
    record Overwritten(corfu.protocol.AppendId winner, corfu.protocol.EntryKind kind)
        implements WriteOutcome {}

    /** The address is trimmed. */
    record Trimmed() implements WriteOutcome {
      public static final Trimmed TRIMMED = new Trimmed();
    }

    /** The disk is full. The address is unchanged. */
    record NoSpace() implements WriteOutcome {
      public static final NoSpace NO_SPACE = new NoSpace();
    }

    /**
     * The entry's checksum is wrong: the entry was damaged on its way. The address is unchanged.
     */
    record Damaged() implements WriteOutcome {
      public static final Damaged DAMAGED = new Damaged();
    }

    /**
     * The address holds an entry that the unit cannot read. Behind an entry's first register this
     * can only be the same entry.
     */
    record Corrupt() implements WriteOutcome {
      public static final Corrupt CORRUPT = new Corrupt();
    }
  }

  /** The content of an address. */
  sealed interface ReadOutcome {

    /** Returns the entry, or empty if no entry can be read. */
    default Optional<Entry> held() {
      return Optional.empty();
    }

    /** An entry: data or a hole. */
    record Found(Entry entry) implements ReadOutcome {
      @Override
      public Optional<Entry> held() {
        return Optional.of(entry);
      }
    }

    /**
     * An entry on this unit that may not be on all replicas of its streams yet. The reader first
     * carries it to all of them. Only if streams have replicas of their own.
     */
    record Unconfirmed(Entry entry) implements ReadOutcome {
      @Override
      public Optional<Entry> held() {
        return Optional.of(entry);
      }
    }

    /** The address is unwritten. */
    record Unwritten() implements ReadOutcome {
      public static final Unwritten UNWRITTEN = new Unwritten();
    }

    /** The address is trimmed. */
    record Trimmed() implements ReadOutcome {
      public static final Trimmed TRIMMED = new Trimmed();
    }

    /** An entry that this unit cannot read any more. Another replica may have it. */
    record Corrupt(String detail) implements ReadOutcome {}

    /**
     * An entry that the client may not read. From version 3 of the schema on; a client of an
     * earlier version gets {@link Failure.Refused} for its whole request instead.
     */
    record Forbidden() implements ReadOutcome {
      public static final Forbidden FORBIDDEN = new Forbidden();
    }
  }

  /** The content of an address, with a part of its entry. */
  sealed interface BlocksOutcome {

    /**
     * The blocks that have the range's bytes. For a range behind the end of the payload, the last
     * block, which proves the payload's length.
     */
    record Found(EntryBlocks blocks) implements BlocksOutcome {}

    /** A whole entry without block checksums, or with wrong ones: data or a hole. */
    record Whole(Entry entry) implements BlocksOutcome {}

    /**
     * An entry on this unit that may not be on all replicas of its streams yet; see {@link
     * ReadOutcome.Unconfirmed}. The reader reads the whole entry.
     */
    record Unconfirmed() implements BlocksOutcome {
      public static final Unconfirmed UNCONFIRMED = new Unconfirmed();
    }

    /** The address is unwritten. */
    record Unwritten() implements BlocksOutcome {
      public static final Unwritten UNWRITTEN = new Unwritten();
    }

    /** The address is trimmed. */
    record Trimmed() implements BlocksOutcome {
      public static final Trimmed TRIMMED = new Trimmed();
    }

    /** An entry that this unit cannot read any more. Another replica may have it. */
    record Corrupt(String detail) implements BlocksOutcome {}

    /** An entry that the client may not read; see {@link ReadOutcome.Forbidden}. */
    record Forbidden() implements BlocksOutcome {
      public static final Forbidden FORBIDDEN = new Forbidden();
    }
  }

  /** The content of an address without its entry. The code is its number on the wire. */
  enum AddressState {
    UNWRITTEN(0),
    DATA(1),
    HOLE(2),
    TRIMMED(3);

    private final byte code;

    AddressState(int code) {
      this.code = (byte) code;
    }

    public byte code() {
      return code;
    }

    /**
     * Returns the state of a code.
     *
     * @throws IllegalArgumentException if no state has this code
     */
    public static AddressState ofCode(int code) {
      return switch (code) {
        case 0 -> UNWRITTEN;
        case 1 -> DATA;
        case 2 -> HOLE;
        case 3 -> TRIMMED;
        default -> throw new IllegalArgumentException("no address state has code " + code);
      };
    }
  }
}
