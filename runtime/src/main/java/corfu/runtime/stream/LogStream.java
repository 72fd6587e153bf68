package corfu.runtime.stream;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
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
 * One stream: a virtual log over the one log. An entry of it has a place in the stream and one in
 * the log; both ascend in the same order. A handle costs nothing and needs no closing. Thread-safe.
 *
 * <p>Calls end like those of {@link corfu.runtime.Log}. Once an append has returned, every later
 * read, tail or sync by anybody sees it.
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

  /**
   * What is at this place. Where a later entry is there already, the answer is for ever: a writer
   * who is about to write here is waited for, no longer than the hole timeout.
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
   * All entries from one place up to, not including, another, in their order; none will ever appear
   * in front of one of these, or of one that was known already. They are held in memory;
   * {@linkplain #scan scan} a long stream, or play it with a {@linkplain #reader reader}. What has
   * been trimmed there comes first, as one {@link StreamRead.Trimmed}.
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
   * The same one after the other, read in pieces as they are taken, so that the range may be long:
   * 16 bytes an entry are held in memory. The range is what it is at the call. What has been
   * trimmed is told in front of the entry that comes next. For one thread.
   */
  public Iterator<StreamRead> scan(StreamAddress from, StreamAddress to) {
    return new StreamScan(access, cache, id, from, to);
  }

  /**
   * Has the stream's entries given to a subscriber as they become complete: all from this place on,
   * in their order, each once. The log units tell of them; what they did not tell of is read from
   * the log.
   *
   * @param from the first place that is wanted; it may be behind the stream's end
   */
  public Subscription subscribe(StreamAddress from, Subscriber subscriber) {
    return subscriptions.subscribe(id, from, subscriber);
  }

  /** The place behind the stream's last entry. */
  public StreamAddress tail() {
    CallScope call = access.call();
    try {
      return Tail.of(access, cache, id);
    } finally {
      call.end();
    }
  }

  /**
   * Gives up all entries before this place, for ever; those that exist by now, if it lies behind
   * the stream's end. Their log addresses are given back unless another stream still needs them.
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
