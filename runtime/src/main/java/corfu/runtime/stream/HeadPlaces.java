package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.StreamAccess;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the entries of a stream up to an end, without reading them. The end's backpointers lead to
 * the newest ones. Of the others, the log units' indexes know place and address. An in-flight
 * append is in no index, and shows as a gap in the places; it is decided before it is passed. For
 * one thread.
 */
final class HeadPlaces {

  /** The number of entries that are looked up together. */
  private static final int PIECE = 1024;

  private final StreamAccess access;
  private final StreamId stream;
  private final long knownBefore;
  private final long wantedFrom;

  /** The entries found, in the order of the stream. Some may be holes. */
  final Addresses addresses = new Addresses();

  /** The entries' places in the stream. */
  final Addresses places = new Addresses();

  /** The place below which the stream is trimmed, as far as it was looked up. */
  long trimmedBefore;

  /**
   * @param knownBefore the log address below which the stream's entries are known
   * @param wantedFrom the lowest wanted place
   */
  HeadPlaces(StreamAccess access, StreamId stream, long knownBefore, long wantedFrom) {
    this.access = access;
    this.stream = stream;
    this.knownBefore = knownBefore;
    this.wantedFrom = wantedFrom;
  }

  /**
   * Takes the tokens to which the end leads, if they are all that is new. All of them must be of
   * the end's epoch: its tokens have consecutive places. Their entries must be read in that epoch,
   * too, because the next epoch may issue an unused token to another stream.
   *
   * @return whether they are all that is new; if not, nothing has happened
   */
  boolean takeTokens(StreamPosition end, Address began) {
    Backpointers last = end.previous();
    int fresh = 0;
    while (fresh < last.count() && last.at(fresh) >= knownBefore) {
      fresh++;
    }
    boolean areAll = fresh < last.count() || fresh == end.streamAddress();
    if (fresh == 0 || !areAll || last.at(fresh - 1) < began.value()) {
      return false;
    }
    for (int i = fresh - 1; i >= 0; i--) {
      addresses.add(last.at(i));
      places.add(end.streamAddress() - 1 - i);
    }
    return true;
  }

  /** Looks the entries up in the log units' indexes. */
  void lookUp(StreamEnds ends) {
    StreamPosition end = ends.of(stream);
    List<Occurrence> found = find(ends.tail());
    if (settleGaps(found, end, ends.began().value())) {
      found = find(ends.tail());
    }
    for (Occurrence occurrence : found.reversed()) {
      if (occurrence.streamAddress() >= trimmedBefore) {
        addresses.add(occurrence.address());
        places.add(occurrence.streamAddress());
      }
    }
  }

  /** Returns the wanted entries below the tail, the newest first. */
  private List<Occurrence> find(Address tail) {
    List<Occurrence> all = new ArrayList<>();
    long below = tail.value();
    while (true) {
      var query = StreamQuery.below(stream, below);
      StreamAccess.Found found = access.find(List.of(query), PIECE).getFirst();
      trimmedBefore = Math.max(trimmedBefore, found.trimmedBefore().value());
      for (Occurrence occurrence : found.newestFirst()) {
        if (occurrence.address() < knownBefore || occurrence.streamAddress() < wantedFrom) {
          return all;
        }
        all.add(occurrence);
        below = occurrence.address();
      }
      if (found.newestFirst().size() < PIECE) {
        return all;
      }
    }
  }

  /**
   * Decides the addresses in the gaps between entries, and before the end.
   *
   * @return whether there were any, so that more entries may exist now
   */
  private boolean settleGaps(List<Occurrence> newestFirst, StreamPosition end, long began) {
    boolean hasSettled = false;
    long place = Math.max(wantedFrom, trimmedBefore);
    long from = knownBefore;
    for (Occurrence next : newestFirst.reversed()) {
      if (next.streamAddress() > place) {
        hasSettled |= settle(Math.max(from, began), next.address());
      }
      place = next.streamAddress() + 1;
      from = next.address() + 1;
    }
    hasSettled |= settleEnd(place, from, end, began);
    return hasSettled;
  }

  private boolean settleEnd(long place, long from, StreamPosition end, long began) {
    Backpointers last = end.previous();
    if (place >= end.streamAddress() || last.isEmpty() || last.at(0) < Math.max(from, began)) {
      return false;
    }
    if (end.streamAddress() - place > last.count()) {
      return settle(Math.max(from, began), last.at(0) + 1);
    }
    List<PayloadRange> tokens = new ArrayList<>();
    for (int i = 0; i < last.count() && last.at(i) >= from; i++) {
      tokens.add(new PayloadRange(last.at(i), 0, 1));
    }
    var decided = access.log().readParts(tokens);
    return !decided.isEmpty();
  }

  private boolean settle(long from, long to) {
    if (from >= to) {
      return false;
    }
    access.settle(new Address(from), new Address(to));
    return true;
  }
}
