package corfu.roles.logunit.logfile;

import corfu.protocol.Entry;
import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner of the log files: which files exist, where the next record goes, and how much space is
 * left. No other code creates or deletes a log file.
 *
 * <p>A file is used only after the previous one is durable. Therefore only the file with the
 * highest sequence number can have a torn tail.
 */
public final class LogFiles implements SpareLogFile.Room {

  private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);
  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);
  private static final long SMALL_RECORD_BYTES = RecordFormat.sizeOf(Entry.HEADER_BYTES);

  private final Disk disk;
  private final World world;
  private final LogUnitOptions options;
  private final OpenFiles files;
  private final SpareLogFile spare;
  private final Optional<Inventory> inventory;
  private final ArrayDeque<LogFile> closing = new ArrayDeque<>();
  private final DroppedFiles dropped;
  private final Consumer<LogFile> onFinished;
  private final BitSet usedSlots = new BitSet();
  private @Nullable LogFile[] bySlot = new @Nullable LogFile[16];
  private @Nullable LogFile active;
  private long nextSequence;
  private long fileBytes;
  private long closedBytes; // written to files that were closed since the start
  private long copyBytes; // reserved for a compressed copy

  /**
   * @param first the lowest sequence number that counts
   * @param onFinished called for each file that got its footer
   */
  public LogFiles(
      Disk disk, World world, LogUnitOptions options, long first, Consumer<LogFile> onFinished) {
    this.nextSequence = first;
    this.onFinished = onFinished;
    this.disk = disk;
    this.world = world;
    this.options = options;
    this.files = new OpenFiles(disk, options.openFiles());
    this.inventory =
        options.mode() == UnitMode.MEMORY ? Optional.empty() : Optional.of(new Inventory(disk));
    this.spare =
        new SpareLogFile(
            disk,
            world,
            this,
            Long.toHexString(first),
            options.logFileBytes(),
            options.mode() != UnitMode.MEMORY);
    this.dropped = new DroppedFiles(this, inventory);
  }

  public LogFile at(long location) {
    return Objects.requireNonNull(
        bySlot[Location.slot(location)], "the page map points to a file that exists");
  }

  public List<LogFile> all() {
    return Arrays.stream(bySlot).filter(Objects::nonNull).map(Objects::requireNonNull).toList();
  }

  /** Returns whether the record at this location may be shown. */
  public boolean isSettled(long location) {
    return Location.offset(location) < at(location).settled;
  }

  DiskFile fileOf(LogFile logFile) {
    return files.of(logFile);
  }

  OpenFiles files() {
    return files;
  }

  public Disk disk() {
    return disk;
  }

  public SpareLogFile spare() {
    return spare;
  }

  /** Returns the files that must exist. To be called before anything is written. */
  public List<Inventory.Item> expected() {
    return inventory.map(Inventory::read).orElse(List.of());
  }

  /** Returns the newest file with durable records, if there is one. */
  public Optional<LogFile> newestDurable() {
    return all().stream()
        .filter(logFile -> logFile.durable > 0)
        .max((a, b) -> Long.compare(a.sequence, b.sequence));
  }

  /**
   * Returns the file to which records are added; empty before the first one, and after a full disk.
   */
  public Optional<LogFile> active() {
    return Optional.ofNullable(active);
  }

  public long logFileBytes() {
    return options.logFileBytes();
  }

  /** Returns the present or future size of all files in bytes. */
  public long fileBytes() {
    return fileBytes + spare.bytes() + copyBytes;
  }

  /** Returns the room for data in bytes: the active file's rest, and whole files; 0 if refused. */
  public long freeBytes() {
    long file = options.logFileBytes();
    long room = roomBytes() - (spare.bytes() > 0 ? 0 : file);
    return takesData() ? restOfActive() + Math.max(0, room) / file * file : 0;
  }

  /** Returns whether a small entry would be accepted now. */
  public boolean takesData() {
    return goesOnInActive(SMALL_RECORD_BYTES)
        ? spare.isExpected()
        : hasRoomForNext(SMALL_RECORD_BYTES, Purpose.DATA);
  }

  private long restOfActive() {
    return active == null ? 0 : Math.max(0, options.logFileBytes() - active.end);
  }

  /** Returns a sequence number higher than that of any file. */
  public long unusedSequence() {
    return nextSequence;
  }

  /** Adds a file that was found on the disk. */
  public LogFile adopt(long sequence) {
    nextSequence = Math.max(nextSequence, sequence + 1);
    LogFile logFile = new LogFile(takeSlot(), sequence, 0);
    logFile.closed = true;
    bySlot[logFile.slot] = logFile;
    return logFile;
  }

  public void measures(LogFile logFile, long bytes) {
    fileBytes += bytes - logFile.fileBytes;
    logFile.fileBytes = bytes;
  }

  /**
   * Finds the file for a record of this size, which may be a new one.
   *
   * @param mark the prefix-trim mark, repeated in every file so that no older file is needed for it
   * @return the file, or empty if there is no space for this purpose
   */
  public Optional<LogFile> roomFor(
      long recordBytes, Purpose purpose, RecordWriter writer, long mark) {
    if (goesOnInActive(recordBytes)) {
      boolean allowed = purpose == Purpose.KEEPING || spare.isExpected();
      return allowed ? active() : Optional.empty();
    }
    if (!hasRoomForNext(recordBytes, purpose)) {
      return Optional.empty();
    }
    Optional<LogFile> before = active().or(() -> Optional.ofNullable(closing.peekLast()));
    closeActive();
    LogFile next = begin(writer, before, mark);
    measures(next, options.logFileBytes() + excessOf(recordBytes));
    return Optional.of(next);
  }

  private boolean goesOnInActive(long recordBytes) {
    return active != null
        && active.end + recordBytes <= options.logFileBytes()
        && !isWorthLeaving(active);
  }

  private boolean hasRoomForNext(long recordBytes, Purpose purpose) {
    long file = spare.isReady() ? 0 : options.logFileBytes();
    long nextSpare = purpose == Purpose.KEEPING || spare.isFilling() ? 0 : options.logFileBytes();
    return hasRoomFor(excessOf(recordBytes) + file + nextSpare)
        && usedSlots.cardinality() < Location.SLOTS;
  }

  private long excessOf(long recordBytes) {
    return Math.max(0, recordBytes + headBytes() - options.logFileBytes());
  }

  /**
   * Returns whether a prepared file should replace this one, whose growth doubles a sync's cost.
   */
  private boolean isWorthLeaving(LogFile current) {
    return current.grows && spare.isReady() && hasRoomFor(options.logFileBytes());
  }

  /** Returns the room in bytes of the active file and the reserve without new space. */
  public long certainRoom() {
    return restOfActive() + (spare.isReady() ? options.logFileBytes() - headBytes() : 0);
  }

  private static long headBytes() {
    return RecordFormat.FILE_HEADER_BYTES + RecordFormat.sizeOf(0);
  }

  @Override
  public boolean hasRoomFor(long bytes) {
    return bytes == 0 || bytes <= roomBytes();
  }

  private long roomBytes() {
    long onDisk = disk.freeBytes() - spare.unfilledBytes();
    return Math.min(options.capacityBytes() - fileBytes(), onDisk);
  }

  @Override
  public long writtenBytes() {
    return closedBytes + (active == null ? 0 : active.end);
  }

  @Override
  public long nextSequence() {
    return nextSequence++;
  }

  @Override
  public boolean isNewest(long sequence) {
    return sequence == nextSequence - 1;
  }

  private LogFile begin(RecordWriter writer, Optional<LogFile> before, long mark) {
    LogFile next;
    Runnable opening;
    if (spare.isReady()) {
      SpareLogFile.Prepared prepared = spare.take();
      next = new LogFile(takeSlot(), prepared.sequence(), prepared.nonce());
      next.writing = prepared.file();
      next.temporaryName = prepared.name();
      opening = () -> publish(next);
    } else {
      next = new LogFile(takeSlot(), nextSequence(), world.random().nextLong());
      next.temporaryName = "next-%016x%s".formatted(next.sequence, LogFileName.TEMPORARY);
      next.grows = options.mode() != UnitMode.MEMORY;
      opening = () -> createAndPublish(next);
    }
    next.index = new LogFileIndex();
    bySlot[next.slot] = next;
    active = next;
    List<Inventory.Item> stock =
        all().stream().map(s -> new Inventory.Item(s.sequence, s == next ? 0 : s.end)).toList();
    writer.begin(
        next,
        () -> {
          before.ifPresent(LogFile::syncUnlessFinished);
          opening.run();
          inventory.ifPresent(known -> known.write(stock));
        });
    writer.addRecord(next, RecordFormat.PREFIX, mark, NO_BODY);
    next.index.addPrefixMark(mark);
    return next;
  }

  private void publish(LogFile logFile) {
    disk.rename(logFile.temporaryName, logFile.name());
    disk.syncNames();
  }

  private void createAndPublish(LogFile logFile) {
    DiskFile file = disk.create(logFile.temporaryName);
    logFile.writing = file;
    file.write(RecordFormat.fileHeader(logFile.sequence, logFile.nonce), 0);
    file.sync();
    publish(logFile);
  }

  /**
   * Closes the active file for more records. Its footer is written after its records are durable.
   */
  public void closeActive() {
    if (active != null) {
      active.closed = true;
      closedBytes += active.end;
      closing.add(active);
      active = null;
    }
  }

  /**
   * Writes a mark that everything in the active file is durable, without waiting for it. The next
   * record overwrites the mark, so nothing relies on unsynced bytes.
   */
  public void writeMark() {
    LogFile logFile = active;
    long bytes = RecordFormat.sizeOf(0);
    DiskFile file = logFile == null ? null : logFile.writing;
    if (logFile == null
        || file == null
        || logFile.durable < logFile.end
        || logFile.end + bytes > options.logFileBytes()) {
      return;
    }
    file.write(RecordFormat.mark(logFile.nonce, logFile.end), logFile.end);
  }

  // ------------------------------------------------------------------------------------- upkeep

  public Optional<Maintenance.Step> nextFooter() {
    LogFile logFile = closing.peek();
    if (logFile == null || logFile.durable < logFile.end) {
      return Optional.empty();
    }
    closing.remove();
    DiskFile file = Objects.requireNonNull(logFile.writing);
    ByteBuffer footer =
        Footer.encode(
            Objects.requireNonNull(logFile.index), logFile.sequence, logFile.nonce, logFile.end);
    long size = logFile.end + footer.remaining();
    return Optional.of(
        new Maintenance.Step(
            () -> {
              file.resize(logFile.end);
              file.write(footer, logFile.end);
              file.sync();
            },
            failure -> finished(logFile, size, failure)));
  }

  /** Finishes a file. A missing footer only costs time at the next restart. */
  private void finished(LogFile logFile, long size, Optional<Throwable> failure) {
    failure.ifPresent(
        f ->
            LOG.warn(
                "no footer for {} of {}: {}", logFile.name(), disk.description(), f.getMessage()));
    logFile.closeWriting();
    logFile.index = null;
    measures(logFile, size);
    spare.tryAgain();
    onFinished.accept(logFile);
  }

  /** Writes all due footers at once. */
  public void finishAll() {
    for (Optional<Maintenance.Step> step = nextFooter(); step.isPresent(); step = nextFooter()) {
      Optional<Throwable> failure = Optional.empty();
      try {
        step.get().work().run();
      } catch (DiskException e) {
        failure = Optional.of(e);
      }
      step.get().then().accept(failure);
    }
  }

  /** Drops a file that nobody needs any more. The reason for that must be durable. */
  public void drop(LogFile logFile) {
    files.close(logFile);
    logFile.dropped = true;
    bySlot[logFile.slot] = null;
    usedSlots.clear(logFile.slot);
    dropped.add(logFile);
  }

  /** Returns the files that were dropped and are not deleted yet. */
  public DroppedFiles dropped() {
    return dropped;
  }

  /** Returns the files that are certainly on the disk. */
  List<Inventory.Item> durableStock() {
    return all().stream()
        .filter(logFile -> logFile.durable > 0)
        .map(s -> new Inventory.Item(s.sequence, s.closed ? s.durable : 0))
        .toList();
  }

  /**
   * Uses the compressed copy of a finished file, which has replaced the file on the disk.
   *
   * @param logFile the file, which may have been dropped meanwhile
   * @param bytes the size of the copy in bytes
   */
  public void replacedByCopy(LogFile logFile, long bytes) {
    files.close(logFile);
    logFile.plainBytes = logFile.contentBytes();
    measures(logFile, bytes);
    spare.tryAgain();
  }

  /** Sets the space that a copy of a file may take until it replaces the file, in bytes. */
  public void reserveForCopy(long bytes) {
    copyBytes = bytes;
  }

  // ------------------------------------------------------------------------ after a full disk

  /** Removes the unsettled part of these files. Returns the disk work for that. */
  public Runnable abandon(List<LogFile> logFiles) {
    List<Runnable> work = new ArrayList<>();
    List<Inventory.Item> stock = durableStock();
    work.add(() -> inventory.ifPresent(known -> known.shrink(stock)));
    for (LogFile logFile : logFiles) {
      logFile.closed = true;
      if (logFile == active) {
        active = null;
      }
      closing.remove(logFile);
      logFile.end = logFile.settled;
      boolean empty = logFile.settled == 0;
      measures(logFile, logFile.settled);
      DiskFile file = logFile.writing;
      logFile.index = null;
      logFile.writing = null;
      if (empty) {
        bySlot[logFile.slot] = null;
        usedSlots.clear(logFile.slot);
        logFile.dropped = true;
      }
      work.add(() -> cut(logFile, Optional.ofNullable(file), empty));
    }
    return () -> work.forEach(Runnable::run);
  }

  /** Cuts the file. May be repeated. */
  private void cut(LogFile logFile, Optional<DiskFile> file, boolean empty) {
    file.ifPresent(DiskFile::close);
    if (empty) {
      disk.delete(logFile.temporaryName);
      disk.delete(logFile.name());
      disk.syncNames();
    } else {
      try (DiskFile open = disk.open(logFile.name())) {
        open.resize(logFile.settled);
        open.sync();
      }
    }
  }

  private int takeSlot() {
    int slot = usedSlots.nextClearBit(0);
    usedSlots.set(slot);
    if (slot >= bySlot.length) {
      bySlot = Arrays.copyOf(bySlot, bySlot.length * 2);
    }
    return slot;
  }

  public void closeFiles() {
    files.closeAll();
    try {
      spare.drop().run();
    } catch (DiskException e) {
      LOG.warn("cannot delete the spare file of {}: {}", disk.description(), e.getMessage());
    }
    for (LogFile logFile : all()) {
      logFile.closeWriting();
    }
  }
}
