package corfu.runtime;

import corfu.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Lets calls share round trips: what comes while batches are under way gathers, and goes out
 * together when one of them is done, or as soon as enough has gathered. What comes when nothing is
 * under way leaves at once, on its caller's thread if the caller is going to wait anyway.
 * Thread-safe.
 *
 * <p>What waits and what is under way is bounded by weight; callers wait for room.
 */
final class Gatherer<T> {

  /** How much may be together. */
  record Bounds(int batchItems, long batchWeight, int batchesUnderWay, long totalWeight) {}

  private record Batch(long weight, Runnable run) {}

  private final World world;
  private final String name;
  private final Bounds bounds;
  private final ToLongFunction<T> weigh;
  private final Function<List<T>, Runnable> makeBatch;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final ArrayDeque<T> gathered = new ArrayDeque<>();
  private long gatheredWeight;
  private long totalWeight;
  private int underWay;

  /**
   * @param makeBatch makes what carries a batch out, blocking, and never throws. It is called for
   *     one batch after the other, in the order of their items; what it makes may run at the same
   *     time.
   */
  Gatherer(
      World world,
      String name,
      Bounds bounds,
      ToLongFunction<T> weigh,
      Function<List<T>, Runnable> makeBatch) {
    this.world = world;
    this.name = name;
    this.bounds = bounds;
    this.weigh = weigh;
    this.makeBatch = makeBatch;
  }

  /** Hands an item over; returns at once, unless there is no room. */
  void submit(T item) {
    add(item).ifPresent(this::start);
  }

  /** Hands an item over, and lends the calling thread to the batch if one starts with it. */
  void submitAndHelp(T item) {
    add(item).ifPresent(this::run);
  }

  private Optional<Batch> add(T item) {
    long weight = weigh.applyAsLong(item);
    lock.lock();
    try {
      while (totalWeight > 0 && totalWeight + weight > bounds.totalWeight) {
        room.awaitUninterruptibly();
      }
      totalWeight += weight;
      gatheredWeight += weight;
      gathered.add(item);
      return mayStart() ? Optional.of(take()) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private boolean mayStart() {
    if (gathered.isEmpty() || underWay >= bounds.batchesUnderWay) {
      return false;
    }
    return underWay == 0
        || gathered.size() >= bounds.batchItems / 4
        || gatheredWeight >= bounds.batchWeight / 4;
  }

  private Batch take() {
    List<T> batch = new ArrayList<>(Math.min(gathered.size(), bounds.batchItems));
    long weight = 0;
    while (!gathered.isEmpty() && batch.size() < bounds.batchItems) {
      long next = weigh.applyAsLong(gathered.getFirst());
      if (!batch.isEmpty() && weight + next > bounds.batchWeight) {
        break;
      }
      weight += next;
      batch.add(gathered.removeFirst());
    }
    gatheredWeight -= weight;
    underWay++;
    return new Batch(weight, makeBatch.apply(batch));
  }

  private void start(Batch batch) {
    world.start(name, () -> runUntilEmpty(batch));
  }

  /** The caller's own batch only: it must not be kept busy with what others gathered meanwhile. */
  private void run(Batch batch) {
    batch.run.run();
    finished(batch).ifPresent(this::start);
  }

  private void runUntilEmpty(Batch first) {
    Optional<Batch> batch = Optional.of(first);
    while (batch.isPresent()) {
      batch.get().run.run();
      batch = finished(batch.get());
    }
  }

  private Optional<Batch> finished(Batch batch) {
    lock.lock();
    try {
      underWay--;
      totalWeight -= batch.weight;
      room.signalAll();
      return mayStart() ? Optional.of(take()) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }
}
