package corfu.nbd;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * A device of bytes that one connection has opened. A write whose future has completed is part of
 * every later read of any connection. It is durable when a later {@link #flush} of any connection
 * has completed, or at once if it forces unit access ({@code fua}).
 *
 * <p>Ranges lie within the device, and have any alignment. Futures fail with {@link
 * BlockDeviceException} only. Thread-safe; calls do not block.
 */
public interface BlockDevice extends ExportDescription, AutoCloseable {

  /**
   * Reads a range into a buffer, which is the device's until the future has completed. If it fails,
   * the buffer may hold anything.
   *
   * @param into receives the bytes from its position to its limit; both stay as they are
   */
  CompletableFuture<Void> read(long offset, ByteBuffer into);

  /** Reads a range. */
  default CompletableFuture<ByteBuffer> read(long offset, int length) {
    ByteBuffer into = ByteBuffer.allocate(length);
    return read(offset, into).thenApply(nothing -> into);
  }

  /**
   * Writes bytes.
   *
   * @param data the bytes from the buffer's position to its limit; the device keeps the buffer, and
   *     the caller does not change it
   */
  CompletableFuture<Void> write(long offset, ByteBuffer data, boolean fua);

  /** Makes durable what was written before this call. */
  CompletableFuture<Void> flush();

  /** Tells that the range is not needed. It reads as zeros afterwards. */
  CompletableFuture<Void> trim(long offset, long length, boolean fua);

  /**
   * Makes a range zeros.
   *
   * @param mayPunch whether the range may lose its space
   * @param fastOnly whether to fail with {@code NOT_SUPPORTED} rather than write zeros as data
   */
  CompletableFuture<Void> writeZeroes(
      long offset, long length, boolean mayPunch, boolean fastOnly, boolean fua);

  /** Brings a range into memory, as far as there is room. */
  CompletableFuture<Void> cache(long offset, long length);

  /**
   * Returns the status of a range, in a context that {@link #contexts} returned. The extents follow
   * each other from the offset on, and need not cover the whole range, but at least one byte. At
   * most 65,536 extents reach the client.
   */
  CompletableFuture<List<StatusExtent>> blockStatus(String context, long offset, long length);

  /**
   * A range with one status.
   *
   * @param length the number of bytes, 1 or more
   * @param flags the status, as the context defines it
   */
  record StatusExtent(long length, long flags) {}

  /**
   * Registers a receiver of new sizes of the device in bytes. It learns the size of a {@link
   * #resize} before the future is complete. Calls come from any thread.
   */
  void onResize(LongConsumer receiver);

  /**
   * Gives the device another size.
   *
   * @param sizeBytes the new size in bytes, at least 0
   */
  default CompletableFuture<Void> resize(long sizeBytes) {
    return CompletableFuture.failedFuture(
        new BlockDeviceException(
            BlockDeviceException.Reason.NOT_PERMITTED, "clients cannot resize this device"));
  }

  /** Gives the device back. Does not wait, and does not flush. */
  @Override
  void close();
}
