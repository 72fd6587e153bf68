package corfu.runtime.stream;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One stream: a virtual log over the one log. An entry of it has a place in the stream and one in
 * the log; both ascend in the same order. A handle costs nothing and needs no closing. Thread-safe.
 *
 * <p>Calls end like those of {@link corfu.runtime.Log}. Once an append has returned, every later
 * read, tail or sync by anybody sees it.
 */
public final class LogStream {

  /** Entries that are looked for together. */
  private static final int PIECE = 1024;

  /** For a tail: the newest entry is one of these, or nearly always. */
  private static final int NEWEST = 16;

  private final StreamAccess access;
  private final EntryCache cache;
  private final StreamId id;
  private final TokenWish wish;

  LogStream(StreamAccess access, EntryCache cache, StreamId id) {
    this.access = access;
    this.cache = cache;
    this.id = id;
    this.wish = TokenWish.in(List.of(id));
  }

  public StreamId id() {
    return id;
  }

  /**
   * Appends an entry to this stream alone; {@link Streams#append} appends to several.
   *
   * @param payload it must not change until the call has returned
   */
  public StreamAppend.Appended append(ByteBuffer payload) {
    return Streams.appended(access.append(wish, payload));
  }

  /** Appends an entry; see {@link #append(ByteBuffer)}. */
  public StreamAppend.Appended append(byte[] payload) {
    return append(ByteBuffer.wrap(payload));
  }

  /** Appends without waiting; {@code payload} must not change until the future is done. */
  public CompletableFuture<StreamAppend.Appended> appendAsync(ByteBuffer payload) {
    return access.appendAsync(wish, payload).thenApply(Streams::appended);
  }

  /** A reader that begins at the stream's first entry. */
  public StreamReader reader() {
    return reader(StreamAddress.ZERO);
  }

  /** A reader that begins at this place, or with the next entry after it. */
  public StreamReader reader(StreamAddress from) {
    return new StreamReader(access, cache, id, from);
  }

  /** What is at this place. */
  public StreamRead read(StreamAddress at) {
    var query = new StreamQuery(id, Long.MAX_VALUE, at.value() + 1);
    StreamAccess.Found found = access.find(List.of(query), 1).getFirst();
    if (at.compareTo(found.trimmedBefore()) < 0) {
      return new StreamRead.Trimmed(found.trimmedBefore());
    }
    for (Occurrence occurrence : found.newestFirst()) {
      if (occurrence.streamAddress() == at.value()) {
        return entry(occurrence, cache.read(List.of(occurrence.address())).getFirst());
      }
    }
    return StreamRead.Absent.ABSENT;
  }

  /**
   * All entries from one place up to, not including, another, in their order. They are held in
   * memory: read a long stream in pieces, or with a {@linkplain #reader reader}. What has been
   * trimmed there comes first, as one {@link StreamRead.Trimmed}.
   */
  public List<StreamRead> read(StreamAddress from, StreamAddress to) {
    Deque<Occurrence> wanted = new ArrayDeque<>();
    long below = to.value();
    long trimmedBefore = 0;
    boolean isMore = from.compareTo(to) < 0;
    while (isMore) {
      var query = new StreamQuery(id, Long.MAX_VALUE, below);
      StreamAccess.Found found = access.find(List.of(query), PIECE).getFirst();
      trimmedBefore = Math.max(trimmedBefore, found.trimmedBefore().value());
      isMore = found.newestFirst().size() == PIECE;
      for (Occurrence occurrence : found.newestFirst()) {
        if (occurrence.streamAddress() < from.value()) {
          isMore = false;
          break;
        }
        wanted.addFirst(occurrence);
        below = occurrence.streamAddress();
      }
    }
    return readAll(from, trimmedBefore, List.copyOf(wanted));
  }

  private List<StreamRead> readAll(
      StreamAddress from, long trimmedBefore, List<Occurrence> wanted) {
    List<StreamRead> entries = new ArrayList<>();
    long lost = trimmedBefore > from.value() ? trimmedBefore : 0;
    for (int low = 0; low < wanted.size(); low += PIECE) {
      List<Occurrence> piece = wanted.subList(low, Math.min(wanted.size(), low + PIECE));
      List<LogEntry> read = cache.read(piece.stream().map(Occurrence::address).toList());
      for (int i = 0; i < piece.size(); i++) {
        switch (entry(piece.get(i), read.get(i))) {
          case StreamRead.Entry entry -> entries.add(entry);
          case StreamRead.Trimmed(StreamAddress before) -> lost = Math.max(lost, before.value());
          case StreamRead.Absent never -> {}
        }
      }
    }
    if (lost > 0) {
      entries.addFirst(new StreamRead.Trimmed(new StreamAddress(lost)));
    }
    return entries;
  }

  private static StreamRead entry(Occurrence occurrence, LogEntry entry) {
    StreamAddress at = new StreamAddress(occurrence.streamAddress());
    return switch (entry) {
      case LogEntry.Data data -> new StreamRead.Entry(at, data.address(), data.payload());
      case LogEntry.Trimmed trimmed -> new StreamRead.Trimmed(at.plus(1));
      case LogEntry.Hole hole -> StreamRead.Absent.ABSENT;
      case LogEntry.Unwritten unwritten -> StreamRead.Absent.ABSENT;
    };
  }

  /** The place behind the stream's last entry. */
  public StreamAddress tail() {
    long below = Long.MAX_VALUE;
    while (true) {
      var query = StreamQuery.below(id, below);
      StreamAccess.Found found = access.find(List.of(query), NEWEST).getFirst();
      List<Long> addresses = found.newestFirst().stream().map(Occurrence::address).toList();
      List<LogEntry> entries = cache.read(addresses);
      for (int i = 0; i < entries.size(); i++) {
        boolean isThere =
            !(entry(found.newestFirst().get(i), entries.get(i)) instanceof StreamRead.Absent);
        if (isThere) {
          return new StreamAddress(found.newestFirst().get(i).streamAddress() + 1);
        }
      }
      if (entries.size() < NEWEST) {
        return found.trimmedBefore();
      }
      below = addresses.getLast();
    }
  }

  /**
   * Gives up all entries before this place, for ever. Their log addresses are given back unless
   * another stream still needs them.
   */
  public void trim(StreamAddress before) {
    access.trim(id, before);
  }

  @Override
  public String toString() {
    return "stream " + id;
  }
}
