package corfu.runtime.stream;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Iterates over a {@linkplain StreamRange range of a stream}. Reads its entries in pieces, which
 * shrink if entries are large. For one thread.
 */
final class StreamScan implements Iterator<StreamRead> {

  /** The most entries that are read together. */
  private static final int PIECE = 1024;

  /** The desired bytes of a piece. */
  private static final long PIECE_BYTES = 4 << 20;

  private static final int FIRST_PIECE = 64;

  private final StreamAccess access;
  private final EntryCache cache;
  private final Addresses addresses; // the newest first
  private final Addresses streamAddresses;
  private final ArrayDeque<StreamRead> ahead = new ArrayDeque<>();
  private int left;
  private int piece = FIRST_PIECE;

  StreamScan(
      StreamAccess access, EntryCache cache, StreamId id, StreamAddress from, StreamAddress to) {
    this.access = access;
    this.cache = cache;
    StreamRange range = new StreamRange(access, id, from.value(), to.value());
    addresses = range.addresses();
    streamAddresses = range.streamAddresses();
    if (range.trimmedBefore() > from.value()) {
      ahead.add(new StreamRead.Trimmed(new StreamAddress(range.trimmedBefore())));
    }
    left = addresses.count();
    while (left > 0 && streamAddresses.at(left - 1) < range.trimmedBefore()) {
      left--; // another unit does not know of the trim yet
    }
  }

  @Override
  public boolean hasNext() {
    if (isToFetch()) {
      CallScope call = access.call();
      try {
        while (isToFetch()) {
          fetch();
        }
      } finally {
        call.end();
      }
    }
    return !ahead.isEmpty();
  }

  private boolean isToFetch() {
    return left > 0 && (ahead.isEmpty() || isOnlyTrimmed());
  }

  /** Returns whether only a trimmed part is ahead. It is reported at once, up to the next entry. */
  private boolean isOnlyTrimmed() {
    return ahead.size() == 1 && ahead.getFirst() instanceof StreamRead.Trimmed;
  }

  @Override
  public StreamRead next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the range of the stream has no more entries");
    }
    return ahead.removeFirst();
  }

  /** Returns a log entry as an entry of the stream. */
  static StreamRead read(StreamAddress at, LogEntry entry) {
    return switch (entry) {
      case LogEntry.Data data -> new StreamRead.Entry(at, data.address(), data.payload());
      case LogEntry.Trimmed trimmed -> new StreamRead.Trimmed(at.plus(1));
      case LogEntry.Hole hole -> StreamRead.Absent.ABSENT;
      case LogEntry.Unwritten unwritten -> StreamRead.Absent.ABSENT;
    };
  }

  private void fetch() {
    int count = Math.min(piece, left);
    List<Long> wanted = new ArrayList<>(count);
    for (int i = 1; i <= count; i++) {
      wanted.add(addresses.at(left - i));
    }
    long bytes = 0;
    for (LogEntry entry : cache.read(wanted)) {
      left--;
      StreamAddress at = new StreamAddress(streamAddresses.at(left));
      switch (read(at, entry)) {
        case StreamRead.Entry data -> {
          bytes += data.payload().remaining();
          ahead.add(data);
        }
        case StreamRead.Trimmed trimmed -> {
          if (ahead.peekLast() instanceof StreamRead.Trimmed) {
            ahead.removeLast();
          }
          ahead.add(trimmed);
        }
        case StreamRead.Absent never -> {}
      }
    }
    long bytesAnEntry = Math.max(1, bytes / count);
    piece = (int) Math.clamp(PIECE_BYTES / bytesAnEntry, 1, Math.min(PIECE, piece * 2L));
  }
}
