package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AsOf;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The streams of a cluster: any number of virtual logs over the one log. An entry may be in several
 * streams at once.
 *
 * <pre>{@code
 * Streams streams = Streams.over(corfu);
 * LogStream orders = streams.open("orders");
 * orders.append("one book".getBytes(UTF_8));
 * streams.append(List.of(orders.id(), StreamId.named("audit")), payload); // in both, or in none
 *
 * StreamReader reader = orders.reader();
 * reader.sync();
 * for (StreamRead.Entry entry : reader.readRest()) {
 *   System.out.println(entry.streamAddress() + ": " + entry.text());
 * }
 * }</pre>
 *
 * Thread-safe. One per client is enough; its streams then share one cache.
 */
public final class Streams {

  /** The number of addresses at the end of the log that are checked for in-flight appends. */
  private static final int MOST_UNDER_WAY = 64;

  private static final long CACHE_BYTES = 32L << 20;

  /** The number of streams in one question. */
  private static final int ASKED_TOGETHER = 1 << 14;

  private final StreamAccess access;
  private final EntryCache cache;
  private final Subscriptions subscriptions;

  private Streams(StreamAccess access) {
    this.access = access;
    this.cache = new EntryCache(access.log(), () -> access.beginning().value(), CACHE_BYTES);
    this.subscriptions = new Subscriptions(access, cache);
  }

  /** Returns the streams over the log of this client. */
  public static Streams over(Corfu corfu) {
    return new Streams(corfu.streamAccess());
  }

  /**
   * Returns the stream of this name; see {@link StreamId#named}. If permissions depend on names, a
   * client opens its streams by name, so that it can tell servers the names.
   */
  public LogStream open(String name) {
    return open(access.named(name));
  }

  /**
   * Returns the stream of this id.
   *
   * @throws IllegalArgumentException if it is {@link StreamId#NONE}
   */
  public LogStream open(StreamId id) {
    if (id.equals(StreamId.NONE)) {
      throw new IllegalArgumentException(
          "stream " + id + " is reserved; applications must use another id");
    }
    return new LogStream(access, cache, subscriptions, id);
  }

  /**
   * Appends one entry to several streams, atomically: it has one place in the log, and is visible
   * in all its streams or in none.
   *
   * @param streams the streams, each once
   * @throws corfu.runtime.TooManyStreamsException if they are more than the cluster allows
   */
  public StreamAppend.Appended append(Collection<StreamId> streams, ByteBuffer payload) {
    return appended(access.append(TokenWish.in(List.copyOf(streams)), payload));
  }

  /**
   * Appends one entry to several streams without waiting; {@code payload} must not change until the
   * future is done.
   */
  public CompletableFuture<StreamAppend.Appended> appendAsync(
      Collection<StreamId> streams, ByteBuffer payload) {
    return access
        .appendAsync(TokenWish.in(List.copyOf(streams)), payload)
        .thenApply(Streams::appended);
  }

  /**
   * Appends one entry to several streams, and names the keys that it changes there, so that
   * conditions on other keys still hold.
   *
   * @param writes the streams, each once
   * @param condition the condition without which nothing is appended; empty for none
   * @param listener the receiver of the outcome, called as soon as there is one, perhaps on another
   *     thread, before this returns; it must not block
   */
  public StreamAppend appendChange(
      List<StreamPart> writes,
      Optional<Condition> condition,
      ByteBuffer payload,
      Consumer<StreamAppend> listener) {
    return appendChange(writes, condition, AsOf.DECIDED, payload, listener);
  }

  /**
   * Appends a change under a condition whose snapshot is the log's tail as some epoch told it.
   *
   * @param asOf that epoch, and the address below which everything was decided
   */
  public StreamAppend appendChange(
      List<StreamPart> writes,
      Optional<Condition> condition,
      AsOf asOf,
      ByteBuffer payload,
      Consumer<StreamAppend> listener) {
    return access.append(new TokenWish(writes, condition), asOf, payload, listener);
  }

  /**
   * Appends one entry if no data that was read has changed since: then it takes effect as if it had
   * been at its snapshot already.
   *
   * @param writes the streams of the entry, each with the keys that it changes there
   * @param condition the data that was read, and the snapshot, which is behind the last entry that
   *     was read. A reported tail may be too high as a snapshot: the next epoch may issue again the
   *     addresses that an epoch issued in vain.
   */
  public StreamAppend appendIf(List<StreamPart> writes, Condition condition, ByteBuffer payload) {
    return access.append(new TokenWish(writes, Optional.of(condition)), payload);
  }

  /**
   * Appends one entry under a condition without waiting; {@code payload} must not change until the
   * future is done.
   */
  public CompletableFuture<StreamAppend> appendIfAsync(
      List<StreamPart> writes, Condition condition, ByteBuffer payload) {
    return access.appendAsync(new TokenWish(writes, Optional.of(condition)), payload);
  }

  /**
   * Asks once where these streams end. Every entry appended to them before the call is before that.
   *
   * @param streams the streams, each once, no more than one request may name
   */
  public StreamEnds ends(Collection<StreamId> streams) {
    List<StreamId> asked = List.copyOf(streams);
    return new StreamEnds(asked, access.ends(asked));
  }

  /**
   * Returns the ends for readers of this one stream, up to before the in-flight appends at the end
   * of the log. Their tokens have been issued, but the heads, which are written first, hold nothing
   * there. So none of them had ended when the ends were asked for, and no client had read any. A
   * reader that reads up to before them has read all entries of that moment, and need not wait for
   * a writer.
   *
   * <p>No entry in the log, of whatever stream, is behind that moment: an in-flight append may be
   * to other streams, too, and come before a completed one there.
   *
   * @param known the log address below which the whole stream has been read, as far as its epoch
   *     knew
   * @return {@code ends} themselves if there is nothing new, or if that cannot be told
   */
  public StreamEnds withoutUnderWay(StreamEnds ends, StreamId stream, Address known) {
    CallScope call = access.call();
    try {
      return withoutOpen(ends, stream, known);
    } finally {
      call.end();
    }
  }

  private StreamEnds withoutOpen(StreamEnds ends, StreamId stream, Address known) {
    Backpointers last = ends.of(stream).previous();
    List<Address> fresh = new ArrayList<>();
    for (int i = 0; i < last.count() && last.at(i) >= known.value(); i++) {
      fresh.add(new Address(last.at(i)));
    }
    List<Address> open = notComplete(fresh);
    if (open.isEmpty()) {
      return ends;
    }
    long writtenBelow = writtenBelow(ends, open.getLast().value());
    int count = (int) open.stream().filter(token -> token.value() >= writtenBelow).count();
    boolean isAllThatIsKnown = count == last.count() && count < ends.of(stream).streamAddress();
    return count == 0 || isAllThatIsKnown ? ends : ends.without(count, stream);
  }

  /**
   * Returns the newest of these addresses whose entries are not complete. Reads the complete ones
   * into the cache.
   */
  private List<Address> notComplete(List<Address> newestFirst) {
    List<Address> unknown = cache.unknown(newestFirst);
    if (!unknown.isEmpty()) {
      cache.keepAll(access.readComplete(unknown));
    }
    return newestFirst.stream().takeWhile(address -> !cache.has(address.value())).toList();
  }

  /**
   * Returns the address from which on, up to the log's tail, heads hold nothing. Looks no lower
   * than {@code lowest}.
   */
  private long writtenBelow(StreamEnds ends, long lowest) {
    long tail = ends.tail().value();
    List<Address> last =
        LongStream.range(Math.max(lowest, tail - MOST_UNDER_WAY), tail)
            .mapToObj(Address::new)
            .toList();
    Set<Long> unwritten = access.unwritten(last, ends.epoch());
    long from = tail;
    while (unwritten.contains(from - 1)) {
      from--;
    }
    return from;
  }

  /**
   * Looks up at once the facts that readers of many streams would otherwise ask for one after the
   * other. These are the streams' trim marks, and their newest entries, as far as these are small.
   *
   * @param ends the ends of these streams, among others
   * @param others streams for which to find out whether they have any entries
   * @return the same ends, for readers to begin with
   */
  public StreamEnds lookAhead(StreamEnds ends, List<StreamId> streams, List<StreamId> others) {
    CallScope call = access.call();
    try {
      return lookedAhead(ends, streams, others);
    } finally {
      call.end();
    }
  }

  private StreamEnds lookedAhead(StreamEnds ends, List<StreamId> streams, List<StreamId> others) {
    List<StreamQuery> queries =
        Stream.concat(streams.stream(), others.stream())
            .map(stream -> StreamQuery.below(stream, Long.MAX_VALUE))
            .toList();
    List<StreamAccess.Found> found = access.find(queries, 1);
    Set<StreamId> empty = new HashSet<>();
    for (int i = 0; i < others.size(); i++) {
      StreamAccess.Found of = found.get(streams.size() + i);
      if (of.newestFirst().isEmpty() && of.trimmedBefore().equals(StreamAddress.ZERO)) {
        empty.add(others.get(i));
      }
    }
    Map<StreamId, StreamAddress> trims = HashMap.newHashMap(streams.size());
    TreeSet<Long> newest = new TreeSet<>();
    for (int i = 0; i < streams.size(); i++) {
      trims.put(streams.get(i), found.get(i).trimmedBefore());
      Backpointers last = ends.of(streams.get(i)).previous();
      for (int k = 0; k < last.count(); k++) {
        newest.add(last.at(k));
      }
    }
    cache.readAhead(List.copyOf(newest));
    return ends.with(trims, empty);
  }

  /**
   * Syncs many readers together: one question serves thousands of them.
   *
   * @return the place behind the last entry of each reader's stream, in the readers' order
   */
  public List<StreamAddress> sync(List<StreamReader> readers) {
    List<StreamAddress> places = new ArrayList<>(readers.size());
    CallScope call = access.call();
    try {
      for (int low = 0; low < readers.size(); low += ASKED_TOGETHER) {
        int high = Math.min(readers.size(), low + ASKED_TOGETHER);
        places.addAll(syncSome(readers.subList(low, high)));
        if (high < readers.size()) {
          call.deadline().renew();
        }
      }
    } finally {
      call.end();
    }
    return places;
  }

  private List<StreamAddress> syncSome(List<StreamReader> readers) {
    List<StreamId> streams = readers.stream().map(StreamReader::stream).distinct().toList();
    StreamAccess.Ends ends = access.ends(streams);
    Map<StreamId, Integer> order = new LinkedHashMap<>();
    streams.forEach(stream -> order.put(stream, order.size()));
    return readers.stream()
        .map(reader -> reader.sync(ends, ends.ends().get(order.getOrDefault(reader.stream(), 0))))
        .toList();
  }

  /**
   * Returns the entries at these log addresses, in their order. Reads through the cache that all
   * streams of this client share, so an entry trimmed meanwhile may still be returned.
   */
  public List<LogEntry> read(List<Address> addresses) {
    CallScope call = access.call();
    try {
      return cache.read(addresses.stream().map(Address::value).toList());
    } finally {
      call.end();
    }
  }

  /**
   * Waits until this client's in-flight append to streams at this address is done, and its listener
   * has been called. Returns at once if there is no such append, and at the hole timeout at the
   * latest.
   */
  public void awaitOwn(Address address) {
    access.awaitOwn(address);
  }

  /**
   * Lists all streams that have entries, each with the place of its next entry. The order is always
   * the same, but not that of the ids. The parts are fetched one by one as the list is consumed. At
   * most one of {@link StreamId#PARTS} is in memory, and each of them may need the operation
   * timeout.
   */
  public Stream<Map.Entry<StreamId, StreamAddress>> list() {
    return list(StreamId.NONE);
  }

  /**
   * Returns the streams of {@link #list()} behind this one.
   *
   * @param after the last stream to leave out; {@link StreamId#NONE} leaves out none
   */
  public Stream<Map.Entry<StreamId, StreamAddress>> list(StreamId after) {
    boolean isAll = after.equals(StreamId.NONE);
    int first = isAll ? 0 : after.part();
    return IntStream.range(first, StreamId.PARTS)
        .boxed()
        .flatMap(
            part ->
                access.list(part).stream()
                    .filter(tail -> isAll || part > first || tail.stream().compareTo(after) > 0))
        .map(tail -> Map.entry(tail.stream(), new StreamAddress(tail.end().streamAddress())));
  }

  static StreamAppend.Appended appended(StreamAppend outcome) {
    return switch (outcome) {
      case StreamAppend.Appended appended -> appended;
      case StreamAppend.Conflict conflict ->
          throw new IllegalStateException(
              "an append without a condition had a conflict: " + conflict + "; please report this");
    };
  }
}
