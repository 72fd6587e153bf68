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
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds a stream's entries from its end back to the known ones (dissertation, section 4.1). Each
 * entry leads to the K entries before it, so a stream of N entries needs N / K round trips. If a
 * backpointer leads to a hole, the walk uses the others. If all lead to holes, the log units'
 * indexes tell where the stream continues, instead of a scan. For one thread.
 *
 * <p>Every address that a backpointer names is decided before the walk passes it. So no entry
 * appears later in front of one that has been found.
 */
final class BackpointerWalk {

  /** The number of entries to ask the units for where all backpointers end. */
  private static final int LOOKED_UP = 64;

  /** The number of entries for which the units are asked, instead of a walk over them. */
  private static final int WORTH_A_LEAP = 32;

  /** The number of entries to ask the units for in one leap over entries without gaps. */
  private static final int LEAP = 1 << 13;

  private final StreamAccess access;
  private final EntryCache cache;
  private final StreamId stream;
  private final long knownBefore;
  private final long wantedFrom;
  private final Addresses found = new Addresses();

  private final TreeSet<Long> next = new TreeSet<>();
  private final TreeSet<Long> seen = new TreeSet<>();
  private long lowestSeen = Long.MAX_VALUE;
  private StreamPosition lowest; // of the lowest entry found so far, or the end
  private long lowestAddress = Long.MAX_VALUE;
  private long began;
  private long behindNewest;
  private long undecided = Long.MAX_VALUE; // the lowest address read that held nothing yet
  private long leapBelow = Long.MAX_VALUE; // stream address: no further leap from there on up

  /**
   * @param knownBefore the log address below which the stream's entries are known, so that none is
   *     read
   * @param wantedFrom the lowest wanted stream address
   */
  BackpointerWalk(
      StreamAccess access, EntryCache cache, StreamId stream, long knownBefore, long wantedFrom) {
    this.access = access;
    this.cache = cache;
    this.stream = stream;
    this.knownBefore = knownBefore;
    this.wantedFrom = wantedFrom;
    this.lowest = StreamPosition.START;
  }

  /**
   * Returns the log addresses of all entries of the stream that are before {@code end} and not
   * known, in ascending order.
   *
   * @param epochBegan the log address below which an unwritten address will never be written
   */
  Addresses from(StreamPosition end, Address epochBegan) {
    lowest = end;
    began = epochBegan.value();
    offer(end.previous());
    do {
      while (!next.isEmpty()) {
        readRound();
        leap();
      }
    } while (!isLinked() && findWayOn());
    return found.ascending();
  }

  /** Returns the stream address behind the newest entry found, or 0 if none was found. */
  long behindNewest() {
    return behindNewest;
  }

  /**
   * Returns the log address below which every passed address is decided. The end of an older epoch
   * may lead to addresses at or behind the log's tail. Those are not decided: they may be issued
   * once again.
   */
  long decidedBelow() {
    return undecided;
  }

  private void offer(Backpointers pointers) {
    for (int i = 0; i < pointers.count(); i++) {
      offer(pointers.at(i));
    }
  }

  private void offer(long address) {
    if (address >= knownBefore && !seen.contains(address)) {
      next.add(address);
    }
  }

  private void readRound() {
    List<Long> round = new ArrayList<>(next.descendingSet());
    next.clear();
    seen.addAll(round);
    lowestSeen = Math.min(lowestSeen, round.getLast());
    for (LogEntry entry : cache.read(round)) {
      Headers.of(entry, stream).ifPresent(header -> take(entry.address().value(), header));
      if (entry instanceof LogEntry.Unwritten) {
        undecided = Math.min(undecided, entry.address().value());
      }
    }
    if (!next.isEmpty()) {
      seen.tailSet(next.last(), true).clear(); // no unread entry leads there
    }
  }

  private void take(long address, StreamHeader header) {
    if (header.streamAddress() >= wantedFrom) {
      found.add(address);
      behindNewest = Math.max(behindNewest, header.streamAddress() + 1);
    }
    if (header.streamAddress() > wantedFrom) {
      offer(header.previous());
    }
    if (address < lowestAddress) {
      lowestAddress = address;
      lowest = new StreamPosition(header.streamAddress(), header.previous());
    }
  }

  /**
   * Leaps over many entries with the units' indexes. The indexes tell the entries before the lowest
   * one found, as far as stream addresses follow each other without a gap. No writer has written,
   * or will write, anything in between. These entries are found without a read, except the last
   * one, from which the walk continues. An entry that its head lost before it was complete may turn
   * out to be a hole.
   *
   * <p>No leap starts from the end itself. The newest entry must be read, because it tells where
   * the stream ends. Otherwise the same places of a newer epoch could follow the end of an older
   * epoch without a gap.
   */
  private void leap() {
    long place = lowest.streamAddress();
    if (lowestAddress == Long.MAX_VALUE
        || place >= leapBelow
        || place - wantedFrom < WORTH_A_LEAP
        || isLinked()) {
      return;
    }
    leapBelow = place - WORTH_A_LEAP;
    var query = StreamQuery.below(stream, lowestAddress);
    long last = -1;
    for (Occurrence before : access.find(List.of(query), LEAP).getFirst().newestFirst()) {
      if (before.streamAddress() != place - 1
          || before.streamAddress() < wantedFrom
          || before.address() < knownBefore) {
        break;
      }
      if (last >= 0) {
        found.add(last);
      }
      last = before.address();
      place--;
    }
    if (last >= 0) {
      next.clear();
      lowestSeen = Math.min(lowestSeen, last + 1);
      next.add(last);
    }
  }

  /** Returns whether no entry is between the lowest entry found and the known ones. */
  private boolean isLinked() {
    Backpointers last = lowest.previous();
    return last.isEmpty() || last.at(0) < knownBefore || lowest.streamAddress() <= wantedFrom;
  }

  /**
   * Looks up the next entries, because all backpointers lead to holes. The units know the entries
   * before those holes, but not the stream of an unused token. So if an entry is missing, all of
   * these addresses are decided first.
   *
   * @return whether there are entries that are not known
   */
  private boolean findWayOn() {
    List<Occurrence> before = lookUp();
    long passed = lowest.previous().count();
    long newest = before.isEmpty() ? -1 : before.getFirst().streamAddress();
    boolean isGap = newest + 1 < lowest.streamAddress() - passed;
    long from = Math.max(before.isEmpty() ? 0 : before.getFirst().address() + 1, began);
    if (isGap && from < lowestSeen) {
      access.settle(new Address(Math.max(from, knownBefore)), new Address(lowestSeen));
      before = lookUp();
    }
    offerRun(before);
    return !next.isEmpty();
  }

  /**
   * Offers entries that follow each other without a gap. A gap further down may contain more unused
   * tokens than the entry above it has backpointers. So the walk first reaches that entry, and
   * looks up the next ones from there.
   */
  private void offerRun(List<Occurrence> newestFirst) {
    long place = newestFirst.isEmpty() ? 0 : newestFirst.getFirst().streamAddress();
    for (Occurrence occurrence : newestFirst) {
      if (occurrence.streamAddress() != place) {
        return;
      }
      offer(occurrence.address());
      place--;
    }
  }

  private List<Occurrence> lookUp() {
    var query = StreamQuery.below(stream, Math.min(lowestSeen, lowestAddress));
    return access.find(List.of(query), LOOKED_UP).getFirst().newestFirst();
  }
}
