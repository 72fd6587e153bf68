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
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.scrub.Scrubber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The write-once address space. It adds accepted records to the gathering batch, and changes the
 * index at the same time. Code that shows the index outside calls {@link #unsettled} first.
 *
 * <p>Lives on the unit's thread.
 */
public final class AddressSpace implements Scrubber.Target {

  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

  private final LogFiles logFiles;
  private final AddressIndex index;
  private final CommitQueue commits;
  private final CompactionCandidates candidates;
  private final StreamMarking streamMarks;
  private final TrimRecords trimRecords;

  /**
   * @param logFiles the files that get the records
   * @param index the content of each address
   * @param commits writes the records
   * @param candidates the files of which records died
   */
  AddressSpace(
      LogFiles logFiles, AddressIndex index, CommitQueue commits, CompactionCandidates candidates) {
    this.logFiles = logFiles;
    this.index = index;
    this.commits = commits;
    this.candidates = candidates;
    this.streamMarks = new StreamMarking(logFiles, index, commits, candidates);
    this.trimRecords = new TrimRecords(logFiles, index, commits, candidates);
  }

  public AddressIndex index() {
    return index;
  }

  public LogFiles logFiles() {
    return logFiles;
  }

  // ---------------------------------------------------------------------------------- entries

  /**
   * Adds an entry's record to the gathering batch, without a change to the index.
   *
   * @return its location, or {@link Location#NONE} if there is no space
   */
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

  // ------------------------------------------------------------------------------------ trims

  /** Returns whether records of this total size could be written now, with the reserve. */
  public boolean canKeep(long bytes) {
    return logFiles.certainRoom() >= bytes
        || logFiles.hasRoomFor(bytes + 2 * logFiles.logFileBytes());
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
      gathering().onceDurable(() -> trimming.hurt().forEach(candidates::add));
    }
  }

  /** Adds a record of this block. Returns false if there is no space. */
  boolean appendTrims(TrimmedSet.Block block) {
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
        candidates.add(logFile);
      }
    }
  }

  /**
   * Runs the action after everything accepted until now is durable, but only if there is an active
   * file, or space for one.
   */
  void onceMarkIsInActiveFile(Runnable then) {
    if (logFiles.active().isPresent() || appendMark()) {
      commits.onceAllIsDurable(then);
      commits.start();
    }
  }

  /**
   * Trims a stream below this stream address. There must be {@linkplain #canKeep room} for a
   * record.
   */
  public void trimStream(StreamId stream, long before) {
    index.streams.passBefore(stream, before);
    check(appendStreamMark(stream, before), "the mark of a stream");
  }

  /** Adds the mark of a stream. Returns false if there is no space. */
  boolean appendStreamMark(StreamId stream, long before) {
    return streamMarks.append(stream, before);
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("there was room for " + what + " and now there is none");
    }
  }

  // ------------------------------------------------------------------------- unsettled content

  /** Returns the batch that gets the next accepted record. */
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

  /** Returns the later of two batches, which settles last. */
  public Optional<CommitBatch> later(Optional<CommitBatch> one, Optional<CommitBatch> other) {
    return one.isEmpty() || other.isEmpty()
        ? one.or(() -> other)
        : Optional.of(commits.later(one.get(), other.get()));
  }

  // ------------------------------------------------------------------------------------- files

  @Override
  public void condemn(LogFile logFile) {
    logFile.condemned = true;
    if (logFiles.active().filter(active -> active == logFile).isPresent()) {
      logFiles.closeActive();
    }
    candidates.add(logFile);
  }

  @Override
  public void suspect(LogFile logFile) {
    candidates.add(logFile);
  }
}
