package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/**
 * Fetches a stream's entries for a reader, one part of the log after the other. If the stream has
 * replicas of its own, it fetches whole pieces; if not, it uses a {@link BackpointerWalk}. The
 * entries from a replica are checked against their backpointers. A walk finds entries that have not
 * reached the replica yet. For one thread.
 */
final class Playback {

  /** The number of bytes to read ahead, estimated from earlier entries. */
  private static final int AHEAD_BYTES = 1 << 20;

  private static final int MOST_AHEAD = 1024;

  /** While one part of the linked entries is processed, others are read, sent and received. */
  private static final int PARTS_UNDER_WAY = 2;

  /** Addresses that have been read are dropped in pieces of this size. */
  private static final int FORGOTTEN_AT_ONCE = 4096;

  private final StreamAccess access;
  private final EntryCache cache;
  private final StreamId stream;

  private long knownBefore; // all entries of the stream below have been fetched, or linked
  private long readBelow; // by replicas of the stream
  private long decidedBelow = Long.MAX_VALUE; // below this log address every passed one is decided
  private long behindFound; // stream address behind the newest entry fetched, or linked
  private Optional<Goal> goal = Optional.empty();
  private final PiecesAhead pieces;

  private final Addresses linked = new Addresses();
  private int position; // index in linked: the first entry behind the ones ahead
  private final ArrayDeque<CompletableFuture<List<LogEntry>>> reading = new ArrayDeque<>();
  private int asked; // index in linked: the first entry that is not being read
  private final ArrayDeque<LogEntry> ahead = new ArrayDeque<>();
  private long bytesAnEntry = AHEAD_BYTES / 16;

  /** The end up to which a reader wants to read. */
  private record Goal(StreamPosition end, Address began, Address tail) {}

  /**
   * @param knownBefore the log address below which the stream's entries are known, so that none is
   *     read
   */
  Playback(StreamAccess access, EntryCache cache, StreamId stream, long knownBefore) {
    this.knownBefore = knownBefore;
    this.access = access;
    this.cache = cache;
    this.stream = stream;
    this.pieces = new PiecesAhead(access, stream);
  }

  /** Returns the log address below which no entry needs to be looked for. */
  long knownBefore() {
    return knownBefore;
  }

  /** Asks for the first piece of the new entries, up to this log address. */
  StreamAccess.Piece firstPiece(Address tail, long wantedFrom) {
    readBelow = Math.max(readBelow, knownBefore);
    return pieces.first(wantedFrom, new Address(readBelow), tail);
  }

  /** Asks for the first piece of the new entries, and for the stream's end, at the same time. */
  StreamAccess.Beginning begin(long wantedFrom) {
    readBelow = Math.max(readBelow, knownBefore);
    return pieces.begin(wantedFrom, new Address(readBelow));
  }

  /**
   * Continues up to this place.
   *
   * @param piece the {@linkplain #firstPiece first piece} of the new entries
   * @param wantedFrom the lowest wanted stream address
   * @return the place behind the newest entry there
   */
  long goOnTo(
      StreamAccess.Piece piece, StreamPosition end, Address began, Address tail, long wantedFrom) {
    if (!piece.isReplicated() && piece.readBelow().compareTo(tail) >= 0) {
      walk(end, began, wantedFrom);
      return behindFound;
    }
    goal = Optional.of(new Goal(end, began, tail));
    take(piece, wantedFrom);
    return behindFound >= end.streamAddress()
        ? behindFound
        : Math.max(behindFound, behindNewest(end, tail));
  }

  /** Continues up to this place, if all new entries {@linkplain #isAtHand are at hand}. */
  long goOnTo(StreamPosition end, Address began, long wantedFrom) {
    pieces.forget();
    walk(end, began, wantedFrom);
    return behindFound;
  }

  /**
   * Returns whether the end's backpointers lead to all missing entries, and the cache holds these.
   */
  boolean isAtHand(StreamPosition end, long wantedFrom) {
    Backpointers last = end.previous();
    return !hasMore()
        && end.streamAddress() - wantedFrom <= last.count()
        && LongStream.range(0, last.count()).allMatch(i -> cache.has(last.at((int) i)));
  }

  private void walk(StreamPosition end, Address began, long wantedFrom) {
    var walk = new BackpointerWalk(access, cache, stream, knownBefore, wantedFrom);
    Addresses more = walk.from(end, began);
    if (more.count() > 0) {
      linked.addAll(more);
      knownBefore = more.at(more.count() - 1) + 1;
    }
    behindFound = Math.max(behindFound, walk.behindNewest());
    decidedBelow = Math.min(decidedBelow, walk.decidedBelow());
  }

  /**
   * Returns the place behind the newest entry. Nearly always that entry is one of those that the
   * end leads to. An entry that was appended meanwhile, behind the tail up to which the reader
   * goes, does not count.
   */
  private long behindNewest(StreamPosition end, Address tail) {
    Backpointers last = end.previous();
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < last.count(); i++) {
      addresses.add(last.at(i));
    }
    for (LogEntry entry : cache.read(addresses)) {
      Optional<StreamHeader> header = Headers.of(entry, stream);
      if (header.isPresent()) {
        return header.get().streamAddress() + 1;
      }
    }
    return Tail.below(access, cache, stream, tail.value()).value();
  }

  /** Returns whether an entry is ahead. Fetches entries if needed. */
  boolean fetch(long wantedFrom) {
    while (ahead.isEmpty()) {
      if (position < linked.count()) {
        fetchLinked();
      } else if (goal.isPresent()) {
        take(nextPiece(wantedFrom), wantedFrom);
      } else {
        return false;
      }
    }
    return true;
  }

  private StreamAccess.Piece nextPiece(long wantedFrom) {
    Goal to = goal.orElseThrow();
    readBelow = Math.max(readBelow, knownBefore);
    return pieces.next(wantedFrom, to.end().streamAddress(), new Address(readBelow), to.tail());
  }

  /** Returns the log address below which every passed address is decided. */
  long decidedBelow() {
    return decidedBelow;
  }

  /** Returns whether there are found entries that have not been delivered yet. */
  boolean hasMore() {
    return !ahead.isEmpty() || position < linked.count() || goal.isPresent();
  }

  /** Records that all entries below this log address are known. */
  void skipTo(long before) {
    knownBefore = Math.max(knownBefore, before);
  }

  LogEntry first() {
    return ahead.getFirst();
  }

  void removeFirst() {
    ahead.removeFirst();
  }

  private void take(StreamAccess.Piece piece, long wantedFrom) {
    Goal to = goal.orElseThrow();
    if (!piece.isReplicated()) {
      boolean isLast = piece.readBelow().compareTo(to.tail()) >= 0;
      walk(isLast ? to.end() : endBelow(piece.readBelow()), to.began(), wantedFrom);
      goal = isLast ? Optional.empty() : goal;
    } else {
      cache.keepShared(piece.entries());
      for (LogEntry.Data entry : piece.entries()) {
        take(entry, to.began(), wantedFrom);
      }
      if (piece.readBelow().compareTo(to.tail()) >= 0) {
        walk(to.end(), to.began(), wantedFrom);
        goal = Optional.empty();
      }
    }
    readBelow = piece.readBelow().value();
  }

  private void take(LogEntry.Data entry, Address began, long wantedFrom) {
    long address = entry.address().value();
    Optional<StreamHeader> header = Headers.of(entry, stream);
    if (address < knownBefore || header.isEmpty()) {
      return;
    }
    long place = header.get().streamAddress();
    behindFound = Math.max(behindFound, place + 1);
    Backpointers previous = header.get().previous();
    if (place > wantedFrom && !previous.isEmpty() && previous.at(0) >= knownBefore) {
      int from = linked.count();
      var before = new StreamPosition(place, previous);
      walk(before, began, wantedFrom);
      if (linked.count() > from || position < linked.count()) {
        linked.add(address); // behind the ones that were missing
        knownBefore = address + 1;
        return;
      }
    }
    knownBefore = address + 1;
    if (position < linked.count()) {
      linked.add(address);
    } else {
      ahead.add(entry);
    }
  }

  /** Returns where the stream ended below a log address. */
  private StreamPosition endBelow(Address border) {
    var query = StreamQuery.below(stream, border.value());
    List<Occurrence> newest =
        access.find(List.of(query), Backpointers.MOST).getFirst().newestFirst();
    return newest.isEmpty()
        ? StreamPosition.START
        : new StreamPosition(
            newest.getFirst().streamAddress() + 1,
            Backpointers.of(newest.stream().mapToLong(Occurrence::address).toArray()));
  }

  /**
   * Fetches the next linked entries. While the caller processes them, later parts are in flight.
   */
  private void fetchLinked() {
    List<LogEntry> entries = nextLinked();
    ahead.addAll(entries);
    position += entries.size();
    asked = Math.max(asked, position);
    bytesAnEntry = Math.max(1, bytesOf(entries) / entries.size());
    while (asked < linked.count() && reading.size() < PARTS_UNDER_WAY) {
      List<Long> next = linkedFrom(asked);
      reading.add(access.ahead(() -> cache.read(next)));
      asked += next.size();
    }
    if (position >= FORGOTTEN_AT_ONCE) {
      linked.removeFirst(position);
      asked -= position;
      position = 0;
    }
  }

  /**
   * Returns the next part. If one part could not be read, the parts behind it are read again, too.
   */
  private List<LogEntry> nextLinked() {
    if (reading.isEmpty()) {
      return cache.read(linkedFrom(position));
    }
    try {
      return access.await(reading.removeFirst());
    } catch (RuntimeException failure) {
      reading.clear();
      asked = position;
      throw failure;
    }
  }

  private List<Long> linkedFrom(int first) {
    int count = Math.clamp(AHEAD_BYTES / bytesAnEntry, 1, MOST_AHEAD);
    List<Long> addresses = new ArrayList<>(count);
    for (int i = first; i < linked.count() && addresses.size() < count; i++) {
      addresses.add(linked.at(i));
    }
    return addresses;
  }

  private static long bytesOf(List<LogEntry> entries) {
    long bytes = 0;
    for (LogEntry entry : entries) {
      bytes += entry instanceof LogEntry.Data data ? data.payload().remaining() : 0;
    }
    return bytes;
  }
}
