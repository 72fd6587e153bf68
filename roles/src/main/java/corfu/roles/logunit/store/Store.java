package corfu.roles.logunit.store;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.logfile.Purpose;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.scrub.Scrubber;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFullException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write-once address space on disk. It adds accepted records to the gathering batch, and
 * changes the index at the same time. Code that shows the index outside calls {@link #unsettled}
 * first.
 */
public final class Store implements CommitQueue.Owner, Compaction.Target, Scrubber.Target {

  private static final Logger LOG = LoggerFactory.getLogger(Store.class);
  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

  private final UnitMode mode;
  private final LogFiles logFiles;
  private final AddressIndex index = new AddressIndex();
  private final CommitQueue commits;
  private final StreamMarking streamMarks = new StreamMarking(this);
  private final TrimRecords trimRecords = new TrimRecords(this);
  private final Compaction compaction;
  private final BatchRollback rollback;
  private final Scrubber scrubber;
  private final Maintenance maintenance;
  private final Optional<RetiredStore> retired; // of an earlier store
  private boolean lookAgain; // records that were suspected may have been forgotten
  private String brokenBecause = "";

  private Store(Place place, long first, Optional<RetiredStore> retired) {
    LogUnitOptions options = place.options();
    this.mode = options.mode();
    this.retired = retired;
    this.logFiles =
        new LogFiles(place.disk(), place.world(), options, first, logFile -> suspect(logFile));
    this.commits = new CommitQueue(mode, place.syncs(), this);
    this.compaction = new Compaction(this, logFiles, index, options.logFileBytes());
    this.rollback = new BatchRollback(this, logFiles, index, commits);
    ScrubRate rate = mode == UnitMode.MEMORY ? ScrubRate.OFF : options.scrub();
    this.scrubber = new Scrubber(this, logFiles, index, place.world(), rate);
    this.maintenance =
        new Maintenance(
            place.background(),
            List.of(
                () -> retired.flatMap(RetiredStore::next),
                logFiles::nextFooter,
                logFiles::nextDeletion,
                logFiles.spare(),
                compaction,
                new DeferredDeletes(logFiles, commits),
                new StreamSweep(this, index),
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
      appendTrims(block);
    }
    logFiles.all().forEach(compaction::suspect);
    start();
    maintenance.poke();
  }

  /** Counts a request to this unit, of any kind. */
  public void requested() {
    commits.requested();
  }

  /** Counts a request to another role that shares this unit's thread. */
  public void neighborRequested() {
    commits.neighborRequested();
  }

  public AddressIndex index() {
    return index;
  }

  public LogFiles logFiles() {
    return logFiles;
  }

  public boolean isBroken() {
    return !brokenBecause.isEmpty();
  }

  public String brokenBecause() {
    return brokenBecause;
  }

  // ---------------------------------------------------------------------------------- records

  @Override
  public long append(Entry entry, Purpose purpose) {
    long bytes = RecordFormat.sizeOf(entry.lengthBytes());
    CommitBatch batch = commits.gathering();
    LogFile logFile = logFiles.roomFor(bytes, purpose, batch, index.mark).orElse(null);
    if (logFile == null) {
      return Location.NONE;
    }
    long offset = logFile.end;
    batch.addEntry(logFile, entry);
    logFile.content().add(entry, offset);
    logFile.holds(entry.address(), bytes);
    return Location.of(logFile.slot, offset, entry.isHole());
  }

  /** Writes an entry to an unwritten address. Returns false if there is no space. */
  public boolean write(Entry entry) {
    Purpose purpose = entry.isHole() ? Purpose.KEEPING : Purpose.DATA;
    long location = append(entry, purpose);
    if (location == Location.NONE) {
      return false;
    }
    index.records.put(entry.address(), location);
    index.streams.add(entry);
    logFiles.at(location).born(RecordFormat.sizeOf(entry.lengthBytes()));
    return true;
  }

  /**
   * Trims addresses. There must be {@linkplain #canKeep room} for a record of each block that they
   * touch.
   */
  public void trim(List<Long> addresses) {
    Trimming trimming = new Trimming(index, logFiles);
    for (long address : addresses) {
      trimming.trim(address);
      gathering().reaches(address + 1);
    }
    gathering().ifUndone(trimming::takeBack);
    gathering().onceSettled(() -> index.streams.forget(trimming.unknownBefore()));
    index.streams.died(trimming.deadCount());
    for (TrimmedSet.Block block : trimming.changed()) {
      check(appendTrims(block), "a record of trims");
    }
    if (!trimming.hurt().isEmpty()) {
      gathering().onceDurable(() -> trimming.hurt().forEach(compaction::suspect));
    }
  }

  /** Returns whether records of this total size could be written now, with the reserve. */
  public boolean canKeep(long bytes) {
    return logFiles.certainRoom() >= bytes
        || logFiles.hasRoomFor(bytes + 2 * logFiles.logFileBytes());
  }

  @Override
  public boolean appendTrims(TrimmedSet.Block block) {
    return trimRecords.append(block);
  }

  /** Trims everything below the mark. There must be {@linkplain #canKeep room} for a record. */
  public void trimBefore(long mark) {
    boolean allIsKnown = index.holdsAll(index.mark, mark);
    index.mark = Math.max(index.mark, mark);
    check(appendMark(), "the prefix-trim mark");
    if (!allIsKnown) {
      gathering().onceSettled(() -> index.streams.forget(mark));
    }
  }

  private boolean appendMark() {
    long mark = index.mark;
    LogFile logFile =
        logFiles.roomFor(RecordFormat.sizeOf(0), Purpose.KEEPING, gathering(), mark).orElse(null);
    if (logFile == null) {
      return false;
    }
    index.markLocation = Location.of(logFile.slot, logFile.end, false);
    gathering().addRecord(logFile, RecordFormat.PREFIX, mark, NO_BODY);
    gathering().reaches(mark);
    logFile.content().addPrefixMark(mark);
    gathering().onceSettled(() -> index.settledMark = Math.max(index.settledMark, mark));
    gathering().ifUndone(() -> index.mark = index.settledMark);
    gathering().onceDurable(() -> forgetBelow(mark));
    return true;
  }

  /**
   * Trims a stream below this stream address. There must be {@linkplain #canKeep room} for a
   * record.
   */
  public void trimStream(StreamId stream, long before) {
    index.streams.passBefore(stream, before);
    check(appendStreamMark(stream, before), "the mark of a stream");
  }

  @Override
  public boolean appendStreamMark(StreamId stream, long before) {
    return streamMarks.append(stream, before);
  }

  private void forgetBelow(long mark) {
    long before = index.records.size();
    index.records.removeBelow(mark);
    index.streams.died(before - index.records.size());
    index.streams.goneBelow(mark);
    for (TrimmedSet.Block block : index.trimmed.removeBelow(mark)) {
      if (block.location != Location.NONE) {
        logFiles.at(block.location).trimsDied();
      }
    }
    for (LogFile logFile : logFiles.all()) {
      if (logFile.isBelow(mark) || logFile.isCutBy(mark)) {
        compaction.suspect(logFile);
      }
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("there was room for " + what + " and now there is none");
    }
  }

  // ---------------------------------------------------------------------------------- commits

  @Override
  public CommitBatch gathering() {
    return commits.gathering();
  }

  public long gatheredBytes() {
    return commits.gatheredBytes();
  }

  /** Returns whether no accepted record is being written. Then nothing is {@link #unsettled}. */
  @Override
  public boolean isIdle() {
    return commits.isIdle();
  }

  /**
   * Returns the batch that must be settled before {@code found} may be shown for the address, or
   * empty if it may be shown now.
   */
  public Optional<CommitBatch> unsettled(long address, long found) {
    long proof = index.proofOf(address, found);
    return proof == Location.NONE || logFiles.isSettled(proof)
        ? Optional.empty()
        : commits.covering(proof);
  }

  /**
   * Returns the later of two batches. Batches settle in order, and the gathering one is the last.
   */
  public Optional<CommitBatch> later(Optional<CommitBatch> one, Optional<CommitBatch> other) {
    boolean otherIsLast = other.isPresent() && other.get() == gathering();
    return one.isEmpty() || otherIsLast ? other : one;
  }

  @Override
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

  @Override
  public void onceAllIsDurable(Runnable then) {
    if (commits.isIdle()) {
      then.run();
    } else {
      gathering().onceDurable(then);
    }
  }

  @Override
  public void onceMarkIsInActiveFile(Runnable then) {
    if (logFiles.active().isPresent() || appendMark()) {
      onceAllIsDurable(then);
      start();
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
      logFiles.all().forEach(compaction::suspect);
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
    return new RetiredStore(logFiles.disk(), logFiles, index, next);
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

  public Scrubber scrubber() {
    return scrubber;
  }

  @Override
  public void condemn(LogFile logFile) {
    logFile.condemned = true;
    if (logFiles.active().filter(active -> active == logFile).isPresent()) {
      logFiles.closeActive();
    }
    compaction.suspect(logFile);
  }

  @Override
  public void suspect(LogFile logFile) {
    compaction.suspect(logFile);
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
