package corfu.runtime.stream;

import corfu.protocol.Backpointers;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plays a stream in its order (dissertation, section 4.1): {@link #sync} finds out what there is,
 * {@link #readNext} gives one entry after the other up to there. Whatever had been appended before
 * a sync began is given; so sync, then read to the end, to see all that anybody can have been told.
 *
 * <p>For one thread at a time. Calls end like those of {@link corfu.runtime.Log}; after a failure
 * the same call may be made again.
 */
public final class StreamReader {

  /** How much is read ahead, as far as that can be told from the entries before. */
  private static final int AHEAD_BYTES = 1 << 20;

  private static final int MOST_AHEAD = 256;

  /** Addresses that have been read are forgotten in pieces. */
  private static final int FORGOTTEN_AT_ONCE = 4096;

  private final StreamAccess access;
  private final EntryCache cache;
  private final StreamId stream;

  private long wantedFrom;
  private boolean begun;
  private long end; // behind the newest entry that is known
  private long knownBefore;
  private Addresses linked = new Addresses();
  private int position; // in what is linked, of what comes after what is ahead
  private final ArrayDeque<LogEntry> ahead = new ArrayDeque<>();
  private long bytesAnEntry = AHEAD_BYTES / 16;
  private boolean hasLost; // entries that were trimmed before they were read

  StreamReader(StreamAccess access, EntryCache cache, StreamId stream, StreamAddress from) {
    this.access = access;
    this.cache = cache;
    this.stream = stream;
    this.wantedFrom = from.value();
    this.end = from.value();
  }

  public StreamId stream() {
    return stream;
  }

  /**
   * Finds out where the stream ends, and which entries there are up to there. May wait, no longer
   * than the hole timeout, for writers who are about to write.
   *
   * @return the place behind the stream's last entry
   */
  public StreamAddress sync() {
    StreamAccess.Ends ends = access.ends(List.of(stream));
    return sync(ends, ends.ends().getFirst());
  }

  /** The same, where somebody has asked for the end already. */
  StreamAddress sync(StreamAccess.Ends ends, StreamPosition itsEnd) {
    if (!begun) {
      skipTrimmed();
    }
    Backpointers last = itsEnd.previous();
    if (!last.isEmpty() && last.at(0) >= knownBefore) {
      var walk = new BackpointerWalk(access, cache, stream, knownBefore, wantedFrom);
      Addresses more = walk.from(itsEnd, ends.began());
      if (more.count() > 0) {
        linked.addAll(more);
        knownBefore = more.at(more.count() - 1) + 1;
        end = walk.behindNewest();
      }
    }
    begun = true;
    return new StreamAddress(end);
  }

  private void skipTrimmed() {
    var query = StreamQuery.below(stream, Long.MAX_VALUE);
    long mark = access.find(List.of(query), 1).getFirst().trimmedBefore().value();
    if (mark > wantedFrom) {
      hasLost = true;
      wantedFrom = mark;
      end = mark;
    }
  }

  /**
   * What comes next: an entry; or that some were {@linkplain StreamRead.Trimmed trimmed} before
   * they were read, once, with the place of what comes after them; or {@link StreamRead.Absent} at
   * the end of what the last sync found.
   */
  public StreamRead readNext() {
    while (fetch()) {
      LogEntry entry = ahead.getFirst();
      Optional<StreamHeader> header = headerOf(entry);
      if (header.isEmpty()) {
        hasLost = true;
        ahead.removeFirst();
        continue;
      }
      long at = header.get().streamAddress();
      if (hasLost) {
        return lostBefore(at);
      }
      ahead.removeFirst();
      wantedFrom = at + 1;
      return new StreamRead.Entry(
          new StreamAddress(at), entry.address(), ((LogEntry.Data) entry).payload());
    }
    return hasLost && begun ? lostBefore(end) : StreamRead.Absent.ABSENT;
  }

  private StreamRead lostBefore(long streamAddress) {
    hasLost = false;
    wantedFrom = Math.max(wantedFrom, streamAddress);
    return new StreamRead.Trimmed(new StreamAddress(streamAddress));
  }

  /** All entries from here to the end of what the last sync found. */
  public List<StreamRead.Entry> readRest() {
    List<StreamRead.Entry> rest = new ArrayList<>();
    while (true) {
      switch (readNext()) {
        case StreamRead.Entry entry -> rest.add(entry);
        case StreamRead.Trimmed trimmed -> {}
        case StreamRead.Absent end -> {
          return rest;
        }
      }
    }
  }

  /** Where the reader is: before the entry of this place, or the next one after it. */
  public StreamAddress position() {
    return new StreamAddress(wantedFrom);
  }

  private Optional<StreamHeader> headerOf(LogEntry entry) {
    return entry instanceof LogEntry.Data data
        ? data.streams().stream().filter(header -> header.stream().equals(stream)).findFirst()
        : Optional.empty();
  }

  /** Whether something is ahead. */
  private boolean fetch() {
    if (!ahead.isEmpty()) {
      return true;
    }
    int count = Math.clamp(AHEAD_BYTES / bytesAnEntry, 1, MOST_AHEAD);
    List<Long> addresses = new ArrayList<>();
    for (int i = position; i < linked.count() && addresses.size() < count; i++) {
      addresses.add(linked.at(i));
    }
    if (addresses.isEmpty()) {
      return false;
    }
    List<LogEntry> entries = cache.read(addresses);
    ahead.addAll(entries);
    position += entries.size();
    bytesAnEntry = Math.max(1, bytesOf(entries) / entries.size());
    if (position >= FORGOTTEN_AT_ONCE) {
      linked.removeFirst(position);
      position = 0;
    }
    return true;
  }

  private static long bytesOf(List<LogEntry> entries) {
    long bytes = 0;
    for (LogEntry entry : entries) {
      bytes += entry instanceof LogEntry.Data data ? data.payload().remaining() : 0;
    }
    return bytes;
  }
}
