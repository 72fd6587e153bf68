package corfu.roles.logunit.commit;

import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.logunit.task.AsyncTask;
import corfu.world.DiskFullException;
import corfu.world.Offload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Group commit. While one batch is being written, the next one gathers. When the batch is through,
 * all its requests are answered and the next batch starts. A lone batch starts at once. Other disk
 * work, such as the epoch's, has its place in the same order.
 *
 * <p>Units in buffered mode write at once, answer, and sync afterwards, without a pause as long as
 * there are unsynced batches.
 */
public final class CommitQueue {

  /**
   * Requests of other roles between two commits of a lone client: it asks the sequencer for a token
   * per append, and a health probe may come between.
   */
  private static final int NEIGHBOR_REQUESTS_OF_A_LONE_CLIENT = 2;

  private final UnitMode mode;
  private final AsyncTask task;
  private final Staging staging = new Staging();
  private final Owner owner;
  private final ArrayDeque<Item> waiting = new ArrayDeque<>();
  private final List<CommitBatch> unsynced = new ArrayList<>();
  private @Nullable CommitBatch running;
  private long requests; // of the unit since the last commit
  private long neighborRequests; // of other roles on the unit's thread since the last commit
  private boolean starting;
  private boolean stopped;

  /** The owner of the batches. */
  public interface Owner {

    /** The batch's records may be shown. */
    void settled(CommitBatch batch);

    /** The batch's records are synced. */
    void durable(CommitBatch batch);

    /**
     * The disk had no space for these batches. Their partial content in the files does not count.
     */
    void undone(List<CommitBatch> batches);

    /**
     * The disk failed, or a callback threw. The state of records that were not durable is unknown,
     * and the queue does nothing more.
     */
    void broken(Throwable failure, List<CommitBatch> batches);
  }

  private sealed interface Item {
    record Gathered(CommitBatch batch) implements Item {}

    record Work(Supplier<Runnable> work, Consumer<Optional<Throwable>> then) implements Item {}
  }

  public CommitQueue(UnitMode mode, Offload syncs, Owner owner) {
    this.mode = mode;
    this.task = new AsyncTask(syncs);
    this.owner = owner;
  }

  /** Returns the batch that has not started yet. */
  public CommitBatch gathering() {
    if (waiting.peekLast() instanceof Item.Gathered(CommitBatch batch)) {
      return batch;
    }
    CommitBatch batch = new CommitBatch(staging);
    waiting.add(new Item.Gathered(batch));
    return batch;
  }

  public long gatheredBytes() {
    long bytes = 0;
    for (Item item : waiting) {
      bytes += item instanceof Item.Gathered(CommitBatch batch) ? batch.bytes() : 0;
    }
    return bytes;
  }

  /** Returns the batch, gathering or running, that contains the record at this location. */
  public Optional<CommitBatch> covering(long location) {
    if (running != null && running.covers(location)) {
      return Optional.of(running);
    }
    for (Item item : waiting) {
      if (item instanceof Item.Gathered(CommitBatch batch) && batch.covers(location)) {
        return Optional.of(batch);
      }
    }
    return Optional.empty();
  }

  /** Returns the one of two unsettled batches that settles last. */
  public CommitBatch later(CommitBatch one, CommitBatch other) {
    for (Item item : (Iterable<Item>) waiting::descendingIterator) {
      if (item instanceof Item.Gathered(CommitBatch batch) && (batch == one || batch == other)) {
        return batch;
      }
    }
    return one; // both are running
  }

  /**
   * Runs work when everything before it is durable; later additions wait for it.
   *
   * @param work returns the work; called at that time
   * @param then receives the failure, or empty
   */
  public void add(Supplier<Runnable> work, Consumer<Optional<Throwable>> then) {
    waiting.add(new Item.Work(work, then));
  }

  /** Runs work as in {@link #add}, but before everything that waits. */
  public void addFirst(Supplier<Runnable> work, Consumer<Optional<Throwable>> then) {
    waiting.addFirst(new Item.Work(work, then));
  }

  public boolean hasNothingToWrite() {
    return waiting.isEmpty();
  }

  public boolean isIdle() {
    return running == null && !task.isRunning() && waiting.isEmpty() && unsynced.isEmpty();
  }

  /** Runs the action after everything accepted until now is durable. */
  public void onceAllIsDurable(Runnable then) {
    if (isIdle()) {
      then.run();
    } else {
      gathering().onceDurable(then);
    }
  }

  /** Starts all work that can start now. */
  public void start() {
    if (starting) {
      return;
    }
    starting = true;
    try {
      stopIfItThrows(this::startAll);
    } finally {
      starting = false;
    }
  }

  private void startAll() {
    while (!stopped && !task.isRunning() && (!waiting.isEmpty() || !unsynced.isEmpty())) {
      startNext();
    }
    while (!stopped && mode == UnitMode.BUFFERED && waiting.peek() instanceof Item.Gathered) {
      startNext(); // while a sync is running
    }
  }

  /**
   * A callback that throws has done an unknown part of its work, so the unit's memory may disagree
   * with its disk. The queue stops and the unit is broken, as after a failure of the disk.
   */
  private void stopIfItThrows(Runnable callbacks) {
    try {
      callbacks.run();
    } catch (RuntimeException | Error failure) {
      if (stopped) {
        throw failure;
      }
      stop(List.of(), failure);
    }
  }

  /** Starts the work, and waits until nothing is left to do. */
  public void drain() {
    start();
    while (!stopped && !isIdle()) {
      task.join();
      start();
    }
  }

  private void startNext() {
    Item item = waiting.peek();
    if (item instanceof Item.Gathered(CommitBatch batch)) {
      waiting.poll();
      batch.complete();
      if (mode == UnitMode.BUFFERED) {
        writeBuffered(batch);
      } else {
        running = batch;
        commit(batch);
      }
    } else if (!unsynced.isEmpty()) {
      List<CommitBatch> batches = List.copyOf(unsynced);
      unsynced.clear();
      task.run(() -> syncAll(batches), failure -> stopIfItThrows(() -> synced(batches, failure)));
    } else if (item
        instanceof Item.Work(Supplier<Runnable> work, Consumer<Optional<Throwable>> then)) {
      waiting.poll();
      task.run(
          work.get(),
          failure ->
              stopIfItThrows(
                  () -> {
                    then.accept(failure);
                    start();
                  }));
    }
  }

  /**
   * Commits on the loop itself if the write is alone: no other request came since the last commit.
   * That spares two thread switches, which cost about as much as the disk. The sync blocks the loop
   * and thus the sequencer and other roles on it, so a busy neighbor sends the sync to its thread.
   */
  private void commit(CommitBatch batch) {
    boolean alone =
        requests <= 1
            && neighborRequests <= NEIGHBOR_REQUESTS_OF_A_LONE_CLIENT
            && batch.waiting().size() <= 1;
    requests = 0;
    neighborRequests = 0;
    if (alone) {
      task.runHere(batch::writeAndSync, failure -> finished(batch, failure));
    } else {
      task.run(batch::writeAndSync, failure -> stopIfItThrows(() -> finished(batch, failure)));
    }
  }

  /** Counts a request to this unit, of any kind. */
  public void requested() {
    requests++;
  }

  /** Counts a request to another role that shares this unit's thread. */
  public void neighborRequested() {
    neighborRequests++;
  }

  private void writeBuffered(CommitBatch batch) {
    try {
      batch.write();
    } catch (RuntimeException failure) {
      failed(List.of(batch), failure);
      return;
    }
    owner.settled(batch);
    batch.release();
    unsynced.add(batch);
  }

  private static void syncAll(List<CommitBatch> batches) {
    Set<LogFile> done = new HashSet<>();
    for (CommitBatch batch : batches) {
      for (CommitBatch.Part part : batch.parts()) {
        if (done.add(part.logFile)) {
          part.sync();
        }
      }
    }
  }

  private void synced(List<CommitBatch> batches, Optional<Throwable> failure) {
    if (failure.isPresent()) {
      stop(batches, failure.get());
    } else {
      batches.forEach(owner::durable);
      start();
    }
  }

  private void finished(CommitBatch batch, Optional<Throwable> failure) {
    running = null;
    if (failure.isPresent()) {
      failed(List.of(batch), failure.get());
    } else {
      owner.settled(batch);
      owner.durable(batch);
      batch.release();
    }
    start();
  }

  private void failed(List<CommitBatch> first, Throwable failure) {
    if (failure instanceof DiskFullException) {
      List<CommitBatch> all = new ArrayList<>(first);
      all.addAll(takeGathered());
      owner.undone(all);
      all.forEach(CommitBatch::release);
    } else {
      stop(first, failure);
    }
  }

  /**
   * Stops the queue for ever after a failure.
   *
   * @param first the batches that have started
   * @param failure the failure
   */
  public void stop(List<CommitBatch> first, Throwable failure) {
    stopped = true;
    List<CommitBatch> all = new ArrayList<>(first);
    all.addAll(takeGathered());
    List<Item> works = List.copyOf(waiting);
    waiting.clear();
    owner.broken(failure, all);
    for (Item item : works) {
      if (item instanceof Item.Work(Supplier<Runnable> work, Consumer<Optional<Throwable>> then)) {
        then.accept(Optional.of(failure));
      }
    }
  }

  /**
   * Stops the queue because the stored content no longer counts. Nothing may be running.
   *
   * @return the requests that still wait for a batch
   */
  public List<CommitBatch.Waiting> cease() {
    stopped = true;
    List<CommitBatch> all = takeGathered();
    waiting.clear();
    unsynced.clear();
    all.forEach(CommitBatch::release);
    return all.stream().flatMap(batch -> batch.waiting().stream()).toList();
  }

  private List<CommitBatch> takeGathered() {
    List<CommitBatch> batches = new ArrayList<>();
    waiting.removeIf(
        item -> item instanceof Item.Gathered(CommitBatch batch) && batches.add(batch));
    return batches;
  }
}
