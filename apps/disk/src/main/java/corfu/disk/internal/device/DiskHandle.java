package corfu.disk.internal.device;

import corfu.nbd.BlockDevice;
import corfu.nbd.DeviceInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** A connection's use of a {@link SharedDisk}. Thread-safe. */
public final class DiskHandle implements BlockDevice {

  /** The part of a server that knows who uses a disk. Thread-safe; calls do not block. */
  public interface Uses {

    /** Registers a receiver of new sizes. */
    void onResize(DiskHandle handle, LongConsumer receiver);

    /** Records that a connection does not use the disk any more. */
    void hasClosed(DiskHandle handle);
  }

  private final SharedDisk disk;
  private final Uses uses;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  public DiskHandle(SharedDisk disk, Uses uses) {
    this.disk = disk;
    this.uses = uses;
  }

  /** Returns the number of times that the disk was taken over until this server has it. */
  public long epoch() {
    return disk.epoch();
  }

  @Override
  public DeviceInfo info() {
    return disk.description().info();
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer into) {
    return disk.read(offset, into);
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer data, boolean fua) {
    return disk.write(offset, data, fua);
  }

  @Override
  public CompletableFuture<Void> flush() {
    return disk.flush();
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean fua) {
    return disk.punch(offset, length, fua);
  }

  /** Zeros are never data: the log could not reserve room for them. */
  @Override
  public CompletableFuture<Void> writeZeroes(
      long offset, long length, boolean mayPunch, boolean fastOnly, boolean fua) {
    return disk.punch(offset, length, fua);
  }

  /** Does nothing: memory holds no written data. */
  @Override
  public CompletableFuture<Void> cache(long offset, long length) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public List<String> contexts(String query) {
    return disk.description().contexts(query);
  }

  @Override
  public CompletableFuture<List<StatusExtent>> blockStatus(
      String context, long offset, long length) {
    return disk.status(context, offset, length);
  }

  @Override
  public void onResize(LongConsumer receiver) {
    uses.onResize(this, receiver);
  }

  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      uses.hasClosed(this);
    }
  }
}
