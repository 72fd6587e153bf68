package corfu.nbd.testing;

import corfu.nbd.BlockDevice;
import corfu.nbd.DeviceInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * A device of 1 MiB that fails. Thread-safe.
 *
 * @param failure the failure of all calls
 */
public record FailingDevice(RuntimeException failure) implements BlockDevice {

  private static final long SIZE = 1 << 20;

  private <T> CompletableFuture<T> failed() {
    return CompletableFuture.failedFuture(failure);
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo("a failing device", SIZE, 1, 4096, false);
  }

  /** Throws the failure, as a device with a mistake does. */
  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer into) {
    throw failure;
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer data, boolean fua) {
    return failed();
  }

  @Override
  public CompletableFuture<Void> flush() {
    return failed();
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean fua) {
    return failed();
  }

  @Override
  public CompletableFuture<Void> writeZeroes(
      long offset, long length, boolean mayPunch, boolean fastOnly, boolean fua) {
    return failed();
  }

  @Override
  public CompletableFuture<Void> cache(long offset, long length) {
    return failed();
  }

  @Override
  public List<String> contexts(String query) {
    return List.of();
  }

  @Override
  public CompletableFuture<List<StatusExtent>> blockStatus(
      String context, long offset, long length) {
    return failed();
  }

  @Override
  public void onResize(LongConsumer receiver) {}

  @Override
  public void close() {}
}
