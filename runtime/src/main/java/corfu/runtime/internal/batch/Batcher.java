package corfu.runtime.internal.batch;

import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Lets calls share round trips. While batches are in flight, new items gather. They leave together
 * when a batch is done or waits only for slow servers, or as soon as enough have gathered. An item
 * that comes when nothing is in flight leaves at once; it uses its caller's thread if the caller is
 * going to wait anyway. Thread-safe.
 *
 * <p>The items that wait or are in flight are bounded by weight; callers wait for room.
 */
public final class Batcher<T> {

  /**
   * The bounds on one batch, on the number of batches in flight, and on the weight of all items.
   */
  public record Bounds(int batchItems, long batchWeight, int batchesUnderWay, long totalWeight) {}

  /** Runs batches. */
  @FunctionalInterface
  public interface BatchRunner<T> {
    /**
     * Runs one batch. Blocks, and never throws. Several batches may run at the same time.
     *
     * @param items one or more items
     * @param turn the place of the batch in the order of the items
     * @param onlySlowOnesLeft a callback to run when the batch waits only for servers that are
     *     slower than others; the next batch need not wait for them, too
     */
    void run(List<T> items, Turn turn, Runnable onlySlowOnesLeft);
  }

  /**
   * The place of a batch in the order of the items. Runners that keep this order complete the turn
   * of each batch.
   *
   * @param previous the turn of the batch before
   * @param own the batch's own turn, which the next batch receives as {@code previous}
   */
  public record Turn(CompletableFuture<Void> previous, CompletableFuture<Void> own) {}

  /** The most batches left behind by others, as a multiple of the batches that may be in flight. */
  private static final int LEFT_BEHIND = 256;

  /** The time that items wait for a batch in flight before the gathered items leave, too. */
  private static final long PATIENCE_NANOS = 2_000_000;

  /**
   * After this many times {@link #PATIENCE_NANOS} without an ended batch, the oldest batch is left
   * behind.
   */
  private static final int QUIET_LOOKS = 8;

  /** A batch is equal only to itself. The lock guards its state. */
  private static final class Batch {
    private final long number;
    private final long weight;
    private final Runnable run;
    private boolean isLeftBehind;

    /** The time since which the batch waits only for slow servers; empty if it does not. */
    private OptionalLong stalledNanos = OptionalLong.empty();

    /**
     * Whether many batches may wait for long already. Such a batch gets no thread of the system.
     */
    private boolean isOneOfMany;

    private Batch(long number, long weight, Consumer<Batch> run) {
      this.number = number;
      this.weight = weight;
      this.run = () -> run.accept(this);
    }
  }

  private final World world;
  private final String name;
  private final Bounds bounds;
  private final ToLongFunction<T> weigh;
  private final Function<T, Deadline> deadlines;
  private final BatchRunner<T> runner;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final ArrayDeque<T> gathered = new ArrayDeque<>();
  private long gatheredWeight;
  private long totalWeight;

  /** The batches in flight and those left behind, the oldest first. */
  private final List<Batch> running = new ArrayList<>();

  private int underWay;
  private int leftBehind;

  /** The number of times that a batch has begun or ended. */
  private long progress;

  private CompletableFuture<Void> lastTurn = CompletableFuture.completedFuture(null);

  private int quietLooks;
  private boolean isWatched;

  /**
   * @param deadlines an item's deadline for its wait for room
   * @param runner the runner of batches, called without the lock
   */
  public Batcher(
      World world,
      String name,
      Bounds bounds,
      ToLongFunction<T> weigh,
      Function<T, Deadline> deadlines,
      BatchRunner<T> runner) {
    this.world = world;
    this.name = name;
    this.bounds = bounds;
    this.weigh = weigh;
    this.deadlines = deadlines;
    this.runner = runner;
  }

  /**
   * Submits an item. Returns at once, unless there is no room.
   *
   * @throws UnavailableException if there is no room by the item's deadline
   */
  public void submit(T item) {
    add(item).ifPresent(this::start);
  }

  /** Submits an item, and lends the calling thread to the batch if a batch starts with it. */
  public void submitAndHelp(T item) {
    add(item).ifPresent(this::run);
  }

  private Optional<Batch> add(T item) {
    long weight = weigh.applyAsLong(item);
    lock.lock();
    try {
      while (totalWeight > 0 && totalWeight + weight > bounds.totalWeight) {
        awaitRoom(deadlines.apply(item));
      }
      totalWeight += weight;
      gatheredWeight += weight;
      gathered.add(item);
      if (mayStart()) {
        return Optional.of(take());
      }
      watch();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private void awaitRoom(Deadline deadline) {
    if (deadline.hasPassed()) {
      throw new UnavailableException(
          "%d bytes are in flight already, and none of them ended within %d ms; nothing was sent"
              .formatted(totalWeight, deadline.timeout().toMillis()));
    }
    deadline.await(lock, room);
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
    Turn turn = new Turn(lastTurn, new CompletableFuture<>());
    lastTurn = turn.own();
    Batch next =
        new Batch(progress++, weight, self -> runner.run(batch, turn, () -> stalled(self)));
    next.isOneOfMany = leftBehind >= bounds.batchesUnderWay;
    running.add(next);
    return next;
  }

  /** Makes sure that gathered items do not wait for one slow server. */
  private void watch() {
    if (!isWatched) {
      isWatched = true;
      long soFar = progress;
      var unused = world.after(PATIENCE_NANOS, () -> look(soFar).ifPresent(this::start));
    }
  }

  /**
   * Starts a batch if the others stall.
   *
   * @param soFar the value of {@link #progress} when the watch began
   */
  private Optional<Batch> look(long soFar) {
    lock.lock();
    try {
      isWatched = false;
      if (gathered.isEmpty()) {
        return Optional.empty();
      }
      leaveStalledBehind();
      if (mayStart()) {
        return Optional.of(take());
      }
      quietLooks = progress == soFar ? quietLooks + 1 : 0;
      if (quietLooks >= QUIET_LOOKS) {
        running.stream().filter(batch -> !batch.isLeftBehind).findFirst().ifPresent(this::pass);
      }
      if (quietLooks > 0 && underWay < bounds.batchesUnderWay) {
        quietLooks = 0;
        return Optional.of(take());
      }
      watch();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that a batch waits only for slow servers. The batch keeps its place for now: servers
   * take turns, and a reply that is a little late is not slow.
   */
  private void stalled(Batch batch) {
    long nowNanos = world.nanoTime();
    lock.lock();
    try {
      batch.stalledNanos = OptionalLong.of(nowNanos);
    } finally {
      lock.unlock();
    }
  }

  private void leaveStalledBehind() {
    long sinceNanos = world.nanoTime() - PATIENCE_NANOS;
    for (Batch batch : running) {
      if (batch.stalledNanos.isPresent() && batch.stalledNanos.getAsLong() - sinceNanos <= 0) {
        pass(batch);
      }
    }
  }

  /** Leaves batches behind that are older than this batch, which is done. */
  private void leaveOlderBehind(Batch done) {
    for (Batch other : running) {
      if (other.number < done.number) {
        pass(other);
      }
    }
  }

  private void pass(Batch slow) {
    if (!slow.isLeftBehind && leftBehind < LEFT_BEHIND * bounds.batchesUnderWay) {
      slow.isLeftBehind = true;
      leftBehind++;
      underWay--;
    }
  }

  private void start(Batch batch) {
    if (batch.isOneOfMany) {
      var unused = world.start(name, () -> runUntilEmpty(batch));
    } else {
      world.work(name, () -> runUntilEmpty(batch));
    }
  }

  /**
   * Runs the caller's own batch only. Items that gathered meanwhile must not keep the caller busy.
   */
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
      progress++;
      running.remove(batch);
      if (batch.isLeftBehind) {
        leftBehind--;
      } else {
        underWay--;
      }
      leaveOlderBehind(batch);
      totalWeight -= batch.weight;
      room.signalAll();
      return mayStart() ? Optional.of(take()) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }
}
