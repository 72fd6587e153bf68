package corfu.protocol.message;

import corfu.protocol.Entry;
import corfu.protocol.Incarnation;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.StreamTail;
import java.util.List;
import java.util.Optional;

/** What a log unit may answer. */
public sealed interface LogUnitReply extends Reply {

  /** An outcome for each entry of a {@link LogUnitRequest.Write}, in its order. */
  record Writes(List<WriteOutcome> outcomes) implements LogUnitReply {}

  /**
   * An outcome for each of the first addresses of a {@link LogUnitRequest.Read}, in its order; at
   * least one.
   */
  record Reads(List<ReadOutcome> outcomes) implements LogUnitReply {}

  /** A state for each address of a {@link LogUnitRequest.Inspect}, in its order. */
  record States(List<AddressState> states) implements LogUnitReply {}

  /**
   * The unit's ends.
   *
   * @param next the address behind the highest one that is not unwritten
   * @param trimmedBefore everything below is trimmed
   */
  record Tail(long next, long trimmedBefore) implements LogUnitReply {}

  /**
   * The epoch is sealed.
   *
   * @param next the address behind the highest one that is not unwritten
   * @param trimmedBefore everything below is trimmed
   * @param incarnation whether this is the unit that the layout relies on
   */
  record SealedAt(long next, long trimmedBefore, Incarnation incarnation) implements LogUnitReply {}

  /** The unit holds nothing, and this is its incarnation. */
  record Blank(Incarnation incarnation) implements LogUnitReply {}

  /**
   * A part of what was asked for by {@link LogUnitRequest.CopyRange}.
   *
   * @param next where to go on; {@code to} when nothing is left
   * @param records in ascending order of address
   */
  record Copied(long next, List<CopiedRecord> records) implements LogUnitReply {}

  /** One address that is not unwritten; the outcome is data, a hole, trimmed or corrupt. */
  record CopiedRecord(long address, ReadOutcome outcome) {}

  /**
   * What the unit found, for each query of a {@link LogUnitRequest.FindInStreams} in its order.
   *
   * @param forgottenBefore of entries below this log address that have been trimmed, or damaged,
   *     the unit does not know which streams they were in: a stream may have reached further than
   *     what was found. A stream address is never higher than its log address, so it did not reach
   *     this. 0 if nothing was forgotten.
   */
  record FoundInStreams(long forgottenBefore, List<Occurrences> found) implements LogUnitReply {
    public FoundInStreams {
      found = List.copyOf(found);
    }
  }

  /**
   * Streams of which the unit has entries, or had, or that were trimmed here, with their ends as
   * the unit knows them, in ascending order of their ids.
   *
   * @param tails one or more if there are more
   * @param more whether there may be others behind the last one
   */
  record Streams(List<StreamTail> tails, boolean more) implements LogUnitReply {
    public Streams {
      tails = List.copyOf(tails);
    }
  }

  /**
   * Entries of a stream, in its order.
   *
   * @param trimmedBefore the stream is trimmed below this stream address
   * @param next the stream address to go on from; {@link Long#MAX_VALUE} if there are no more
   * @param entries intact as far as the unit can tell; what it can't read is left out
   */
  record StreamEntries(long trimmedBefore, long next, List<Entry> entries) implements LogUnitReply {
    public StreamEntries {
      entries = List.copyOf(entries);
    }
  }

  /**
   * The follower is known.
   *
   * @param streams how many streams it follows here by now; where that is not what it expects, the
   *     unit had forgotten it, or refused some because it has too many followers or streams
   */
  record Following(int streams) implements LogUnitReply {}

  /**
   * Entries of streams that a follower follows, each told once.
   *
   * @param hasMissed whether others were dropped since the last answer, because the follower did
   *     not fetch them in time
   * @param entries in the order in which they were settled here; may be none
   */
  record Heard(boolean hasMissed, List<Entry> entries) implements LogUnitReply {
    public Heard {
      entries = List.copyOf(entries);
    }
  }

  /**
   * What a unit holds.
   *
   * @param entries addresses with data
   * @param liveBytes what their records measure
   * @param fileBytes what the unit's files measure
   * @param freeBytes what may still be written; 0 while the unit refuses data
   * @param next the address behind the highest one that is not unwritten
   * @param trimmedBefore everything below is trimmed
   * @param mode durable, buffered or memory
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
     * Whether the unit refuses data for lack of space, or has so little left that it refuses larger
     * entries: less than 1 %, and less than 1 MiB.
     */
    public boolean isFull() {
      return freeBytes <= 0 || (freeBytes < 1 << 20 && freePercent() < 1);
    }

    /** How much of its space is left, in percent, from 0 to 100; 0 means less than 1. */
    public int freePercent() {
      double all = (double) fileBytes + freeBytes;
      return all <= 0 ? 0 : (int) (100 * (double) Math.max(0, freeBytes) / all);
    }
  }

  /**
   * What a unit's scrubber has come to, which reads everything that the unit holds again and again.
   *
   * @param rounds how often it has been through, in this life of the disk
   * @param roundAgeMillis how long ago it came to the end of a round; {@link #NEVER} if it has not
   *     since the unit started
   * @param readBytes what it has read since the unit started
   * @param records how many records it has looked at since then
   * @param doneBytes what it has read of the round that is under way
   * @param roundBytes what that round has to read, as far as can be told
   * @param found corrupt records that were found since the unit started, by anybody
   * @param repaired how many of them were replaced from other replicas
   * @param waiting how many of them cannot be read and have not been replaced yet
   * @param detail where the first of those that wait is, for people; empty if none does
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

    /** Instead of the age of what has not been. */
    public static final long NEVER = -1;
  }

  /** What became of one write. */
  sealed interface WriteOutcome {

    /** It holds the entry now. */
    record Written() implements WriteOutcome {
      public static final Written WRITTEN = new Written();
    }

    /** It held another entry, which may be the writer's own, written before. */
    record Overwritten(corfu.protocol.AppendId winner, corfu.protocol.EntryKind kind)
        implements WriteOutcome {}

    /** The address was trimmed. */
    record Trimmed() implements WriteOutcome {
      public static final Trimmed TRIMMED = new Trimmed();
    }

    /** The disk is full; the address is as it was. */
    record NoSpace() implements WriteOutcome {
      public static final NoSpace NO_SPACE = new NoSpace();
    }

    /** The entry's checksum is wrong: it was damaged on its way. The address is as it was. */
    record Damaged() implements WriteOutcome {
      public static final Damaged DAMAGED = new Damaged();
    }

    /**
     * The address is taken, and by whom cannot be read any more. Behind the first register of an
     * entry it can only be that entry.
     */
    record Corrupt() implements WriteOutcome {
      public static final Corrupt CORRUPT = new Corrupt();
    }
  }

  /** What an address holds. */
  sealed interface ReadOutcome {

    /** The entry, if there is one that can be read. */
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
     * An entry that this unit holds and that is not known to be in all of its streams' replicas:
     * who reads it carries it on first. Only where streams have replicas of their own.
     */
    record Unconfirmed(Entry entry) implements ReadOutcome {
      @Override
      public Optional<Entry> held() {
        return Optional.of(entry);
      }
    }

    /** Nothing yet. */
    record Unwritten() implements ReadOutcome {
      public static final Unwritten UNWRITTEN = new Unwritten();
    }

    /** Nothing any more. */
    record Trimmed() implements ReadOutcome {
      public static final Trimmed TRIMMED = new Trimmed();
    }

    /** An entry that this unit can no longer read; another replica may have it. */
    record Corrupt(String detail) implements ReadOutcome {}
  }

  /** What an address holds, without its entry. The code is its number on the wire. */
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
     * The state of this code.
     *
     * @throws IllegalArgumentException if there is none
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
