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
 * Finds a stream's entries from its end back to what is known already (dissertation, section 4.1):
 * each entry leads to the K before it, so that a stream of N entries takes N / K round trips. What
 * leads to holes is stepped over by the other backpointers; where all of them do, the log units'
 * indexes tell where the stream goes on, instead of a scan. For one thread.
 *
 * <p>Whatever a backpointer leads to is decided before it is passed, so that no entry appears later
 * in front of one that has been found.
 */
final class BackpointerWalk {

  /** How many entries the units are asked for where all backpointers end. */
  private static final int LOOKED_UP = 64;

  /** So many entries are worth asking the units for, instead of walking over them. */
  private static final int WORTH_A_LEAP = 32;

  /** How many entries the units are asked for at once, to pass over those without gaps. */
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
  private long leapBelow = Long.MAX_VALUE; // in the stream: above it the last one led nowhere

  /**
   * @param knownBefore log addresses below this are not looked at: the stream's entries there are
   *     known
   * @param wantedFrom stream addresses below this are not wanted
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
   * The log addresses of all entries of the stream that are before {@code end} and not known, in
   * ascending order.
   *
   * @param epochBegan what is not written below this log address never will be
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

  /** The stream address behind the newest entry found; 0 if none was. */
  long behindNewest() {
    return behindNewest;
  }

  /**
   * Everything that was passed is decided below this log address. Not so what the end of an older
   * epoch leads to, if the log does not reach there any more: it may be issued once again.
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
      seen.tailSet(next.last(), true).clear(); // nothing that is yet to be read leads there
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
   * Where there is far to go, the units' indexes tell what is before the lowest entry found, as far
   * as stream addresses follow each other without a gap: nobody can have written, or will write,
   * anything in between. They are found without having been read, all but the last, from which it
   * goes on. One that its head has lost before it was complete may turn out to be a hole.
   *
   * <p>Never from the end itself: the newest entry is to be read, as it tells where the stream
   * ends. An end of an older epoch would be followed without a gap by the same places of a newer
   * one.
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

  /** Whether nothing is between the lowest entry found and what is known. */
  private boolean isLinked() {
    Backpointers last = lowest.previous();
    return last.isEmpty() || last.at(0) < knownBefore || lowest.streamAddress() <= wantedFrom;
  }

  /**
   * All ways lead to holes. The units know which entries are before those; but of a token that
   * nobody has used yet they do not know whose it is. So where one is missing all of them are
   * decided first.
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
   * Offers those that follow each other without a gap. In a gap further down there may be more
   * tokens that nobody has used yet than the entry above it has backpointers; so the walk gets to
   * that entry first, and looks from there.
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
