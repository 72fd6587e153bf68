package corfu.protocol.message;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.stream.StreamQuery;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** What a log unit may be asked (docs/design.md, section 2). */
public sealed interface LogUnitRequest extends Request {

  /**
   * Write each entry to its address, unless something is there; a fill is the write of a hole.
   * Answered by {@link LogUnitReply.Writes} once everything accepted is as durable as the unit's
   * mode says.
   *
   * @param entries one or more, at different addresses
   */
  record Write(Epoch epoch, List<Entry> entries) implements LogUnitRequest {}

  /**
   * Hold these entries, which other replicas hold at their addresses, where your own record of them
   * cannot be read. Answered by {@link LogUnitReply.Writes}: an entry is {@code Written} where the
   * unit's record was corrupt, or missing; one that can be read stays as it is. Nobody but who has
   * read an entry from another replica of this layout may ask for this: the chain has decided it.
   *
   * @param entries one or more, at different addresses
   */
  record Repair(Epoch epoch, List<Entry> entries) implements LogUnitRequest {}

  /**
   * Read these addresses. Answered by {@link LogUnitReply.Reads}, which may stop early: at least
   * one address is answered, and more as long as the entries measure no more than {@code maxBytes}.
   */
  record Read(Epoch epoch, AddressSet addresses, int maxBytes) implements LogUnitRequest {}

  /** Forget what these addresses hold, for ever. Unwritten ones become trimmed, too. */
  record Trim(Epoch epoch, AddressSet addresses) implements LogUnitRequest {}

  /** Forget everything below this address, for ever. */
  record PrefixTrim(Epoch epoch, long before) implements LogUnitRequest {}

  /** What do these addresses hold? Answered by {@link LogUnitReply.States}; no entry is read. */
  record Inspect(Epoch epoch, AddressSet addresses) implements LogUnitRequest {}

  /** Where does what you hold end? Answered by {@link LogUnitReply.Tail}. */
  record AskTail(Epoch epoch) implements LogUnitRequest {}

  /**
   * Read whatever is not unwritten among the addresses {@code from}, {@code from + stride} and so
   * on, below {@code to}. Answered by {@link LogUnitReply.Copied}. It is how a replacement fetches
   * what it misses.
   *
   * @param stride 1 or more
   */
  record CopyRange(Epoch epoch, long from, long to, long stride, int maxBytes)
      implements LogUnitRequest {}

  /**
   * Which entries of these streams do you hold? Answered by {@link LogUnitReply.FoundInStreams}
   * from the unit's index; no entry is read.
   *
   * @param queries 1 or more
   * @param most how many entries are wanted for each, 1 or more; the newest ones
   */
  record FindInStreams(Epoch epoch, List<StreamQuery> queries, int most) implements LogUnitRequest {

    public FindInStreams {
      queries = List.copyOf(queries);
    }
  }

  /**
   * Which streams have entries here? Answered by {@link LogUnitReply.Streams} with as many as fit;
   * who wants all goes on behind the last one while there are more.
   *
   * @param part of the streams' {@linkplain StreamId#part parts}
   * @param after only streams with higher ids; {@link StreamId#NONE} for the first ones
   */
  record ListStreams(Epoch epoch, int part, StreamId after) implements LogUnitRequest {

    public ListStreams {
      Objects.checkIndex(part, StreamId.PARTS);
    }
  }

  /**
   * The stream is not needed below this place any more, for ever: forget its entries there, and
   * trim the addresses of those that no other stream needs. Answered by {@link Reply.Done}.
   *
   * @param before a stream address
   */
  record TrimStream(Epoch epoch, StreamId stream, long before) implements LogUnitRequest {}

  /**
   * Read the stream's entries in its order, from this place on, as far as they are at these log
   * addresses. For stream replicas, which hold all of them. Answered by {@link
   * LogUnitReply.StreamEntries}.
   *
   * @param from a stream address
   * @param logFrom no entry below this log address is wanted
   * @param logBelow no entry from this log address on is wanted
   * @param maxBytes how much the entries may measure; one is answered in any case
   */
  record ReadStream(
      Epoch epoch, StreamId stream, long from, long logFrom, long logBelow, int maxBytes)
      implements LogUnitRequest {}

  /**
   * All that shall have the entries at these addresses have them: who reads one here need not carry
   * it on. Told in passing, and forgotten when the unit restarts. Answered by {@link Reply.Done}.
   */
  record Complete(Epoch epoch, AddressSet addresses) implements LogUnitRequest {}

  /**
   * Tell this follower of new entries of some streams, in this epoch, when it {@linkplain Listen
   * listens}. Answered by {@link LogUnitReply.Following}. An epoch that ends forgets its followers,
   * and so does a unit that has not heard of one for {@link Listen#PATIENCE}.
   *
   * @param follower whoever it is: a number that it has drawn
   * @param add streams to follow, too
   * @param remove streams to follow no longer
   */
  record Follow(Epoch epoch, long follower, List<StreamId> add, List<StreamId> remove)
      implements LogUnitRequest {

    public Follow {
      add = List.copyOf(add);
      remove = List.copyOf(remove);
    }
  }

  /**
   * Which entries of the followed streams have come? Answered by {@link LogUnitReply.Heard} with
   * what has gathered since the follower asked before; where that is nothing, as soon as there is
   * something, or when it asks once more: so it does that before its patience is at an end. The
   * unit's epoch ending is answered by {@link Failure.Sealed}.
   *
   * @param follower who has asked to {@link Follow} streams, or else the answer is {@link
   *     Failure.NotServing}
   * @param maxBytes how much the entries may measure; one is answered in any case
   */
  record Listen(Epoch epoch, long follower, int maxBytes) implements LogUnitRequest {

    /** How long a unit keeps a follower that says nothing. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);
  }

  /**
   * Finish what runs, then refuse every epoch up to and including {@code epoch}. Answered by {@link
   * LogUnitReply.SealedAt} once that is durable, or by {@link Failure.Sealed} where a later epoch's
   * layout is installed: what the unit holds by now is not that epoch's tail.
   */
  record Seal(Epoch epoch, Extent extent) implements LogUnitRequest {

    /** What is refused. */
    public enum Extent {
      EVERYTHING,

      /**
       * All but a {@link Read} whose outcomes are entries, each of them: for a unit that holds in
       * the next layout what it holds now. What it has shown cannot change before it has learnt
       * that layout, for whoever would trim it must ask this unit.
       */
      ALL_BUT_READS
    }

    /** Refuses everything. */
    public Seal(Epoch epoch) {
      this(epoch, Extent.EVERYTHING);
    }
  }

  /**
   * Forget everything, and become a unit with another incarnation, which nobody relies on yet. Only
   * for a unit that the installed layout, which must be of this epoch and not sealed, does not rely
   * on. Answered by {@link LogUnitReply.Blank}; a unit that is blank already stays as it is.
   */
  record Reset(Epoch epoch) implements LogUnitRequest {}

  /**
   * This layout has been decided: from now on serve its epoch, if it is newer than yours and relies
   * on you. Answered by {@link Reply.Done}.
   */
  record Install(Layout layout) implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return layout.epoch();
    }
  }

  /** What has your scrubber found? Answered by {@link LogUnitReply.Scrubbed}. */
  record AskScrub() implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }

  /** How full are you? Answered by {@link LogUnitReply.Usage}. */
  record AskUsage() implements LogUnitRequest {
    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }
  }
}
