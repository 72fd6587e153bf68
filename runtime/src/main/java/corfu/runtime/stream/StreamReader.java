package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plays a stream in its order (dissertation, section 4.1). {@link #sync} finds the stream's end;
 * {@link #readNext} returns one entry after the other up to it. Every entry that had been appended
 * before a sync began is returned. So a sync and a read to the end show all entries that any client
 * can have learned of.
 *
 * <p>For one thread at a time. Calls end like those of {@link corfu.runtime.Log}; after a failure
 * the same call may be repeated.
 */
public final class StreamReader {

  private final StreamAccess access;
  private final StreamId stream;
  private final Playback playback;

  private long wantedFrom;
  private boolean begun;
  private long end; // behind the newest known entry
  private boolean hasLost; // entries were trimmed before they were read, which is not reported yet
  private boolean hasPassedTrimmed; // trimmed entries of unknown places, perhaps reported already
  private boolean isHalfDone; // the last sync failed on its way
  private long gapLookedAt; // the place behind the last gap that was looked into

  StreamReader(StreamAccess access, EntryCache cache, StreamId stream, StreamAddress from) {
    this(access, cache, stream, from, 0);
  }

  /**
   * @param knownBefore the log address below which all entries of the stream are before {@code
   *     from}
   */
  StreamReader(
      StreamAccess access,
      EntryCache cache,
      StreamId stream,
      StreamAddress from,
      long knownBefore) {
    this.access = access;
    this.stream = stream;
    this.playback = new Playback(access, cache, stream, knownBefore);
    this.wantedFrom = from.value();
    this.end = from.value();
  }

  public StreamId stream() {
    return stream;
  }

  /**
   * Finds the stream's end, and the entries up to it. Waits for writers that are about to write,
   * until the hole timeout at most.
   *
   * @return the place behind the stream's last entry
   */
  public StreamAddress sync() {
    CallScope call = access.call();
    try {
      if (!begun && !isHalfDone) {
        StreamAccess.Beginning beginning = playback.begin(wantedFrom);
        return sync(beginning, beginning.ends().ends().getFirst(), Optional.empty());
      }
      StreamAccess.Ends ends = access.ends(List.of(stream));
      return sync(ends, ends.ends().getFirst());
    } finally {
      call.end();
    }
  }

  /**
   * Syncs to an end that was asked for before; see {@link Streams#ends}.
   *
   * @throws IllegalArgumentException if this stream's end was not asked for
   */
  public StreamAddress sync(StreamEnds ends) {
    var known = new StreamAccess.Beginning(ends.all(), Optional.empty());
    return sync(known, ends.of(stream), ends.trimmedBefore(stream));
  }

  /** Syncs to an end that was asked for before. */
  StreamAddress sync(StreamAccess.Ends ends, StreamPosition itsEnd) {
    return sync(new StreamAccess.Beginning(ends, Optional.empty()), itsEnd, Optional.empty());
  }

  private StreamAddress sync(
      StreamAccess.Beginning known, StreamPosition itsEnd, Optional<StreamAddress> trimmedBefore) {
    CallScope call = access.call();
    try {
      return synced(known, itsEnd, trimmedBefore);
    } finally {
      call.end();
    }
  }

  private StreamAddress synced(
      StreamAccess.Beginning known, StreamPosition itsEnd, Optional<StreamAddress> trimmedBefore) {
    boolean isTrimKnown = begun || trimmedBefore.isPresent();
    if (!begun) {
      trimmedBefore.ifPresent(mark -> skipTo(mark.value()));
    }
    Backpointers last = itsEnd.previous();
    boolean isMore = isHalfDone || (!last.isEmpty() && last.at(0) >= playback.knownBefore());
    if (isMore) {
      isHalfDone = true;
      goOn(known, itsEnd, isTrimKnown);
      isHalfDone = false;
    }
    boolean leadsNowhere = last.isEmpty(); // it was trimmed to its end before the epoch began
    if ((isMore || !isTrimKnown || leadsNowhere) && end < itsEnd.streamAddress()) {
      skipTrimmed(); // what is missing was never written, or is trimmed by now
    }
    begun = true;
    return new StreamAddress(end);
  }

  /** Reads on. The stream's trim mark comes with the first piece, if there is one. */
  private void goOn(StreamAccess.Beginning known, StreamPosition itsEnd, boolean isTrimKnown) {
    StreamAccess.Ends ends = known.ends();
    if (isTrimKnown && playback.isAtHand(itsEnd, wantedFrom)) {
      end = Math.max(end, playback.goOnTo(itsEnd, ends.began(), wantedFrom));
      return;
    }
    StreamAccess.Piece first =
        known.piece().orElseGet(() -> playback.firstPiece(ends.tail(), wantedFrom));
    if (!isTrimKnown) {
      first.trimmedBefore().ifPresentOrElse(this::skipTo, this::skipTrimmed);
    }
    end = Math.max(end, playback.goOnTo(first, itsEnd, ends.began(), ends.tail(), wantedFrom));
  }

  private void skipTrimmed() {
    var query = StreamQuery.below(stream, Long.MAX_VALUE);
    skipTo(access.find(List.of(query), 1).getFirst().trimmedBefore().value());
  }

  private void skipTo(long mark) {
    if (mark > wantedFrom) {
      hasLost = true;
      wantedFrom = mark;
      end = Math.max(end, mark);
    }
  }

  /**
   * Returns the next entry. If entries were {@linkplain StreamRead.Trimmed trimmed} before they
   * were read, returns that first, once, with the place behind them. At the end that the last sync
   * found, returns {@link StreamRead.Absent}.
   */
  public StreamRead readNext() {
    CallScope call = access.call();
    try {
      return next();
    } finally {
      call.end();
    }
  }

  private StreamRead next() {
    while (playback.fetch(wantedFrom)) {
      LogEntry entry = playback.first();
      Optional<StreamHeader> header = Headers.of(entry, stream);
      if (header.isEmpty()) {
        hasPassedTrimmed |= entry instanceof LogEntry.Trimmed; // else lost before it was complete
        playback.removeFirst();
        continue;
      }
      long at = header.get().streamAddress();
      if (at < wantedFrom) { // trimmed since a sync that found it and then failed
        playback.removeFirst();
        continue;
      }
      noteLossBefore(at);
      if (at > wantedFrom && !hasLost && gapLookedAt < at) {
        gapLookedAt = at;
        skipTrimmed(); // not every gap is a trimmed one
      }
      if (hasLost) {
        return lostBefore(at);
      }
      playback.removeFirst();
      wantedFrom = at + 1;
      return new StreamRead.Entry(
          new StreamAddress(at), entry.address(), ((LogEntry.Data) entry).payload());
    }
    noteLossBefore(end);
    if (begun && !hasLost && end > wantedFrom && gapLookedAt < end) {
      gapLookedAt = end;
      skipTrimmed(); // no entry up to the end is left
    }
    return hasLost && begun ? lostBefore(end) : StreamRead.Absent.ABSENT;
  }

  private void noteLossBefore(long streamAddress) {
    hasLost |= hasPassedTrimmed && streamAddress > wantedFrom;
    hasPassedTrimmed = false;
  }

  private StreamRead lostBefore(long streamAddress) {
    hasLost = false;
    wantedFrom = Math.max(wantedFrom, streamAddress);
    return new StreamRead.Trimmed(new StreamAddress(wantedFrom));
  }

  /** Returns all entries from here to the end that the last sync found. */
  public List<StreamRead.Entry> readRest() {
    List<StreamRead.Entry> rest = new ArrayList<>();
    CallScope call = access.call();
    try {
      while (true) {
        switch (readNext()) {
          case StreamRead.Entry entry -> {
            rest.add(entry);
            if (rest.size() % Deadline.ENTRIES == 0) {
              call.deadline().renew();
            }
          }
          case StreamRead.Trimmed trimmed -> {}
          case StreamRead.Absent end -> {
            return rest;
          }
        }
      }
    } finally {
      call.end();
    }
  }

  /**
   * Passes over the next entry, which the caller has already because it has appended it.
   *
   * @param at its place in the stream
   * @param address its place in the log
   * @return true if it is the next entry as far as the reader knows, and the reader is behind it
   *     now; false if nothing has happened
   */
  public boolean passOver(StreamAddress at, Address address) {
    if (!begun || isHalfDone || hasLost || at.value() != wantedFrom || playback.hasMore()) {
      return false;
    }
    playback.skipTo(address.value() + 1);
    wantedFrom = at.value() + 1;
    end = Math.max(end, wantedFrom);
    return true;
  }

  /**
   * Returns the log address below which everything that led to the found entries is decided: no new
   * entry appears there.
   */
  long decidedBelow() {
    return playback.decidedBelow();
  }

  /**
   * Returns the reader's place: before the entry of this place, or before the next one after it.
   */
  public StreamAddress position() {
    return new StreamAddress(wantedFrom);
  }
}
