package corfu.disk.internal.device;

import corfu.bytes.ArrayWriter;
import corfu.bytes.Owner;
import corfu.bytes.RangeChange;
import corfu.bytes.WriteOutcome;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The only writer of a byte array as the log of a disk. Thread-safe. */
public record ArrayLog(World world, ArrayWriter writer) implements DiskLog {

  /** The note of each entry is the time, for people. */
  @Override
  public CompletableFuture<WriteOutcome> append(List<RangeChange> changes) {
    ByteBuffer time =
        ByteBuffer.allocate(Long.BYTES).putLong(world.wallTimeMillis()).flip().asReadOnlyBuffer();
    return writer.append(changes, time);
  }

  @Override
  public DiskContent content() {
    return new ArrayContent(writer.view());
  }

  @Override
  public long epoch() {
    return writer.epoch();
  }

  @Override
  public void onFenced(Consumer<Owner> receiver) {
    writer.onFenced(receiver);
  }

  @Override
  public void release() {
    writer.release();
  }
}
