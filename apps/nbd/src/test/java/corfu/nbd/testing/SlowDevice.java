package corfu.nbd.testing;

import corfu.nbd.BlockDevice;
import corfu.nbd.DeviceInfo;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** A device that answers when the test says so. Thread-safe. */
public final class SlowDevice implements BlockDevice {

  /** The futures of calls that wait, in the order of the calls. */
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private final AtomicBoolean closed = new AtomicBoolean();
  private final long sizeBytes;

  /** Creates a device of so many bytes. */
  public SlowDevice(long sizeBytes) {
    this.sizeBytes = sizeBytes;
  }

  private synchronized <T> CompletableFuture<T> later(T value) {
    CompletableFuture<T> future = new CompletableFuture<>();
    waiting.add(() -> future.complete(value));
    return future;
  }

  private CompletableFuture<Void> later() {
    CompletableFuture<Void> future = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(() -> future.complete(null));
    }
    return future;
  }

  /** Returns the number of calls that wait. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /** Answers the oldest call. */
  public void answer() {
    Runnable next;
    synchronized (this) {
      next = waiting.remove();
    }
    next.run();
  }

  /** Returns whether the connection has given the device back. */
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo("a slow device", sizeBytes, 1, 4096, false);
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer into) {
    return later();
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer data, boolean fua) {
    return later();
  }

  @Override
  public CompletableFuture<Void> flush() {
    return later();
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean fua) {
    return later();
  }

  @Override
  public CompletableFuture<Void> writeZeroes(
      long offset, long length, boolean mayPunch, boolean fastOnly, boolean fua) {
    return later();
  }

  @Override
  public CompletableFuture<Void> cache(long offset, long length) {
    return later();
  }

  @Override
  public List<String> contexts(String query) {
    return List.of();
  }

  @Override
  public CompletableFuture<List<StatusExtent>> blockStatus(
      String context, long offset, long length) {
    return later(List.of(new StatusExtent(length, 0)));
  }

  @Override
  public void onResize(LongConsumer receiver) {}

  @Override
  public void close() {
    closed.set(true);
  }
}
