package corfu.bench.stream;

import corfu.bench.harness.BenchCluster;
import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.StreamId;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Fills a log with streams of the same length, whose entries are interleaved at random. Not
 * thread-safe, except for reads.
 */
final class StreamLoad {

  private static final int IN_FLIGHT = 4096;

  private final BenchCluster cluster;
  private final Streams streams;
  private final long family;
  private final int[] order;
  private final byte[] payload;
  private int laps;

  /**
   * @param family distinguishes the streams of this load from others
   * @param count the number of streams
   */
  StreamLoad(BenchCluster cluster, long family, int count, int payloadBytes) {
    this.cluster = cluster;
    this.streams = Streams.over(cluster.corfu());
    this.family = family;
    this.order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    this.payload = new byte[payloadBytes];
  }

  int count() {
    return order.length;
  }

  StreamId stream(int index) {
    return new StreamId(family, index + 1);
  }

  /** Returns the number of entries of each stream. */
  int entriesEach() {
    return laps;
  }

  /** Appends this many entries to each stream, interleaved with the other streams. */
  void append(int times) throws InterruptedException {
    var room = new Semaphore(IN_FLIGHT);
    var failure = new AtomicReference<@Nullable Throwable>();
    for (int lap = 0; lap < times; lap++) {
      shuffle();
      for (int index : order) {
        room.acquire();
        var unused =
            appendAsyncTo(index)
                .whenComplete(
                    (done, reason) -> {
                      if (reason != null) {
                        failure.compareAndSet(null, reason);
                      }
                      room.release();
                    });
      }
      laps++;
    }
    room.acquire(IN_FLIGHT);
    Throwable reason = failure.get();
    if (reason != null) {
      throw new IllegalStateException("an append failed: " + reason.getMessage(), reason);
    }
  }

  /**
   * Appends one more entry to one stream, which becomes longer than the others, and waits for it.
   */
  void appendTo(int index) {
    streams.open(stream(index)).append(payload);
  }

  /** Appends one more entry to one stream without waiting. */
  CompletableFuture<?> appendAsyncTo(int index) {
    return streams.open(stream(index)).appendAsync(ByteBuffer.wrap(payload));
  }

  private void shuffle() {
    RandomGenerator random = cluster.world().random();
    for (int i = order.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int index = order[i];
      order[i] = order[other];
      order[other] = index;
    }
  }

  /**
   * Plays a stream from its beginning to its end, as a new reader.
   *
   * @param length the number of entries of the stream
   * @throws IllegalStateException if another number is found
   */
  void play(int index, int length) {
    StreamReader reader = Streams.over(cluster.corfu()).open(stream(index)).reader();
    reader.sync();
    int found = 0; // the entries are not kept: only reads are measured
    while (reader.readNext() instanceof StreamRead.Entry) {
      found++;
    }
    check(stream(index), length, found);
  }

  /**
   * Plays a stream by one backpointer per entry, as the papers measure it: each entry leads to the
   * one before it.
   */
  void walk(int index, int length) {
    StreamId stream = stream(index);
    int found = 0;
    long newest = streams.ends(List.of(stream)).newest(stream);
    OptionalLong next = newest < 0 ? OptionalLong.empty() : OptionalLong.of(newest);
    while (next.isPresent()) {
      found++;
      next = before(new Address(next.getAsLong()), stream);
    }
    check(stream, length, found);
  }

  /** Returns the address of the entry before this one in a stream. */
  private OptionalLong before(Address address, StreamId stream) {
    LogEntry entry = streams.read(List.of(address)).getFirst();
    if (!(entry instanceof LogEntry.Data data)) {
      throw new IllegalStateException("found " + entry + " where stream " + stream + " goes on");
    }
    Backpointers previous =
        data.streams().stream()
            .filter(header -> header.stream().equals(stream))
            .findFirst()
            .orElseThrow()
            .previous();
    return previous.isEmpty() ? OptionalLong.empty() : OptionalLong.of(previous.at(0));
  }

  private static void check(StreamId stream, int length, int found) {
    if (found != length) {
      throw new IllegalStateException(
          "stream %s has %d entries, but %d were found".formatted(stream, length, found));
    }
  }

  /** Trims the whole load. */
  void trim() {
    cluster.corfu().log().prefixTrim(cluster.corfu().log().tail());
  }
}
