package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.CallScope;
import corfu.runtime.StreamAccess;
import java.util.ArrayList;
import java.util.List;

/**
 * The entries of a stream in a range of places, as the log units' indexes know them. An in-flight
 * append is in no index, and shows as a gap in the stream addresses. A gap in front of an existing
 * entry is decided before it is passed. So no entry appears later in front of one that was read.
 * For one thread.
 */
final class StreamRange {

  /** The number of entries that are looked up together. */
  private static final int PIECE = 1024;

  /**
   * The number of places behind the range that are also looked up: the next entry is at one of
   * them.
   */
  private static final int BEHIND = 16;

  private static final long NOWHERE = -1;

  private final StreamAccess access;
  private final StreamId stream;
  private final long from;
  private final long to;

  private Addresses addresses = new Addresses();
  private Addresses streamAddresses = new Addresses();
  private long trimmedBefore;

  /**
   * The log addresses of the stream's last entry before the range, and of the first one behind it;
   * each may be {@link #NOWHERE}.
   */
  private long before = NOWHERE;

  private long behind = NOWHERE;

  /** Finds the entries; some may be trimmed or holes by now. */
  StreamRange(StreamAccess access, StreamId stream, long from, long to) {
    this.access = access;
    this.stream = stream;
    this.from = from;
    this.to = to;
    if (from < to) {
      CallScope call = access.call();
      try {
        find();
      } finally {
        call.end();
      }
    }
  }

  /** Returns the entries' log addresses, the newest first. */
  Addresses addresses() {
    return addresses;
  }

  /** Returns the entries' stream addresses, in the same order. */
  Addresses streamAddresses() {
    return streamAddresses;
  }

  /** Returns the place below which the stream is trimmed. */
  long trimmedBefore() {
    return trimmedBefore;
  }

  private void find() {
    look();
    if (gaps().isEmpty()) {
      return;
    }
    Address began = access.ends(List.of(stream)).began();
    for (Gap gap : gaps()) {
      long first = Math.max(gap.from(), began.value());
      if (first < gap.to()) {
        access.settle(new Address(first), new Address(gap.to()));
      }
    }
    look();
  }

  private void look() {
    addresses = new Addresses();
    streamAddresses = new Addresses();
    before = NOWHERE;
    behind = NOWHERE;
    long most = to - from < PIECE ? to - from + BEHIND + 1 : PIECE;
    long below = to > Long.MAX_VALUE - BEHIND ? Long.MAX_VALUE : to + BEHIND;
    boolean isAllThere = below == Long.MAX_VALUE;
    boolean isMore = true;
    while (isMore) {
      var query = new StreamQuery(stream, Long.MAX_VALUE, below);
      StreamAccess.Found found = access.find(List.of(query), (int) most).getFirst();
      trimmedBefore = Math.max(trimmedBefore, found.trimmedBefore().value());
      isMore = found.newestFirst().size() == most;
      for (Occurrence occurrence : found.newestFirst()) {
        below = occurrence.streamAddress();
        if (below < from) {
          before = occurrence.address();
          isMore = false;
          break;
        }
        take(occurrence);
      }
    }
    if (behind == NOWHERE && !isAllThere && !isFullToItsEnd()) {
      lookBehind();
    }
  }

  private void take(Occurrence occurrence) {
    if (occurrence.streamAddress() < to) {
      addresses.add(occurrence.address());
      streamAddresses.add(occurrence.streamAddress());
    } else {
      behind = occurrence.address();
    }
  }

  private boolean isFullToItsEnd() {
    return trimmedBefore >= to || (streamAddresses.count() > 0 && streamAddresses.at(0) == to - 1);
  }

  /** Finds the stream's newest entry, if it is behind the range. */
  private void lookBehind() {
    var query = StreamQuery.below(stream, Long.MAX_VALUE);
    for (Occurrence newest : access.find(List.of(query), 1).getFirst().newestFirst()) {
      if (newest.streamAddress() >= to) {
        behind = newest.address();
      }
    }
  }

  /** Log addresses between two entries of the stream, where more entries may still appear. */
  private record Gap(long from, long to) {}

  private List<Gap> gaps() {
    List<Gap> gaps = new ArrayList<>();
    long next = Math.max(from, trimmedBefore);
    long last = before;
    for (int i = addresses.count() - 1; i >= 0; i--) {
      if (streamAddresses.at(i) > next) {
        gaps.add(new Gap(last + 1, addresses.at(i)));
      }
      next = streamAddresses.at(i) + 1;
      last = addresses.at(i);
    }
    if (next < to && behind != NOWHERE) {
      gaps.add(new Gap(last + 1, behind));
    }
    return gaps;
  }
}
