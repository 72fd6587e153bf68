package corfu.bench;

import corfu.protocol.StreamId;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Fills a log with streams, all of the same length, whose entries come in no order. For one thread,
 * but for what reads.
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
   * @param family tells the streams of one load from those of another
   * @param count how many streams
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

  /** Entries that each stream has. */
  int entriesEach() {
    return laps;
  }

  /** Gives each stream an entry so many times; other streams come in between. */
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

  /** One more entry of one stream, which makes it longer than the others; waits for it. */
  void appendTo(int index) {
    streams.open(stream(index)).append(payload);
  }

  /** The same without waiting. */
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
   * Plays a stream from its beginning to its end, as one who knows nothing of it yet.
   *
   * @param length how many entries it has
   * @throws IllegalStateException if others are found
   */
  void play(int index, int length) {
    StreamReader reader = Streams.over(cluster.corfu()).open(stream(index)).reader();
    reader.sync();
    List<StreamRead.Entry> entries = reader.readRest();
    if (entries.size() != length) {
      throw new IllegalStateException(
          "stream %s has %d entries, but %d were found"
              .formatted(stream(index), length, entries.size()));
    }
  }

  /** The log units may forget all of it. */
  void trim() {
    cluster.corfu().log().prefixTrim(cluster.corfu().log().tail());
  }
}
