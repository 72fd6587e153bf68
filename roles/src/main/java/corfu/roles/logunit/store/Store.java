package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.logunit.scrub.Scrubber;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFullException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The address space of a unit on its disk, from its opening to its end. The store completes
 * commits, runs the maintenance of the files, and stops after a failure. {@link AddressSpace}
 * accepts the records.
 *
 * <p>Lives on the unit's thread.
 */
public final class Store implements CommitQueue.Owner {

  private static final Logger LOG = LoggerFactory.getLogger(Store.class);

  private final UnitMode mode;
  private final LogFiles logFiles;
  private final AddressIndex index = new AddressIndex();
  private final CommitQueue commits;
  private final CompactionCandidates candidates = new CompactionCandidates();
  private final AddressSpace space;
  private final BatchRollback rollback;
  private final Scrubber scrubber;
  private final Compression compression;
  private final Maintenance maintenance;
  private final Optional<RetiredStore> retired; // of an earlier store
  private boolean lookAgain; // records that were suspected may have been forgotten
  private String brokenBecause = "";

  private Store(Place place, long first, Optional<RetiredStore> retired) {
    LogUnitOptions options = place.options();
    this.mode = options.mode();
    this.retired = retired;
    this.logFiles = new LogFiles(place.disk(), place.world(), options, first, this::finished);
    this.compression = new Compression(logFiles, place.world(), mode);
    this.commits = new CommitQueue(mode, place.syncs(), this);
    this.space = new AddressSpace(logFiles, index, commits, candidates);
    this.rollback = new BatchRollback(this, commits);
    ScrubRate rate = mode == UnitMode.MEMORY ? ScrubRate.OFF : options.scrub();
    this.scrubber = new Scrubber(space, logFiles, index, place.world(), rate);
    this.maintenance =
        new Maintenance(
            place.background(),
            List.of(
                () -> retired.flatMap(RetiredStore::next),
                logFiles::nextFooter,
                logFiles.dropped()::nextDeletion,
                logFiles.spare(),
                new Compaction(space, commits, candidates, options.logFileBytes()),
                new DeferredDeletes(logFiles.dropped(), commits),
                new StreamSweep(space),
                compression,
                scrubber));
  }

  /**
   * Opens the store of a directory.
   *
   * @param place the unit's resources
   * @param first the lowest sequence number of a log file that counts
   */
  public static Store open(Place place, long first) {
    Store store = new Store(place, first, Optional.empty());
    try {
      store.recover(place.disk(), first);
      return store;
    } catch (RuntimeException | Error failure) {
      store.abandon();
      throw failure;
    }
  }

  /** Creates an empty store, and deletes the content of an earlier one. */
  public static Store empty(Place place, long first, RetiredStore retired) {
    Store store = new Store(place, first, Optional.of(retired));
    retired.onceCleared(store.logFiles.spare()::tryAgain);
    store.maintenance.poke();
    return store;
  }

  private void recover(Disk disk, long first) {
    List<TrimmedSet.Block> scattered = new Recovery(disk, logFiles, index, first).run();
    for (TrimmedSet.Block block : scattered) {
      space.appendTrims(block);
    }
    logFiles.all().forEach(candidates::add);
    start();
    maintenance.poke();
  }

  private void finished(LogFile logFile) {
    candidates.add(logFile);
    compression.finished(logFile);
  }

  /** Counts a request to this unit, of any kind. */
  public void requested() {
    commits.requested();
  }

  /** Counts a request to another role that shares this unit's thread. */
  public void neighborRequested() {
    commits.neighborRequested();
  }

  /** Returns the addresses and their content. */
  public AddressSpace space() {
    return space;
  }

  public boolean isBroken() {
    return !brokenBecause.isEmpty();
  }

  public String brokenBecause() {
    return brokenBecause;
  }

  // ---------------------------------------------------------------------------------- commits

  /** Starts the gathered batch, and other work that waits for the disk. */
  public void start() {
    if (!isBroken()) {
      commits.start();
    }
  }

  /** Called when no request is at hand. */
  public void pause() {
    start();
    if (!isBroken()) {
      maintenance.poke();
    }
  }

  /**
   * Runs disk work in the order of the batches.
   *
   * @param work returns the work; called at its turn
   * @param then receives the failure, or empty
   */
  public void inOrder(Supplier<Runnable> work, Consumer<Optional<Throwable>> then) {
    commits.add(work, then);
  }

  /** Runs disk work as {@link #inOrder}, but before everything that waits already. */
  public void inOrderFirst(Supplier<Runnable> work, Consumer<Optional<Throwable>> then) {
    commits.addFirst(work, then);
  }

  /** Stops everything after a failure: the state of the disk is unknown. */
  public void breakDown(Throwable failure) {
    commits.stop(List.of(), failure);
  }

  @Override
  public void settled(CommitBatch batch) {
    for (CommitBatch.Part part : batch.parts()) {
      part.logFile.settled = part.end;
      if (mode != UnitMode.BUFFERED) {
        part.logFile.durable = part.end;
      }
    }
    index.settledNext = Math.max(index.settledNext, batch.next());
    batch.onceSettled().forEach(Runnable::run);
    batch.waiting().forEach(CommitBatch.Waiting::settled);
  }

  @Override
  public void durable(CommitBatch batch) {
    for (CommitBatch.Part part : batch.parts()) {
      part.logFile.durable = Math.max(part.logFile.durable, part.end);
    }
    batch.onceDurable().forEach(Runnable::run);
    if (lookAgain && batch.bytes() > 0) {
      lookAgain = false;
      logFiles.all().forEach(candidates::add);
    }
    if (mode == UnitMode.DURABLE && commits.hasNothingToWrite()) {
      markDurable();
    }
    maintenance.poke();
  }

  private void markDurable() {
    try {
      logFiles.writeMark();
    } catch (DiskFullException full) {
      LOG.debug("no mark: {}", full.getMessage()); // the next record goes to the mark's place
    } catch (DiskException failure) {
      breakDown(failure);
    }
  }

  @Override
  public void broken(Throwable failure, List<CommitBatch> batches) {
    brokenBecause =
        failure instanceof DiskException
            ? "the disk of this log unit failed: %s; replace the disk or the unit"
                .formatted(failure.getMessage())
            : "this log unit stopped after an internal error: %s; restart it and report the error"
                .formatted(failure);
    LOG.error("{}", brokenBecause, failure);
    maintenance.abort();
    for (CommitBatch batch : batches) {
      batch.waiting().forEach(waiting -> waiting.broken(brokenBecause));
    }
  }

  @Override
  public void undone(List<CommitBatch> batches) {
    lookAgain = true; // waiting actions run when records can be written again
    rollback.undo(batches);
  }

  // ------------------------------------------------------------------------------------- resets

  /**
   * Writes only records that were accepted before, and begins no file, until {@link #goOn}.
   *
   * @return a number higher than that of any file
   */
  public long hold() {
    maintenance.hold();
    return logFiles.unusedSequence();
  }

  public void goOn() {
    maintenance.release();
  }

  /** Returns the content to delete after this store has {@linkplain #cease ceased}. */
  public RetiredStore retire(long next) {
    return new RetiredStore(logFiles, index, compression, next);
  }

  /**
   * Ends the store, whose content is void.
   *
   * @return the requests that still wait for a batch
   */
  public List<CommitBatch.Waiting> cease() {
    maintenance.cease();
    retired.ifPresent(RetiredStore::nobodyWaits);
    return commits.cease();
  }

  /** Runs the action after an earlier store's content is deleted. */
  public void onceCleared(Runnable then) {
    retired.ifPresentOrElse(left -> left.onceCleared(then), then);
  }

  /** Called repeatedly, as time passes: continues the scrubber. */
  public void scrub() {
    scrubber.goOn();
    pause();
  }

  public Compression compression() {
    return compression;
  }

  public Scrubber scrubber() {
    return scrubber;
  }

  /** Waits until nothing is being written. */
  public void drain() {
    if (!isBroken()) {
      commits.drain();
    }
  }

  /** Makes everything durable, finishes the active file, and closes all files. */
  public void close() {
    drain();
    maintenance.stop();
    if (!isBroken()) {
      compression.abandon();
      logFiles.closeActive();
      logFiles.finishAll();
    }
    logFiles.closeFiles();
    index.close();
  }

  /** Frees the memory of the index, and does nothing else. */
  public void abandon() {
    retired.ifPresent(RetiredStore::abandon);
    index.close();
  }
}
