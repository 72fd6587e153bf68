package corfu.disk.internal.device;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.DeviceInfo;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A version of a disk, read-only. Nothing fences it, and it needs no writer's role. Thread-safe.
 */
public final class PastDevice implements BlockDevice {

  private final DeviceFacts facts;
  private final DiskDescription description;
  private final DiskContent content;
  private final DeviceReads reads;
  private final StatusReader status;

  /**
   * @param facts the disk at the version; its size is that of the version
   * @param content the bytes of the version
   */
  public PastDevice(World world, DeviceFacts facts, DiskContent content) {
    this.facts = facts;
    this.description = new DiskDescription(facts, true);
    this.content = content;
    this.reads = new DeviceReads(world, facts.name());
    this.status = new StatusReader(facts);
  }

  @Override
  public DeviceInfo info() {
    return description.info();
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer into) {
    int length = into.remaining();
    return checked(
        offset,
        length,
        () ->
            reads
                .read(() -> Layers.of(content), () -> {}, offset, length)
                .thenAccept(data -> into.duplicate().put(data.duplicate())));
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer data, boolean fua) {
    return refused();
  }

  /** Does nothing: all that can be read is durable. */
  @Override
  public CompletableFuture<Void> flush() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean fua) {
    return refused();
  }

  @Override
  public CompletableFuture<Void> writeZeroes(
      long offset, long length, boolean mayPunch, boolean fastOnly, boolean fua) {
    return refused();
  }

  private <T> CompletableFuture<T> refused() {
    return CompletableFuture.failedFuture(
        new BlockDeviceException(
            Reason.READ_ONLY, "%s is read-only; clone it to change it".formatted(facts.name())));
  }

  @Override
  public CompletableFuture<Void> cache(long offset, long length) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public List<String> contexts(String query) {
    return description.contexts(query);
  }

  @Override
  public CompletableFuture<List<StatusExtent>> blockStatus(
      String context, long offset, long length) {
    return checked(
        offset,
        length,
        () ->
            reads.ask(
                "look at the map of",
                () -> status.status(context, Layers.of(content), offset, length)));
  }

  private <T> CompletableFuture<T> checked(
      long offset, long length, Supplier<CompletableFuture<T>> request) {
    try {
      facts.check(offset, length);
      return request.get();
    } catch (BlockDeviceException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /** Never calls the receiver: a version has one size. */
  @Override
  public void onResize(LongConsumer receiver) {}

  @Override
  public void close() {}
}
