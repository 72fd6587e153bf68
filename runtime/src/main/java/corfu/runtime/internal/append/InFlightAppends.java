package corfu.runtime.internal.append;

import corfu.runtime.Deadline;
import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that appends of this client to streams have been given and not finished with: a
 * reader of the same client who meets one need not look again and again, but waits for the append.
 * Holds no more than is in flight. Thread-safe.
 */
public final class InFlightAppends {

  private final World world;
  private final ConcurrentHashMap<Long, CompletableFuture<?>> appends = new ConcurrentHashMap<>();

  public InFlightAppends(World world) {
    this.world = world;
  }

  /** An append has been given this address; it is done, wherever that is, with the future. */
  void add(long address, CompletableFuture<?> done) {
    appends.put(address, done);
    var unused = done.whenComplete((where, failure) -> appends.remove(address, done));
  }

  /**
   * Waits until the append that was given this address is done, if there is one, or time is over,
   * or the deadline has passed.
   */
  public void await(long address, Duration most, Deadline deadline) {
    @Nullable CompletableFuture<?> append = appends.get(address);
    if (append == null) {
      return;
    }
    CompletableFuture<Void> over = new CompletableFuture<>();
    World.Timer timer = world.after(deadline.remainingNanos(most), () -> over.complete(null));
    var unused = append.whenComplete((where, failure) -> over.complete(null));
    over.join();
    timer.cancel();
  }
}
