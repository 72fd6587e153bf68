package corfu.protocol.message;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamId;
import corfu.protocol.TokenSeal;
import corfu.protocol.layout.Layout;
import corfu.protocol.stream.StreamQuery;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** The requests to a log unit (docs/design.md, section 2). */
public sealed interface LogUnitRequest extends Request {

  /**
   * Writes each entry to its address, unless the address is already written. A fill is the write of
   * a hole. Answered by {@link LogUnitReply.Writes} once all accepted entries are as durable as the
   * unit's mode promises.
   *
   * @param entries one or more entries at different addresses
   * @param seals the proofs that the client got the tokens of these addresses, at most {@link
   *     #MOST_SEALS}; none if the sequencer seals no tokens for it. From version 3 of the schema
   *     on; empty to servers of earlier versions
   */
  record Write(Epoch epoch, List<Entry> entries, List<TokenSeal> seals) implements LogUnitRequest {

    /** The largest number of seals in one request. */
    public static final int MOST_SEALS = 16;

    public Write {
      seals = List.copyOf(seals);
      if (seals.size() > MOST_SEALS) {
        throw new IllegalArgumentException(
            "a write with %d seals, where %d are the limit".formatted(seals.size(), MOST_SEALS));
      }
    }

    /** Creates a write without seals. */
    public Write(Epoch epoch, List<Entry> entries) {
      this(epoch, entries, List.of());
    }
  }

  /**
   * Repairs the unit's unreadable records with entries that other replicas hold. Answered by {@link
   * LogUnitReply.Writes}: the outcome is {@code Written} if the unit's record was corrupt or
   * missing; a readable record stays as it is. Only a client that has read the entry from another
   * replica of this layout may send this request: the chain has decided the entry.
   *
   * @param entries one or more entries at different addresses
   */
  record Repair(Epoch epoch, List<Entry> entries) implements LogUnitRequest {}

  /**
   * Reads these addresses. Answered by {@link LogUnitReply.Reads}, which may stop early. It answers
   * at least one address, and more as long as the entries have at most {@code maxBytes}.
   */
  record Read(Epoch epoch, AddressSet addresses, int maxBytes) implements LogUnitRequest {}

  /**
   * Reads parts of entries. Answered by {@link LogUnitReply.FoundBlocks}, which may stop early. It
   * answers at least one range, and more as long as the answers have at most {@code maxBytes}. From
   * version 2 of the schema on.
   *
   * @param ranges one or more parts, not necessarily of different entries
   */
  record ReadBlocks(Epoch epoch, List<PayloadRange> ranges, int maxBytes)
      implements LogUnitRequest {
    public ReadBlocks {
      ranges = List.copyOf(ranges);
    }
  }

  /** Trims these addresses for ever, unwritten ones included. */
  record Trim(Epoch epoch, AddressSet addresses) implements LogUnitRequest {}

  /** Trims all addresses below this one for ever. */
  record PrefixTrim(Epoch epoch, long before) implements LogUnitRequest {}

  /**
   * Asks for the states of these addresses. Answered by {@link LogUnitReply.States}; the unit reads
   * no entry.
   */
  record Inspect(Epoch epoch, AddressSet addresses) implements LogUnitRequest {}

  /** Asks for the unit's tail. Answered by {@link LogUnitReply.Tail}. */
  record AskTail(Epoch epoch) implements LogUnitRequest {}

  /**
   * Reads all records among the addresses {@code from}, {@code from + stride} and so on below
   * {@code to}. A replacement fetches its missing entries in this way. Answered by {@link
   * LogUnitReply.Copied}.
   *
   * @param stride the distance between two addresses, 1 or more
   */
  record CopyRange(Epoch epoch, long from, long to, long stride, int maxBytes)
      implements LogUnitRequest {}

  /**
   * Asks which entries of these streams the unit holds. Answered by {@link
   * LogUnitReply.FoundInStreams} from the unit's index; the unit reads no entry.
   *
   * @param queries one or more queries
   * @param most the wanted number of entries for each query, 1 or more; the newest ones
   */
  record FindInStreams(Epoch epoch, List<StreamQuery> queries, int most) implements LogUnitRequest {

    public FindInStreams {
      queries = List.copyOf(queries);
    }
  }

  /**
   * Lists the streams with entries on this unit. Answered by {@link LogUnitReply.Streams} with as
   * many streams as fit. To list all, a client continues behind the last stream while there are
   * more.
   *
   * @param part one of the streams' {@linkplain StreamId#part parts}
   * @param after the id below the first listed stream; {@link StreamId#NONE} to start
   */
  record ListStreams(Epoch epoch, int part, StreamId after) implements LogUnitRequest {

    public ListStreams {
      Objects.checkIndex(part, StreamId.PARTS);
    }
  }

  /**
   * Trims a stream for ever below a stream address. The unit forgets the stream's entries there,
   * and trims the addresses of those that no other stream needs. Answered by {@link Reply.Done}.
   *
   * @param before the stream address below which the stream is trimmed
   */
  record TrimStream(Epoch epoch, StreamId stream, long before) implements LogUnitRequest {}

  /**
   * Reads a stream's entries in stream order, as far as they are within these log addresses. Only
   * for stream replicas, which hold all of them. Answered by {@link LogUnitReply.StreamEntries}.
   *
   * @param from the first stream address
   * @param logFrom the lowest log address of a wanted entry
   * @param logBelow the log address from which on no entry is wanted
   * @param maxBytes the largest total size of the entries; one is returned in any case
   */
  record ReadStream(
      Epoch epoch, StreamId stream, long from, long logFrom, long logBelow, int maxBytes)
      implements LogUnitRequest {}

  /**
   * Tells the unit that the entries at these addresses are on all their replicas: a reader here
   * need not carry them on. A hint only, which the unit forgets at a restart. Answered by {@link
   * Reply.Done}.
   */
  record Complete(Epoch epoch, AddressSet addresses) implements LogUnitRequest {}

  /**
   * Asks for new entries of some streams in this epoch, which the unit reports when the follower
   * {@linkplain Listen listens}. Answered by {@link LogUnitReply.Following}. The unit forgets its
   * followers when the epoch ends, and a follower from which it has not heard for {@link
   * Listen#PATIENCE}.
   *
   * @param follower a number that the follower has drawn
   * @param add the streams to follow in addition
   * @param remove the streams to follow no longer
   */
  record Follow(Epoch epoch, long follower, List<StreamId> add, List<StreamId> remove)
      implements LogUnitRequest {

    public Follow {
      add = List.copyOf(add);
      remove = List.copyOf(remove);
    }
  }

  /**
   * Asks which entries of the followed streams have arrived. Answered by {@link LogUnitReply.Heard}
   * with the entries since the follower's last request.
   *
   * <p>If there are none, the unit replies at the first new entry or at the follower's next
   * request. The follower therefore asks again before its patience ends. If the unit's epoch ends,
   * the answer is {@link Failure.Sealed}.
   *
   * @param follower a follower that {@link Follow follows} streams; for any other the answer is
   *     {@link Failure.NotServing}
   * @param maxBytes the largest total size of the entries; one is returned in any case
   */
  record Listen(Epoch epoch, long follower, int maxBytes) implements LogUnitRequest {

    /** The time for which a unit remembers a silent follower. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);
  }

  /**
   * Finishes running requests, then refuses all epochs up to and including {@code epoch}. Answered
   * by {@link LogUnitReply.SealedAt} once the seal is durable. Answered by {@link Failure.Sealed}
   * if a later epoch's layout is installed, because the unit's content no longer gives that epoch's
   * tail.
   */
  record Seal(Epoch epoch, Extent extent) implements LogUnitRequest {

    /** The requests that a sealed unit refuses. */
    public enum Extent {
      EVERYTHING,

      /**
       * All requests except a {@link Read} or {@link ReadBlocks} whose outcomes are all entries.
       * For a unit that holds the same addresses in the next layout. Entries that it has shown
       * cannot change before it learns that layout: a client that would trim them must ask this
       * unit.
       */
      ALL_BUT_READS
    }

    /** Creates a seal that refuses all requests. */
    public Seal(Epoch epoch) {
      this(epoch, Extent.EVERYTHING);
    }
  }

  /**
   * Erases the unit, which becomes a unit with another incarnation on which nobody relies yet. Only
   * for a unit on which the installed layout does not rely; that layout must have this epoch and
   * not be sealed. Answered by {@link LogUnitReply.Blank}; a blank unit stays as it is.
   */
  record Reset(Epoch epoch) implements LogUnitRequest {}

  /**
   * Tells the unit that this layout has been decided. The unit serves its epoch from now on if the
   * layout is newer than its own and relies on it. Answered by {@link Reply.Done}.
   */
  record Install(Layout layout) implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return layout.epoch();
    }
  }

  /**
   * Asks the unit to compress its log files below this address, in its own time. Readers notice
   * nothing. The unit compresses whole files, of which at least half lies below the address. It
   * keeps the highest address that any client has asked for, also across restarts. Answered at once
   * by {@link LogUnitReply.Compressed}. From version 2 of the schema on.
   *
   * @param before the address below which the log should be compressed, 0 or more
   */
  record Compress(long before) implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /**
   * Asks for the progress of the compression. Answered by {@link LogUnitReply.Compressed}. From
   * version 2 of the schema on.
   */
  record AskCompression() implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /** Asks for the scrubber's progress. Answered by {@link LogUnitReply.Scrubbed}. */
  record AskScrub() implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /** Asks how full the unit is. Answered by {@link LogUnitReply.Usage}. */
  record AskUsage() implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }
}
