package corfu.runtime.internal.append;

import corfu.runtime.Deadline;
import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of this client's in-flight appends to streams. A reader of the same client that
 * finds such an address waits for the append instead of polling. Holds no more than what is in
 * flight. Thread-safe.
 */
public final class InFlightAppends {

  private final World world;
  private final ConcurrentHashMap<Long, CompletableFuture<?>> appends = new ConcurrentHashMap<>();

  public InFlightAppends(World world) {
    this.world = world;
  }

  /**
   * Registers an append that has received this address. It ends, at whatever address, with the
   * future.
   */
  void add(long address, CompletableFuture<?> done) {
    appends.put(address, done);
    var unused = done.whenComplete((where, failure) -> appends.remove(address, done));
  }

  /**
   * Waits until the append at this address is done, {@code most} has elapsed, or the deadline has
   * passed. Returns at once if there is no such append.
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
