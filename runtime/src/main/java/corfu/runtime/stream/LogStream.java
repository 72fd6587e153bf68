package corfu.runtime.stream;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One stream: a virtual log over the one log. Each of its entries has a place in the stream and one
 * in the log; both ascend in the same order. A handle costs nothing and needs no close.
 * Thread-safe.
 *
 * <p>Calls end like those of {@link corfu.runtime.Log}. Once an append has returned, every later
 * read, tail or sync by any client sees its entry.
 */
public final class LogStream {

  private final StreamAccess access;
  private final EntryCache cache;
  private final Subscriptions subscriptions;
  private final StreamId id;
  private final TokenWish wish;

  LogStream(StreamAccess access, EntryCache cache, Subscriptions subscriptions, StreamId id) {
    this.subscriptions = subscriptions;
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
   * @param payload the content of the entry; it must not change until the call has returned
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

  /** Returns a reader that begins at the stream's first entry. */
  public StreamReader reader() {
    return reader(StreamAddress.ZERO);
  }

  /** Returns a reader that begins at this place, or with the next entry after it. */
  public StreamReader reader(StreamAddress from) {
    return new StreamReader(access, cache, id, from);
  }

  /**
   * Returns a reader of the first bytes of each entry, from this place on.
   *
   * @param headBytes the number of bytes, 1 or more
   */
  public HeadReader heads(StreamAddress from, int headBytes) {
    return new HeadReader(access, id, from, headBytes);
  }

  /**
   * Reads this place. If a later entry exists already, the answer never changes, until the entry is
   * trimmed. The read waits for a writer that is about to write here, until the hole timeout at
   * most.
   */
  public StreamRead read(StreamAddress at) {
    CallScope call = access.call();
    try {
      return readOne(at);
    } finally {
      call.end();
    }
  }

  private StreamRead readOne(StreamAddress at) {
    StreamRange range = new StreamRange(access, id, at.value(), at.value() + 1);
    if (at.value() < range.trimmedBefore()) {
      return new StreamRead.Trimmed(new StreamAddress(range.trimmedBefore()));
    }
    if (range.addresses().count() > 0) {
      return StreamScan.read(at, cache.read(List.of(range.addresses().at(0))).getFirst());
    }
    return StreamRead.Absent.ABSENT;
  }

  /**
   * Returns all entries from {@code from}, inclusive, to {@code to}, exclusive, in their order. No
   * entry will ever appear in front of one of these, or of one that was known already. All are held
   * in memory; {@linkplain #scan scan} a long stream, or play it with a {@linkplain #reader
   * reader}. If a part has been trimmed, one {@link StreamRead.Trimmed} comes first.
   */
  public List<StreamRead> read(StreamAddress from, StreamAddress to) {
    List<StreamRead> entries = new ArrayList<>();
    Optional<StreamRead> lost = Optional.empty();
    CallScope call = access.call();
    try {
      for (Iterator<StreamRead> scan = scan(from, to); scan.hasNext(); ) {
        StreamRead next = scan.next();
        if (next instanceof StreamRead.Trimmed) {
          lost = Optional.of(next);
        } else {
          entries.add(next);
          if (entries.size() % Deadline.ENTRIES == 0) {
            call.deadline().renew();
          }
        }
      }
    } finally {
      call.end();
    }
    lost.ifPresent(entries::addFirst);
    return entries;
  }

  /**
   * Returns the entries of a range one after the other, and reads them in pieces as they are
   * consumed. So the range may be long: 16 bytes per entry are held in memory. The range is
   * determined at the call. A trimmed part is reported in front of the next entry. For one thread.
   */
  public Iterator<StreamRead> scan(StreamAddress from, StreamAddress to) {
    return new StreamScan(access, cache, id, from, to);
  }

  /**
   * Delivers the stream's entries to a subscriber as they become complete: all from this place on,
   * in their order, each once. The log units push them; entries that were not pushed are read from
   * the log.
   *
   * @param from the first wanted place; it may be behind the stream's end
   */
  public Subscription subscribe(StreamAddress from, Subscriber subscriber) {
    return subscriptions.subscribe(id, from, subscriber);
  }

  /** Returns the place behind the stream's last entry. */
  public StreamAddress tail() {
    CallScope call = access.call();
    try {
      return Tail.of(access, cache, id);
    } finally {
      call.end();
    }
  }

  /**
   * Returns the place before which the stream is trimmed, or {@link StreamAddress#ZERO} if it is
   * not. Reads no entry.
   */
  public StreamAddress trimmedBefore() {
    CallScope call = access.call();
    try {
      return access
          .find(List.of(StreamQuery.below(id, Long.MAX_VALUE)), 1)
          .getFirst()
          .trimmedBefore();
    } finally {
      call.end();
    }
  }

  /**
   * Trims all entries before this place for ever. If the place is behind the stream's end, trims
   * the entries that exist now. Their space in the log is reused unless another stream still needs
   * it.
   */
  public void trim(StreamAddress before) {
    CallScope call = access.call();
    try {
      StreamAddress tail = tail();
      access.trim(id, before.compareTo(tail) < 0 ? before : tail);
    } finally {
      call.end();
    }
  }

  @Override
  public String toString() {
    return "stream " + id;
  }
}
