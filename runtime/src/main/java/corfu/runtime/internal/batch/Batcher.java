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
 * Lets calls share round trips: what comes while batches are under way gathers, and goes out
 * together when one of them is done, or waits for slow servers only, or as soon as enough has
 * gathered. What comes when nothing is under way leaves at once, on its caller's thread if the
 * caller is going to wait anyway. Thread-safe.
 *
 * <p>What waits and what is under way is bounded by weight; callers wait for room.
 */
public final class Batcher<T> {

  /** How much may be together. */
  public record Bounds(int batchItems, long batchWeight, int batchesUnderWay, long totalWeight) {}

  /** Carries batches out. */
  @FunctionalInterface
  public interface BatchRunner<T> {
    /**
     * Carries one batch out. Blocks, and never throws. Several batches may run at the same time.
     *
     * @param items one or more
     * @param turn the place of the batch in the order of the items
     * @param onlySlowOnesLeft to be run when what is left of the batch waits for servers that take
     *     longer than others: the next batch need not wait for them, too
     */
    void run(List<T> items, Turn turn, Runnable onlySlowOnesLeft);
  }

  /**
   * The place of a batch in the order of the items. Runners that keep this order complete the turn
   * of each batch.
   *
   * @param previous the turn of the batch before
   * @param own the batch's own, which the next one is given as {@code previous}
   */
  public record Turn(CompletableFuture<Void> previous, CompletableFuture<Void> own) {}

  /** So many times as many batches as may be under way may be left behind by others. */
  private static final int LEFT_BEHIND = 256;

  /** How long items wait for a batch under way before those that have gathered leave, too. */
  private static final long PATIENCE_NANOS = 2_000_000;

  /** For so many times as long nothing has ended: then the oldest batch is left behind. */
  private static final int QUIET_LOOKS = 8;

  /** Equal only to itself; its state is the lock's. */
  private static final class Batch {
    private final long number;
    private final long weight;
    private final Runnable run;
    private boolean isLeftBehind;

    /** Since when it waits for slow servers only, if it does. */
    private OptionalLong stalledNanos = OptionalLong.empty();

    /** Whether there are many already that may wait for long: no thread of the system's for it. */
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

  /** Those under way and those left behind, the oldest first. */
  private final List<Batch> running = new ArrayList<>();

  private int underWay;
  private int leftBehind;

  /** How often a batch has begun or ended. */
  private long progress;

  private CompletableFuture<Void> lastTurn = CompletableFuture.completedFuture(null);

  private int quietLooks;
  private boolean isWatched;

  /**
   * @param deadlines until when an item waits for room
   * @param runner is called outside of the lock
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
   * Hands an item over; returns at once, unless there is no room.
   *
   * @throws UnavailableException if there was none by the item's deadline
   */
  public void submit(T item) {
    add(item).ifPresent(this::start);
  }

  /** The same, and lends the calling thread to the batch if one starts with it. */
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
          "%d bytes are in flight already, and nothing of it ended within %d ms; nothing was sent"
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

  /** What has gathered shall not wait for one slow server. */
  private void watch() {
    if (!isWatched) {
      isWatched = true;
      long soFar = progress;
      var unused = world.after(PATIENCE_NANOS, () -> look(soFar).ifPresent(this::start));
    }
  }

  /** Whether batches have begun or ended since it was so far. */
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
   * Servers take turns, and what is a little late is not slow: the batch keeps its place so far.
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

  /** Those whom this one, which began later and is done, has passed. */
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
