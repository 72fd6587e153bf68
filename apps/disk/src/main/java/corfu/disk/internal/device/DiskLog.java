package corfu.disk.internal.device;

import corfu.bytes.Owner;
import corfu.bytes.RangeChange;
import corfu.bytes.WriteOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The log as the only writer of a disk uses it. Thread-safe. */
public interface DiskLog {

  /**
   * Appends changes as one entry, which is durable when the future completes. The future fails with
   * a {@link corfu.runtime.CorfuException} if the entry may not be in the log.
   */
  CompletableFuture<WriteOutcome> append(List<RangeChange> changes);

  /** Returns the content with all changes whose futures have completed. */
  DiskContent content();

  /** Returns the number of times that the disk was taken over until this writer has it. */
  long epoch();

  /** Registers a receiver of the writer that has taken over. */
  void onFenced(Consumer<Owner> receiver);

  /** Gives the writer's role back. May block. */
  void release();
}
