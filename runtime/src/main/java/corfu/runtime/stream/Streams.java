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
 * The streams of a cluster: as many virtual logs as anybody likes over the one log, whose entries
 * may be in several of them at once.
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
 * Thread-safe; one a client is enough, so that its streams share one cache.
 */
public final class Streams {

  /** So many addresses at the end of the log are looked at to see whether all are under way. */
  private static final int MOST_UNDER_WAY = 64;

  private static final long CACHE_BYTES = 32L << 20;

  /** Streams that one question is about. */
  private static final int ASKED_TOGETHER = 1 << 14;

  private final StreamAccess access;
  private final EntryCache cache;
  private final Subscriptions subscriptions;

  private Streams(StreamAccess access) {
    this.access = access;
    this.cache = new EntryCache(access.log(), () -> access.beginning().value(), CACHE_BYTES);
    this.subscriptions = new Subscriptions(access, cache);
  }

  /** The streams over the log of this client. */
  public static Streams over(Corfu corfu) {
    return new Streams(corfu.streamAccess());
  }

  /** The stream of this name; see {@link StreamId#named}. */
  public LogStream open(String name) {
    return open(StreamId.named(name));
  }

  /**
   * The stream of this id.
   *
   * @throws IllegalArgumentException if it is {@link StreamId#NONE}
   */
  public LogStream open(StreamId id) {
    if (id.equals(StreamId.NONE)) {
      throw new IllegalArgumentException("stream " + id + " is reserved: no application's");
    }
    return new LogStream(access, cache, subscriptions, id);
  }

  /**
   * Appends one entry to several streams, atomically: it has one place in the log, and is seen in
   * all its streams or in none.
   *
   * @param streams each once
   * @throws corfu.runtime.TooManyStreamsException if they are more than the cluster allows
   */
  public StreamAppend.Appended append(Collection<StreamId> streams, ByteBuffer payload) {
    return appended(access.append(TokenWish.in(List.copyOf(streams)), payload));
  }

  /** The same without waiting; {@code payload} must not change until the future is done. */
  public CompletableFuture<StreamAppend.Appended> appendAsync(
      Collection<StreamId> streams, ByteBuffer payload) {
    return access
        .appendAsync(TokenWish.in(List.copyOf(streams)), payload)
        .thenApply(Streams::appended);
  }

  /**
   * Appends one entry to several streams, and says which keys it changes there, so that conditions
   * on other keys still hold.
   *
   * @param writes the streams, each once
   * @param condition without which nothing shall be appended; empty: none
   * @param listener told of the outcome as soon as there is one, maybe on another thread, before
   *     this returns; it must not block
   */
  public StreamAppend appendChange(
      List<StreamPart> writes,
      Optional<Condition> condition,
      ByteBuffer payload,
      Consumer<StreamAppend> listener) {
    return appendChange(writes, condition, AsOf.DECIDED, payload, listener);
  }

  /**
   * The same for a condition whose snapshot is the log's tail as it was told in some epoch.
   *
   * @param asOf in which, and how far everything was decided
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
   * Appends one entry if nothing of what was read has changed since: then it takes effect as if it
   * had been there at its snapshot already.
   *
   * @param writes the streams that the entry will be in, and which keys it changes there
   * @param condition what was read, and when: its snapshot is behind the last entry that was read.
   *     A tail that was told may be too high: what an epoch has issued in vain, the next issues
   *     again.
   */
  public StreamAppend appendIf(List<StreamPart> writes, Condition condition, ByteBuffer payload) {
    return access.append(new TokenWish(writes, Optional.of(condition)), payload);
  }

  /** The same without waiting; {@code payload} must not change until the future is done. */
  public CompletableFuture<StreamAppend> appendIfAsync(
      List<StreamPart> writes, Condition condition, ByteBuffer payload) {
    return access.appendAsync(new TokenWish(writes, Optional.of(condition)), payload);
  }

  /**
   * Where these streams end, in one question: whatever has been appended to them by now is before
   * that.
   *
   * @param streams each once, no more than one request may name
   */
  public StreamEnds ends(Collection<StreamId> streams) {
    List<StreamId> asked = List.copyOf(streams);
    return new StreamEnds(asked, access.ends(asked));
  }

  /**
   * The same moment for who reads this one of the streams only, up to before the appends at the end
   * of the log that are still under way: their tokens have been issued, but the heads, which are
   * written first, hold nothing there. So none of them had ended when the ends were asked for, and
   * nobody had read any: who reads up to before them has read all that there was then, and need not
   * wait for anybody.
   *
   * <p>Nothing that is in the log, of whatever stream, is behind the moment: an append under way
   * may be to other streams, too, and come before one there that has ended.
   *
   * @param known everything of the stream below this log address has been read, as far as the epoch
   *     knew that told it
   * @return {@code ends} themselves where nothing is new, or that can't be told
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

  /** The newest of these that are not complete; what is complete is read. */
  private List<Address> notComplete(List<Address> newestFirst) {
    List<Address> unknown = cache.unknown(newestFirst);
    if (!unknown.isEmpty()) {
      cache.keepAll(access.readComplete(unknown));
    }
    return newestFirst.stream().takeWhile(address -> !cache.has(address.value())).toList();
  }

  /** From there on to the log's tail heads hold nothing; not looked for below {@code lowest}. */
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
   * Finds out together what readers of many streams would ask for one after the other when they
   * begin: how far the streams are trimmed, and their newest entries, as far as these are small.
   *
   * @param ends of these streams, among others
   * @param others of which it shall be known whether they have any entries
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
   * Finds out for many readers at once what there is: one question for thousands of them.
   *
   * @return the place behind the last entry of each reader's stream, in their order
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
   * What these addresses of the log hold, in their order; read through the cache that all streams
   * of this client share. What has been trimmed meanwhile may be given as it was.
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
   * Waits until an append of this client to streams that was given this address is done, and its
   * listener told; not at all if there is none, and no longer than the hole timeout.
   */
  public void awaitOwn(Address address) {
    access.awaitOwn(address);
  }

  /**
   * All streams that have entries, each with the place of its next entry. The order is always the
   * same, but is not that of their ids. Asked for part by part while it is consumed: at most one of
   * {@link StreamId#PARTS} is in memory, and each of them may take the operation timeout.
   */
  public Stream<Map.Entry<StreamId, StreamAddress>> list() {
    return list(StreamId.NONE);
  }

  /**
   * Those of {@link #list()} behind this one.
   *
   * @param after the last one that is not wanted; {@link StreamId#NONE}: all are
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
              "an append without a condition met one: " + conflict + "; please report this");
    };
  }
}
