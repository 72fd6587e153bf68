package corfu.store.http;

import corfu.world.World;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs each request on a virtual thread of its own, from its head to its reply. Their number is
 * bounded: a request beyond the bound displaces the one that has waited for its client the longest.
 * Slow clients cannot shut others out. Thread-safe.
 */
final class Transfers implements Executor {

  private static final ScopedValue<Transfer> CURRENT = ScopedValue.newInstance();

  private final World world;
  private final Transfer.Limits limits;
  private final int most;
  private final Set<Transfer> running = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong cut = new AtomicLong();

  /**
   * @param most the largest number of requests at the same time
   */
  Transfers(World world, Transfer.Limits limits, int most) {
    this.world = world;
    this.limits = limits;
    this.most = most;
  }

  /** Returns the transfer of the request that the calling thread runs. */
  static Transfer current() {
    return CURRENT.get();
  }

  /** Returns how many transfers were cut so far. */
  long cut() {
    return cut.get();
  }

  /**
   * Runs a request, from the first byte of its head.
   *
   * @throws RejectedExecutionException if the store executes all other requests; the connection
   *     closes
   */
  @Override
  public void execute(Runnable request) {
    if (count.incrementAndGet() > most && !displaceSlowest()) {
      count.decrementAndGet();
      throw new RejectedExecutionException("%d requests are in progress".formatted(most));
    }
    var unused = world.start("corfu-store-request", () -> run(request));
  }

  private boolean displaceSlowest() {
    var slowest =
        running.stream()
            .filter(transfer -> transfer.waitsSince().isPresent())
            .min(Comparator.comparingLong(transfer -> transfer.waitsSince().orElse(0)));
    slowest.ifPresent(Transfer::cut);
    return slowest.isPresent();
  }

  private void run(Runnable request) {
    Transfer transfer = new Transfer(world, limits, cut::incrementAndGet);
    running.add(transfer);
    try {
      ScopedValue.where(CURRENT, transfer).run(request);
    } finally {
      var unused = transfer.finish();
      running.remove(transfer);
      count.decrementAndGet();
    }
  }
}
