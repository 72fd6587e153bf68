package corfu.roles.logunit.store;

import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.compressed.CompressedFile;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.EntryReader;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFileContent;
import corfu.roles.logunit.logfile.LogFileIndex;
import corfu.roles.logunit.logfile.LogFileStreams;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.logfile.Purpose;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.DiskFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the space of trimmed entries. A finished file of which less than half is alive is emptied
 * into the active file and deleted. Small files, which restarts leave behind, are treated the same
 * once there are several. A compressed file counts with its size on the disk: its entries move
 * uncompressed.
 *
 * <p>A trimmed address must stay trimmed for ever. The newest record of its block of trims holds
 * all bits of the block, and counts as alive until the prefix-trim mark has passed the block. The
 * newest marks of streams count as alive for ever. A file is deleted only when nothing in it is
 * alive: its live entries, newest trims and newest marks have been written elsewhere and synced.
 *
 * <p>Every file repeats the prefix-trim mark at its start, and a file is deleted only while a
 * younger one exists. If a deleted file reappears after a crash, its entries are copies of others,
 * or trimmed elsewhere.
 */
final class Compaction implements Maintenance.Chore {

  private static final Logger LOG = LoggerFactory.getLogger(Compaction.class);
  private static final int STEP_BYTES = 256 << 10;

  /** The step size while data is refused: then only requests that make room wait for a commit. */
  private static final int URGENT_STEP_BYTES = 4 << 20;

  private static final int STEP_MARKS = 4096;
  private static final int SMALL_FILES = 8;

  private final AddressSpace space;
  private final CommitQueue commits;
  private final LogFiles logFiles;
  private final AddressIndex index;
  private final int logFileBytes;
  private final CompactionCandidates candidates;
  private final ArrayDeque<LogFile> small = new ArrayDeque<>();

  /**
   * Files to empty for which there was no room, with the number of bytes that need a place first.
   */
  private final Map<LogFile, Long> postponed = new LinkedHashMap<>();

  private @Nullable Victim victim;
  private boolean copying; // whether a step's copies are being written

  /**
   * @param space the destination of records that are still needed
   * @param commits writes these records
   * @param candidates the files to examine
   * @param logFileBytes the size of a full log file in bytes
   */
  Compaction(
      AddressSpace space, CommitQueue commits, CompactionCandidates candidates, int logFileBytes) {
    this.space = space;
    this.commits = commits;
    this.candidates = candidates;
    this.logFiles = space.logFiles();
    this.index = space.index();
    this.logFileBytes = logFileBytes;
  }

  /** A file that is being emptied. */
  private static final class Victim {
    final LogFile logFile;
    final LogFileIndex content;
    int position;
    int marks; // marks examined so far
    boolean trimsMoved;

    /** Whether the file is emptied from memory, because its own description is damaged. */
    boolean isCondemned;

    long nextAddress; // the first address not yet examined

    Victim(LogFile logFile, LogFileIndex content) {
      this.logFile = logFile;
      this.content = content;
    }
  }

  /** An entry that moves. */
  private record Copy(long from, Entry entry) {}

  @Override
  public Optional<Maintenance.Step> next() {
    candidates.allIfSomeAreNew().forEach(this::dropIfNeededNoMore); // frees space at once
    if (copying) {
      return Optional.empty();
    }
    if (victim != null) {
      return Optional.of(nextStepOf(victim));
    }
    for (int i = candidates.count(); i > 0; i--) {
      Optional<Maintenance.Step> step = examine(candidates.remove());
      if (step.isPresent()) {
        return step;
      }
    }
    small.removeIf(logFile -> logFile.dropped);
    return nextPostponed()
        .or(() -> small.size() > SMALL_FILES ? Optional.of(small.remove()) : Optional.empty())
        .flatMap(this::empty);
  }

  /** Returns the postponed file that needs the least space, if there is room for it. */
  private Optional<LogFile> nextPostponed() {
    postponed.keySet().removeIf(logFile -> logFile.dropped);
    Optional<Map.Entry<LogFile, Long>> least =
        postponed.entrySet().stream().min(Map.Entry.comparingByValue());
    Optional<LogFile> next =
        least.filter(entry -> fits(entry.getValue())).map(entry -> entry.getKey());
    next.ifPresent(postponed::remove);
    return next;
  }

  private boolean fits(long neededBytes) {
    return neededBytes < logFiles.certainRoom() || logFiles.hasRoomFor(2L * logFileBytes);
  }

  /** Postpones the victim for lack of room. Its copies so far are garbage. */
  private void putOff() {
    if (victim != null && !victim.logFile.unreadable) {
      postponed.put(victim.logFile, victim.logFile.liveBytes() + victim.logFile.keptBytes());
    }
    victim = null;
  }

  private void dropIfNeededNoMore(LogFile logFile) {
    boolean isVictim = victim != null && victim.logFile == logFile;
    if (!logFile.dropped
        && !isVictim
        && logFile.isFinished()
        && logFile.isNeededNoMore(index.settledMark)) {
      dropWhenSafe(logFile);
    }
  }

  private Optional<Maintenance.Step> examine(LogFile logFile) {
    if (logFile.dropped || !logFile.isFinished()) {
      return Optional.empty(); // it becomes a candidate again when it is finished
    }
    if (logFile.isNeededNoMore(index.settledMark)) {
      dropWhenSafe(logFile);
      return Optional.empty();
    }
    if (logFile.condemned) {
      logFile.condemned = false;
      logFile.unreadable = true; // except its entries, one by one
      victim = new Victim(logFile, new LogFileIndex());
      victim.isCondemned = true;
      return Optional.of(nextStepOf(victim));
    }
    if (logFile.unreadable) {
      return Optional.empty();
    }
    long needed = logFile.likelyLiveBytes(index.settledMark) + logFile.keptBytes();
    if (needed < logFile.fileBytes / 2) {
      return empty(logFile);
    }
    if (logFile.contentBytes() < logFileBytes / 4 && !small.contains(logFile)) {
      small.add(logFile);
    }
    return Optional.empty();
  }

  /**
   * Drops the file after a younger one, which repeats the mark, exists: the mark must not be lost
   * with its file.
   */
  private void dropWhenSafe(LogFile logFile) {
    space.onceMarkIsInActiveFile(
        () -> {
          if (!logFile.dropped) {
            logFiles.drop(logFile);
          }
        });
  }

  private Optional<Maintenance.Step> empty(LogFile logFile) {
    Loading loading = new Loading();
    return Optional.of(
        new Maintenance.Step(
            () -> loading.content = contentOf(logFile),
            failure -> {
              if (failure.isPresent()) {
                giveUp(logFile, String.valueOf(failure.get().getMessage()));
              } else {
                begin(logFile, Objects.requireNonNull(loading.content));
              }
            }));
  }

  private LogFileIndex contentOf(LogFile logFile) {
    try (DiskFile file = CompressedFile.open(logFiles.disk(), logFile.name())) {
      return LogFileContent.read(logFiles.disk(), logFile, file);
    }
  }

  /** The results of a step. */
  private static final class Loading {
    @Nullable LogFileIndex content;
    List<Copy> copies = List.of();
  }

  /** Measures the live records first, because their size was an estimate. */
  private void begin(LogFile logFile, LogFileIndex content) {
    if (logFile.dropped) {
      return;
    }
    long records = 0;
    long bytes = 0;
    for (int i = 0; i < content.count(); i++) {
      if (isAlive(logFile, content, i)) {
        records++;
        bytes += RecordFormat.sizeOf(content.length(i));
      }
    }
    logFile.measured(records, bytes);
    long needed = bytes + logFile.keptBytes();
    boolean worthIt = needed < logFile.fileBytes / 2 || logFile.contentBytes() < logFileBytes / 4;
    if (worthIt && fits(needed)) {
      victim = new Victim(logFile, content);
    } else if (worthIt) {
      postponed.put(logFile, needed);
    }
  }

  /** Entries below a mark that is not settled count as alive: a full disk may undo the mark. */
  private boolean isAlive(LogFile logFile, LogFileIndex content, int i) {
    long location = Location.of(logFile.slot, content.offset(i), content.isHole(i));
    long address = content.address(i);
    return address >= index.settledMark && index.records.get(address) == location;
  }

  private Maintenance.Step nextStepOf(Victim current) {
    LogFile logFile = current.logFile;
    if (current.isCondemned) {
      return new Maintenance.Step(() -> {}, nothing -> rescueSome(current));
    }
    List<Integer> chosen = new ArrayList<>();
    long bytes = 0;
    while (current.position < current.content.count() && bytes < stepBytes()) {
      if (isAlive(logFile, current.content, current.position)) {
        chosen.add(current.position);
        bytes += current.content.length(current.position);
      }
      current.position++;
    }
    if (chosen.isEmpty()) {
      return new Maintenance.Step(() -> {}, nothing -> moveWhatKeeps(current));
    }
    Loading loading = new Loading();
    return new Maintenance.Step(
        () -> loading.copies = fetch(current, chosen),
        failure -> {
          if (failure.isPresent()) {
            giveUp(logFile, String.valueOf(failure.get().getMessage()));
          } else {
            move(loading.copies);
          }
        });
  }

  private long stepBytes() {
    return logFiles.takesData() ? STEP_BYTES : URGENT_STEP_BYTES;
  }

  private List<Copy> fetch(Victim current, List<Integer> chosen) {
    List<Copy> copies = new ArrayList<>();
    try (DiskFile file = CompressedFile.open(logFiles.disk(), current.logFile.name())) {
      LogFileContent.Entries entries = new LogFileContent.Entries(file);
      for (int i : chosen) {
        LogFileIndex content = current.content;
        long address = content.address(i);
        Entry entry = entries.intact(address, content.offset(i), content.length(i));
        long from = Location.of(current.logFile.slot, content.offset(i), content.isHole(i));
        copies.add(new Copy(from, entry));
      }
    }
    return copies;
  }

  /** Copies entries as readers read them. Unreadable ones stay for a repair. */
  private void rescueSome(Victim current) {
    LogFile logFile = current.logFile;
    EntryReader reader = new EntryReader(logFiles, index.corrupt);
    List<Copy> copies = new ArrayList<>();
    long bytes = 0;
    long address = index.records.nextAtOrAfter(Math.max(current.nextAddress, logFile.lowest()));
    int looked = 0;
    while (address >= 0 && address <= logFile.highest() && bytes < STEP_BYTES) {
      long location = index.records.get(address);
      if (Location.slot(location) == logFile.slot
          && reader.read(address, location) instanceof ReadOutcome.Found(Entry entry)) {
        copies.add(new Copy(location, entry));
        bytes += entry.lengthBytes();
      }
      current.nextAddress = address + 1;
      looked++;
      address = looked < STEP_MARKS ? index.records.nextAtOrAfter(address + 1) : -1;
    }
    boolean isOver = looked < STEP_MARKS && (address < 0 || address > logFile.highest());
    if (!copies.isEmpty()) {
      move(copies);
    }
    if (isOver && victim != null) {
      current.isCondemned = false;
      current.content.addWhatKeeps(logFile.slot, index);
    }
  }

  private void move(List<Copy> copies) {
    List<Long> to = new ArrayList<>();
    for (Copy copy : copies) {
      long location = space.append(copy.entry, Purpose.KEEPING);
      if (location == Location.NONE) {
        putOff();
        break;
      }
      to.add(location);
    }
    if (to.isEmpty()) {
      return;
    }
    copying = true;
    commits.gathering().await(new Arrival(copies, to));
    commits.start();
  }

  /** Copied entries that are read from their copies once these are durable. */
  private final class Arrival implements CommitBatch.Waiting {
    private final List<Copy> copies;
    private final List<Long> to;

    Arrival(List<Copy> copies, List<Long> to) {
      this.copies = copies;
      this.to = to;
    }

    @Override
    public void settled() {
      for (int i = 0; i < to.size(); i++) {
        Copy copy = copies.get(i);
        if (index.find(copy.entry.address()) == copy.from) {
          logFiles.at(copy.from).died();
          logFiles.at(to.get(i)).born(RecordFormat.sizeOf(copy.entry.lengthBytes()));
          index.records.put(copy.entry.address(), to.get(i));
        }
      }
      copying = false;
    }

    @Override
    public void undone() {
      putOff();
      copying = false;
    }

    @Override
    public void broken(String reason) {
      undone();
    }
  }

  /** Moves the trims, then the marks of streams step by step. */
  private void moveWhatKeeps(Victim current) {
    if (!current.trimsMoved) {
      current.trimsMoved = true;
      moveTrims(current);
    } else if (current.marks < current.content.streams().markCount()) {
      moveMarks(current);
    } else {
      victim = null;
      commits.onceAllIsDurable(() -> candidates.add(current.logFile));
      commits.start();
    }
  }

  private void moveTrims(Victim current) {
    for (LogFileIndex.Trims trims : current.content.trims()) {
      TrimmedSet.Block block = index.trimmed.find(trims.base());
      boolean isHere =
          block != null
              && block.location != Location.NONE
              && Location.slot(block.location) == current.logFile.slot;
      if (isHere && !space.appendTrims(Objects.requireNonNull(block))) {
        putOff();
        return;
      }
    }
  }

  private void moveMarks(Victim current) {
    LogFileStreams streams = current.content.streams();
    int end = Math.min(streams.markCount(), current.marks + STEP_MARKS);
    streams.forEachMark(
        current.marks,
        end,
        (stream, before, offset) -> {
          long place = Location.of(current.logFile.slot, offset, false);
          boolean isHere = index.streams.placeOfMark(stream) == place;
          if (victim != null && isHere && !space.appendStreamMark(stream, before)) {
            putOff();
          }
        });
    current.marks = end;
    copying = true;
    commits.gathering().await(new Arrival(List.of(), List.of()));
    commits.start();
  }

  private void giveUp(LogFile logFile, String why) {
    victim = null;
    logFile.unreadable = true;
    LOG.error(
        "{} of {} can't be compacted and keeps its space: {}",
        logFile.name(),
        logFiles.disk().description(),
        why);
  }
}
