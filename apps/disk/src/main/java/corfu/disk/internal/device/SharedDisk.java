package corfu.disk.internal.device;

import corfu.bytes.Owner;
import corfu.bytes.RangeChange;
import corfu.bytes.WriteOutcome;
import corfu.disk.DiskOptions;
import corfu.disk.internal.cache.DiskBlocks;
import corfu.disk.internal.cache.Gap;
import corfu.nbd.BlockDevice.StatusExtent;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A disk that this server writes. All connections share it: so each of them sees the writes of all,
 * and a flush of one is a flush of all. Thread-safe.
 */
public final class SharedDisk {

  private static final Logger LOG = LoggerFactory.getLogger(SharedDisk.class);

  private final DeviceFacts facts;
  private final DiskLog log;
  private final WriteBuffer buffer;
  private final DeviceReads reads;
  private final StatusReader status;
  private final DiskBlocks blocks;
  private final LongAdder writtenBytes = new LongAdder();

  /**
   * @param blocks the disk's part of the cache of its server
   */
  public SharedDisk(
      World world, DiskLog log, DiskOptions options, DeviceFacts facts, DiskBlocks blocks) {
    this.blocks = blocks;
    this.facts = facts;
    this.log = log;
    this.buffer = new WriteBuffer(world, log, options, facts.name(), facts.blockBytes());
    this.reads = new DeviceReads(world, facts.name());
    this.status = new StatusReader(facts);
    log.onFenced(by -> buffer.end(OwnerText.fenced(facts.name(), by)));
  }

  DiskDescription description() {
    return new DiskDescription(facts, false);
  }

  CompletableFuture<Void> read(long offset, ByteBuffer into) {
    return guarded(
        offset,
        into.remaining(),
        () -> {
          Gap gap = blocks.read(offset, into);
          return gap.isNone()
              ? CompletableFuture.completedFuture(null)
              : fetch(
                  offset + gap.start(), into.slice(into.position() + gap.start(), gap.length()));
        });
  }

  private CompletableFuture<Void> fetch(long offset, ByteBuffer into) {
    int length = into.remaining();
    DiskBlocks.Fetch fetch = blocks.fetch(offset, length);
    return reads
        .read(() -> buffer.layers(offset, offset + length), this::askForRole, offset, length)
        .thenAccept(
            data -> {
              fetch.keep(data);
              into.duplicate().put(data.duplicate());
            });
  }

  /** A server that was taken over may not know it, while its successor reclaims entries. */
  private void askForRole() {
    try {
      if (log.append(List.of(new RangeChange.Punch(0, 0))).join()
          instanceof WriteOutcome.Fenced(Owner by)) {
        buffer.end(OwnerText.fenced(facts.name(), by));
      }
    } catch (CompletionException unknown) {
      LOG.debug("The log does not tell who writes disk {}", facts.name(), unknown);
    }
  }

  CompletableFuture<Void> write(long offset, ByteBuffer data, boolean isDurable) {
    writtenBytes.add(data.remaining());
    return change(offset, data.remaining(), isDurable, () -> Piece.of(offset, data));
  }

  CompletableFuture<Void> punch(long offset, long length, boolean isDurable) {
    return change(offset, length, isDurable, () -> Piece.zeros(offset, length));
  }

  private CompletableFuture<Void> change(
      long offset, long length, boolean isDurable, Supplier<Piece> piece) {
    return guarded(
        offset,
        length,
        () ->
            length == 0
                ? CompletableFuture.completedFuture(null)
                : changed(offset, length, piece.get(), isDurable));
  }

  /** The client hears of the change when nothing older is kept any more. */
  private CompletableFuture<Void> changed(
      long offset, long length, Piece piece, boolean isDurable) {
    Runnable end = blocks.change(offset, length);
    return buffer.change(piece, isDurable).whenComplete((done, failure) -> end.run());
  }

  /** Makes durable what was acknowledged before. */
  public CompletableFuture<Void> flush() {
    return buffer.flush();
  }

  CompletableFuture<List<StatusExtent>> status(String context, long offset, long length) {
    return guarded(
        offset,
        length,
        () ->
            reads.ask(
                "look at the map of",
                () ->
                    status.status(
                        context, buffer.layers(offset, offset + length), offset, length)));
  }

  private <T> CompletableFuture<T> guarded(
      long offset, long length, Supplier<CompletableFuture<T>> request) {
    try {
      Optional<BlockDeviceException> ended = buffer.ended();
      if (ended.isPresent()) {
        return CompletableFuture.failedFuture(ended.get());
      }
      facts.check(offset, length);
      return request.get();
    } catch (BlockDeviceException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /** Returns the reason for which the disk serves no more, if it has ended. */
  public Optional<BlockDeviceException> ended() {
    return buffer.ended();
  }

  /** Returns the number of times that the disk was taken over until this server has it. */
  long epoch() {
    return log.epoch();
  }

  /** Ends the disk: all that waits fails, and so does all that comes. */
  public void end(BlockDeviceException reason) {
    buffer.end(reason);
  }

  /** Returns the bytes that clients have written since the disk was opened. */
  public long writtenBytes() {
    return writtenBytes.sum();
  }

  /** Gives the writer's role back. All was flushed before, or is lost. May block. */
  public void release() {
    buffer.end(
        new BlockDeviceException(
            Reason.SHUTTING_DOWN, "disk %s is closed".formatted(facts.name())));
    log.release();
  }
}
