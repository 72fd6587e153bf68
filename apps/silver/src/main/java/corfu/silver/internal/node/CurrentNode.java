package corfu.silver.internal.node;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.AsOf;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.silver.NodeId;
import corfu.silver.VersionForgottenException;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.inode.InodeChange;
import corfu.silver.internal.inode.NodeState;
import corfu.silver.internal.record.SilverCodec;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The newest known state of a node. Thread-safe. */
final class CurrentNode {

  private final NodeId id;
  private final LogStream stream;
  private final Beginnings beginnings;

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable StreamReader reader;
  private StreamAddress next = StreamAddress.ZERO; // the place of the next entry to apply
  private long lastChange = -1; // the log address of the last applied entry
  private volatile @Nullable Played played;
  private long requiredFrom; // an older state lacks an entry of this client
  private int readSince; // the number of read entries that no checkpoint includes

  /** The states from which a node goes on, and the ones from which others should. */
  interface Beginnings {

    /** Returns the state of the last checkpoint, or else that before the first entry. */
    NodeState first(StreamEnds ends);

    /** Returns the state of the last checkpoint whose next entry is at this place or behind it. */
    Optional<NodeState> checkpoint(long place);

    /** Receives a state that took many entries; a checkpoint may be worthwhile. */
    boolean isLong(NodeState state, int entries);
  }

  /**
   * @param beginnings the states from which to go on
   * @param requiredFrom the log address below which this client may have changed the node
   */
  CurrentNode(NodeId id, LogStream stream, Beginnings beginnings, long requiredFrom) {
    this.id = id;
    this.stream = stream;
    this.beginnings = beginnings;
    this.requiredFrom = requiredFrom;
  }

  /** Returns the state as it was last played, if it has been. */
  Optional<Played> known() {
    return Optional.ofNullable(played);
  }

  /**
   * Returns the state at a version, if the newest one is that.
   *
   * @param ends the ends of now, when the version is decided. Older ends are not enough: a later
   *     epoch may have appended below an address that an earlier one told as the tail.
   */
  Optional<NodeState> at(long version, StreamEnds ends) {
    lock.lock();
    try {
      Played newest = play(ends);
      return lastChange < version
          ? Optional.of(new NodeState(newest.inode(), lastChange + 1, next.value()))
          : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the state if it includes all entries below an address, and all of this client. */
  Optional<Played> knownSince(long address) {
    lock.lock();
    try {
      @Nullable Played newest = played;
      return newest != null && newest.snapshot() >= Math.max(address, requiredFrom)
          ? Optional.of(newest)
          : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Applies all entries up to these ends. */
  Played play(StreamEnds ends) {
    lock.lock();
    try {
      @Nullable Played before = played;
      if (before != null && isAsNewAs(before, ends)) {
        return before;
      }
      NodeState state =
          before == null
              ? beginnings.first(ends)
              : new NodeState(before.inode(), lastChange + 1, next.value());
      Played after = playUpTo(ends, state);
      played = after;
      NodeState now = new NodeState(after.inode(), lastChange + 1, next.value());
      if (beginnings.isLong(now, readSince)) {
        readSince = 0;
      }
      return after;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes note of an entry that this client has appended. If it is the next one, the node needs not
   * read it. If not, older states do not count any more.
   *
   * @param entry where it is
   * @param payload the entry
   */
  void adopt(StreamAppend.Appended entry, ByteBuffer payload) {
    lock.lock();
    try {
      StreamAddress place = entry.in(id.stream());
      long behind = entry.address().value() + 1;
      requiredFrom = Math.max(requiredFrom, behind);
      if (place.equals(next) && passOver(place, entry.address())) {
        Optional<Inode> state = known().flatMap(Played::inode);
        SilverCodec.Decoded decoded = SilverCodec.decode(entry.address(), payload);
        Optional<Inode> after = InodeChange.apply(id.stream(), state, entry.address(), decoded);
        next = new StreamAddress(place.value() + 1);
        lastChange = entry.address().value();
        played = new Played(after, behind, new AsOf(entry.epoch(), behind));
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Without a reader there is nothing to move: the next one begins behind the state. Before a node
   * was played, only the first entry of a new one is known to be the first.
   */
  private boolean passOver(StreamAddress place, Address address) {
    if (reader != null) {
      return reader.passOver(place, address);
    }
    return played != null || (place.equals(StreamAddress.ZERO) && id.hops().isEmpty());
  }

  /** A later epoch may tell a lower tail, and have other entries below the earlier one. */
  private static boolean isAsNewAs(Played state, StreamEnds ends) {
    int byEpoch = state.asOf().epoch().compareTo(ends.epoch());
    return byEpoch > 0 || (byEpoch == 0 && state.snapshot() >= ends.tail().value());
  }

  private Played playUpTo(StreamEnds ends, NodeState before) {
    NodeState state = before;
    StreamReader from = reader == null ? readerBehind(state) : reader;
    reader = null; // a failure leaves it behind entries that were not applied
    from.sync(ends);
    StreamRead read = from.readNext();
    while (!(read instanceof StreamRead.Absent)) {
      switch (read) {
        case StreamRead.Entry entry -> {
          state = NodeEntries.apply(id, state, entry);
          readSince++;
        }
        case StreamRead.Trimmed(StreamAddress end) -> {
          state = behindTrimmed(end, ends);
          from = readerBehind(state);
          from.sync(ends);
          readSince = 0;
        }
        case StreamRead.Absent end -> throw new IllegalStateException("is handled above");
      }
      read = from.readNext();
    }
    reader = from;
    next = new StreamAddress(state.place());
    lastChange = state.before() - 1;
    return new Played(
        state.inode(), ends.tail().value(), new AsOf(ends.epoch(), ends.began().value()));
  }

  private StreamReader readerBehind(NodeState state) {
    return stream.reader(new StreamAddress(state.place()));
  }

  /** The entries were trimmed after a checkpoint had been written that includes them. */
  private NodeState behindTrimmed(StreamAddress end, StreamEnds ends) {
    return beginnings
        .checkpoint(end.value())
        .orElseThrow(
            () -> new VersionForgottenException(id, ends.tail(), "the stream before place " + end));
  }
}
