package corfu.silver.writeback;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.StreamId;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.world.Eventually;
import corfu.world.RealWorld;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A buffer over a log that the tests control. */
@Timeout(60)
class WriteBackTest {

  private static final NodeId FILE = NodeId.of(new StreamId(1, 2));
  private static final Caller CALLER = new Caller(1, 2, new Timestamp(3, 4));
  private static final Duration HOUR = Duration.ofHours(1);

  private final RealWorld world = new RealWorld();
  private final ControlledLog log = new ControlledLog();

  @AfterEach
  void end() {
    world.close();
  }

  /** Holds the bytes of one file, and fails or waits as it is told. */
  private static final class ControlledLog implements WriteBack.EntryWriter {
    private byte[] bytes = {};
    private final List<Integer> entries = new ArrayList<>();
    private Optional<Errno> error = Optional.empty();
    private CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
    private int atGate;

    @Override
    public Result<Done> write(NodeId node, long offset, ByteBuffer data, Caller author) {
      pass();
      return put(Math.toIntExact(offset), data);
    }

    @Override
    public Result<Done> append(NodeId node, ByteBuffer data, Caller author) {
      pass();
      return put(-1, data);
    }

    private void pass() {
      CompletableFuture<Void> current;
      synchronized (this) {
        atGate++;
        current = gate;
      }
      current.join();
    }

    private synchronized Result<Done> put(int offset, ByteBuffer data) {
      if (error.isPresent()) {
        return Result.failed(error.get());
      }
      int at = offset < 0 ? bytes.length : offset;
      byte[] after = Arrays.copyOf(bytes, Math.max(bytes.length, at + data.remaining()));
      entries.add(data.remaining());
      data.get(after, at, data.remaining());
      bytes = after;
      return Result.done();
    }

    private synchronized void fail(Errno errno) {
      error = Optional.of(errno);
    }

    private synchronized void heal() {
      error = Optional.empty();
    }

    private synchronized CompletableFuture<Void> block() {
      gate = new CompletableFuture<>();
      return gate;
    }

    private synchronized int atGate() {
      return atGate;
    }

    private synchronized Result<ByteBuffer> read(int offset, int length) {
      int from = Math.min(offset, bytes.length);
      return Result.of(ByteBuffer.wrap(bytes, from, Math.min(length, bytes.length - from)).slice());
    }

    private synchronized String text() {
      return new String(bytes, UTF_8);
    }

    private synchronized List<Integer> entries() {
      return List.copyOf(entries);
    }
  }

  private WriteBack buffer(long maxBytes, Duration maxAge, int maxInFlight) {
    return WriteBack.start(world, new WriteBackOptions(maxBytes, maxAge, 4096, maxInFlight), log);
  }

  private WriteBack buffer() {
    return buffer(1 << 20, HOUR, 4);
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private String read(WriteBack buffer, int offset, int length) {
    Result<ByteBuffer> read = buffer.read(FILE, offset, length, () -> log.read(offset, length));
    return UTF_8.decode(((Result.Success<ByteBuffer>) read).value()).toString();
  }

  @Test
  void aWriteIsSeenAtOnceAndIsInTheLogAfterTheFlush() {
    try (WriteBack buffer = buffer()) {
      long handle = buffer.open(FILE, true);
      assertThat(buffer.write(FILE, 2, text("cd"), CALLER)).isEqualTo(Result.done());
      assertThat(read(buffer, 0, 10)).isEqualTo("\0\0cd");
      assertThat(log.text()).isEmpty();
      assertThat(buffer.flush(FILE, handle)).isEqualTo(Result.done());
      assertThat(log.text()).isEqualTo("\0\0cd");
      assertThat(buffer.waitingBytes()).isZero();
    }
  }

  @Test
  void nothingWaitsWhenAFlushReturns() {
    try (WriteBack buffer = buffer()) {
      long handle = buffer.open(FILE, true);
      for (int i = 0; i < 3_000; i++) {
        assertThat(buffer.write(FILE, i, text("x"), CALLER)).isEqualTo(Result.done());
        assertThat(buffer.flush(FILE, handle)).isEqualTo(Result.done());
        assertThat(buffer.waitingBytes()).isZero();
      }
    }
  }

  @Test
  void manyWritesBecomeOneEntry() {
    try (WriteBack buffer = buffer()) {
      long handle = buffer.open(FILE, true);
      for (int i = 0; i < 100; i++) {
        assertThat(buffer.write(FILE, i, text("x"), CALLER)).isEqualTo(Result.done());
      }
      assertThat(buffer.flush(FILE, handle)).isEqualTo(Result.done());
      assertThat(log.entries()).containsExactly(100);
    }
  }

  @Test
  void eachHandleReportsAnErrorOnceAndTheNextFlushSucceeds() {
    try (WriteBack buffer = buffer()) {
      long one = buffer.open(FILE, true);
      long other = buffer.open(FILE, true);
      log.fail(Errno.ENOSPC);
      assertThat(buffer.write(FILE, 0, text("a"), CALLER)).isEqualTo(Result.done());
      assertThat(buffer.flush(FILE, one)).isEqualTo(Result.failed(Errno.ENOSPC));
      assertThat(buffer.flush(FILE, one)).isEqualTo(Result.done());
      assertThat(buffer.flush(FILE, other)).isEqualTo(Result.failed(Errno.ENOSPC));
      assertThat(buffer.flush(FILE, other)).isEqualTo(Result.done());

      log.heal();
      long later = buffer.open(FILE, true);
      assertThat(buffer.write(FILE, 0, text("b"), CALLER)).isEqualTo(Result.done());
      assertThat(buffer.flush(FILE, later)).isEqualTo(Result.done());
      assertThat(log.text()).isEqualTo("b");
    }
  }

  @Test
  void theErrorOfABackgroundWriteIsReportedByTheNextFlush() {
    try (WriteBack buffer = buffer(1 << 20, Duration.ofMillis(1), 4)) {
      long handle = buffer.open(FILE, true);
      log.fail(Errno.EIO);
      assertThat(buffer.write(FILE, 0, text("a"), CALLER)).isEqualTo(Result.done());
      Eventually.eventually(() -> assertThat(buffer.waitingBytes()).isZero());
      log.heal();
      assertThat(buffer.flush(FILE, handle)).isEqualTo(Result.failed(Errno.EIO));
      assertThat(buffer.flush(FILE, handle)).isEqualTo(Result.done());
    }
  }

  @Test
  void aFullBufferWaitsForTheLog() {
    try (WriteBack buffer = buffer(8_000, HOUR, 2)) {
      CompletableFuture<Void> gate = log.block();
      assertThat(buffer.write(FILE, 0, ByteBuffer.allocate(5_000), CALLER))
          .isEqualTo(Result.done());
      CompletableFuture<Result<Done>> second = new CompletableFuture<>();
      Thread writer =
          world.start(
              "writer",
              () -> second.complete(buffer.write(FILE, 5_000, ByteBuffer.allocate(5_000), CALLER)));
      Eventually.eventually(() -> assertThat(log.atGate()).isEqualTo(2));
      assertThat(second).isNotDone();
      gate.complete(null);
      assertThat(second.join()).isEqualTo(Result.done());
      assertThat(writer).isNotNull();
    }
    assertThat(log.text()).hasSize(10_000);
  }

  @Test
  void aLaterWriteDoesNotOvertakeAnEarlierOneOfTheSameBytes() {
    try (WriteBack buffer = buffer()) {
      CompletableFuture<Void> gate = log.block();
      CompletableFuture<Void> flushed = new CompletableFuture<>();
      for (String version : List.of("a", "b", "c")) {
        assertThat(buffer.write(FILE, 0, text(version), CALLER)).isEqualTo(Result.done());
        var unused =
            world.start(
                "flush",
                () -> {
                  buffer.settle(FILE);
                  flushed.complete(null);
                });
        Eventually.eventually(() -> assertThat(log.atGate()).isEqualTo(1));
        assertThat(read(buffer, 0, 1)).isEqualTo(version);
      }
      gate.complete(null);
      flushed.join();
      buffer.settle(FILE);
      assertThat(log.text()).isEqualTo("c");
    }
  }

  @Test
  void appendsKeepTheirOrderAndReadersSeeThem() {
    try (WriteBack buffer = buffer()) {
      for (int i = 0; i < 10; i++) {
        assertThat(buffer.append(FILE, text(i + ""), CALLER)).isEqualTo(Result.done());
      }
      assertThat(log.text()).isEmpty();
      assertThat(read(buffer, 0, 20)).isEqualTo("0123456789");
      assertThat(log.entries()).containsExactly(10);
      assertThat(buffer.write(FILE, 0, text("x"), CALLER)).isEqualTo(Result.done());
      assertThat(buffer.append(FILE, text("y"), CALLER)).isEqualTo(Result.done());
      assertThat(read(buffer, 0, 20)).isEqualTo("x123456789y");
    }
  }

  @Test
  void aTruncationDropsTheBytesBehindIt() {
    try (WriteBack buffer = buffer()) {
      assertThat(buffer.write(FILE, 0, text("abcdef"), CALLER)).isEqualTo(Result.done());
      buffer.truncate(FILE, 3);
      buffer.settle(FILE);
      assertThat(log.text()).isEqualTo("abc");
      assertThat(buffer.append(FILE, text("never"), CALLER)).isEqualTo(Result.done());
      buffer.truncate(FILE, 0);
      assertThat(log.text()).isEqualTo("abc");
    }
  }

  @Test
  void theEndOfTheBufferWritesAllThatWaits() {
    try (WriteBack buffer = buffer()) {
      assertThat(buffer.write(FILE, 0, text("abc"), CALLER)).isEqualTo(Result.done());
    }
    assertThat(log.text()).isEqualTo("abc");
  }
}
