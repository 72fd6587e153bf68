package corfu.roles.logunit.segment;

import corfu.protocol.Entry;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.format.SegmentName;
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
import java.util.stream.Stream;
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
public final class Segments implements Spare.Room {

  private static final Logger LOG = LoggerFactory.getLogger(Segments.class);
  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);
  private static final long SMALL_RECORD_BYTES = RecordFormat.sizeOf(Entry.HEADER_BYTES);

  private final Disk disk;
  private final World world;
  private final LogUnitOptions options;
  private final OpenFiles files;
  private final Spare spare;
  private final Optional<Inventory> inventory;
  private final ArrayDeque<Segment> closing = new ArrayDeque<>();
  private final List<Segment> leavers = new ArrayList<>(); // may still be in the inventory
  private List<Segment> crossedOut = List.of(); // while the inventory is being written
  private final ArrayDeque<Segment> toDelete = new ArrayDeque<>();
  private final Consumer<Segment> onFinished;
  private final BitSet usedSlots = new BitSet();
  private @Nullable Segment[] bySlot = new @Nullable Segment[16];
  private @Nullable Segment active;
  private long nextSequence;
  private long fileBytes;

  /**
   * @param first the lowest sequence number that counts
   * @param onFinished called for each file that got its footer
   */
  public Segments(
      Disk disk, World world, LogUnitOptions options, long first, Consumer<Segment> onFinished) {
    this.nextSequence = first;
    this.onFinished = onFinished;
    this.disk = disk;
    this.world = world;
    this.options = options;
    this.files = new OpenFiles(disk, options.openFiles());
    this.inventory =
        options.mode() == UnitMode.MEMORY ? Optional.empty() : Optional.of(new Inventory(disk));
    this.spare =
        new Spare(
            disk,
            world,
            this,
            Long.toHexString(first),
            options.segmentBytes(),
            options.mode() != UnitMode.MEMORY);
  }

  public Segment at(long location) {
    return Objects.requireNonNull(
        bySlot[Location.slot(location)], "the page map points to a file that exists");
  }

  public List<Segment> all() {
    return Arrays.stream(bySlot).filter(Objects::nonNull).map(Objects::requireNonNull).toList();
  }

  /** Returns whether the record at this location may be shown. */
  public boolean isSettled(long location) {
    return Location.offset(location) < at(location).settled;
  }

  DiskFile fileOf(Segment segment) {
    return files.of(segment);
  }

  OpenFiles files() {
    return files;
  }

  public Disk disk() {
    return disk;
  }

  public Spare spare() {
    return spare;
  }

  /** Returns the files that must exist. To be called before anything is written. */
  public List<Inventory.Item> expected() {
    return inventory.map(Inventory::read).orElse(List.of());
  }

  /** Returns the newest file with durable records, if there is one. */
  public Optional<Segment> newestDurable() {
    return all().stream()
        .filter(segment -> segment.durable > 0)
        .max((a, b) -> Long.compare(a.sequence, b.sequence));
  }

  /**
   * Returns the file to which records are added; empty before the first one, and after a full disk.
   */
  public Optional<Segment> active() {
    return Optional.ofNullable(active);
  }

  public long segmentBytes() {
    return options.segmentBytes();
  }

  /** Returns the present or future size of all files in bytes. */
  public long fileBytes() {
    return fileBytes + spare.bytes();
  }

  /** Returns the room for data in bytes: the active file's rest, and whole files; 0 if refused. */
  public long freeBytes() {
    long file = options.segmentBytes();
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
    return active == null ? 0 : Math.max(0, options.segmentBytes() - active.end);
  }

  /** Returns a sequence number higher than that of any file. */
  public long unusedSequence() {
    return nextSequence;
  }

  /** Adds a file that was found on the disk. */
  public Segment adopt(long sequence) {
    nextSequence = Math.max(nextSequence, sequence + 1);
    Segment segment = new Segment(takeSlot(), sequence, 0);
    segment.closed = true;
    bySlot[segment.slot] = segment;
    return segment;
  }

  public void measures(Segment segment, long bytes) {
    fileBytes += bytes - segment.fileBytes;
    segment.fileBytes = bytes;
  }

  /**
   * Finds the file for a record of this size, which may be a new one.
   *
   * @param mark the prefix-trim mark, repeated in every file so that no older file is needed for it
   * @return the file, or empty if there is no space for this purpose
   */
  public Optional<Segment> roomFor(
      long recordBytes, Purpose purpose, RecordWriter writer, long mark) {
    if (goesOnInActive(recordBytes)) {
      boolean allowed = purpose == Purpose.KEEPING || spare.isExpected();
      return allowed ? active() : Optional.empty();
    }
    if (!hasRoomForNext(recordBytes, purpose)) {
      return Optional.empty();
    }
    Optional<Segment> before = active();
    closeActive();
    Segment next = begin(writer, before, mark);
    measures(next, options.segmentBytes() + excessOf(recordBytes));
    return Optional.of(next);
  }

  private boolean goesOnInActive(long recordBytes) {
    return active != null
        && active.end + recordBytes <= options.segmentBytes()
        && !isWorthLeaving(active);
  }

  private boolean hasRoomForNext(long recordBytes, Purpose purpose) {
    long file = spare.isReady() ? 0 : options.segmentBytes();
    long nextSpare = purpose == Purpose.KEEPING || spare.isFilling() ? 0 : options.segmentBytes();
    return hasRoomFor(excessOf(recordBytes) + file + nextSpare)
        && usedSlots.cardinality() < Location.SLOTS;
  }

  private long excessOf(long recordBytes) {
    return Math.max(0, recordBytes + headBytes() - options.segmentBytes());
  }

  /**
   * Returns whether a prepared file should replace this one, whose growth doubles a sync's cost.
   */
  private boolean isWorthLeaving(Segment current) {
    return current.grows && spare.isReady() && hasRoomFor(options.segmentBytes());
  }

  /** Returns the room in bytes of the active file and the reserve without new space. */
  public long certainRoom() {
    return restOfActive() + (spare.isReady() ? options.segmentBytes() - headBytes() : 0);
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
  public long nextSequence() {
    return nextSequence++;
  }

  @Override
  public boolean isNewest(long sequence) {
    return sequence == nextSequence - 1;
  }

  private Segment begin(RecordWriter writer, Optional<Segment> before, long mark) {
    Segment next;
    Runnable opening;
    if (spare.isReady()) {
      Spare.Prepared prepared = spare.take();
      next = new Segment(takeSlot(), prepared.sequence(), prepared.nonce());
      next.writing = prepared.file();
      next.temporaryName = prepared.name();
      opening = () -> publish(next);
    } else {
      next = new Segment(takeSlot(), nextSequence(), world.random().nextLong());
      next.temporaryName = "next-%016x%s".formatted(next.sequence, SegmentName.TEMPORARY);
      next.grows = options.mode() != UnitMode.MEMORY;
      opening = () -> createAndPublish(next);
    }
    next.index = new SegmentIndex();
    bySlot[next.slot] = next;
    active = next;
    List<Inventory.Item> stock =
        all().stream().map(s -> new Inventory.Item(s.sequence, s == next ? 0 : s.end)).toList();
    writer.begin(
        next,
        () -> {
          before.ifPresent(Segment::syncUnlessFinished);
          opening.run();
          inventory.ifPresent(known -> known.write(stock));
        });
    writer.addRecord(next, RecordFormat.PREFIX, mark, NO_BODY);
    next.index.addPrefixMark(mark);
    return next;
  }

  private void publish(Segment segment) {
    disk.rename(segment.temporaryName, segment.name());
    disk.syncNames();
  }

  private void createAndPublish(Segment segment) {
    DiskFile file = disk.create(segment.temporaryName);
    segment.writing = file;
    file.write(RecordFormat.fileHeader(segment.sequence, segment.nonce), 0);
    file.sync();
    publish(segment);
  }

  /**
   * Closes the active file for more records. Its footer is written after its records are durable.
   */
  public void closeActive() {
    if (active != null) {
      active.closed = true;
      closing.add(active);
      active = null;
    }
  }

  /**
   * Writes a mark that everything in the active file is durable, without waiting for it. The next
   * record overwrites the mark, so nothing relies on unsynced bytes.
   */
  public void writeMark() {
    Segment segment = active;
    long bytes = RecordFormat.sizeOf(0);
    DiskFile file = segment == null ? null : segment.writing;
    if (segment == null
        || file == null
        || segment.durable < segment.end
        || segment.end + bytes > options.segmentBytes()) {
      return;
    }
    file.write(RecordFormat.mark(segment.nonce, segment.end), segment.end);
  }

  // ------------------------------------------------------------------------------------- upkeep

  public Optional<Maintenance.Step> nextFooter() {
    Segment segment = closing.peek();
    if (segment == null || segment.durable < segment.end) {
      return Optional.empty();
    }
    closing.remove();
    DiskFile file = Objects.requireNonNull(segment.writing);
    ByteBuffer footer =
        Footer.encode(
            Objects.requireNonNull(segment.index), segment.sequence, segment.nonce, segment.end);
    long size = segment.end + footer.remaining();
    return Optional.of(
        new Maintenance.Step(
            () -> {
              file.resize(segment.end);
              file.write(footer, segment.end);
              file.sync();
            },
            failure -> finished(segment, size, failure)));
  }

  /** Finishes a file. A missing footer only costs time at the next restart. */
  private void finished(Segment segment, long size, Optional<Throwable> failure) {
    failure.ifPresent(
        f ->
            LOG.warn(
                "no footer for {} of {}: {}", segment.name(), disk.description(), f.getMessage()));
    segment.closeWriting();
    segment.index = null;
    measures(segment, size);
    spare.tryAgain();
    onFinished.accept(segment);
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
  public void drop(Segment segment) {
    files.close(segment);
    segment.dropped = true;
    bySlot[segment.slot] = null;
    usedSlots.clear(segment.slot);
    leavers.add(segment);
  }

  public boolean hasLeavers() {
    return !leavers.isEmpty();
  }

  /**
   * Returns the disk work that removes dropped files from the inventory. To be called after
   * everything accepted before is durable.
   */
  public Runnable takeStock() {
    crossedOut = List.copyOf(leavers);
    leavers.clear();
    List<Inventory.Item> stock = durableStock(all().stream());
    return () -> inventory.ifPresent(known -> known.shrink(stock));
  }

  /** Returns the files that are certainly on the disk. */
  private static List<Inventory.Item> durableStock(Stream<Segment> segments) {
    return segments
        .filter(segment -> segment.durable > 0)
        .map(s -> new Inventory.Item(s.sequence, s.closed ? s.durable : 0))
        .toList();
  }

  /** Records whether the inventory was written. */
  public void stockTaken(boolean isDone) {
    (isDone ? toDelete : leavers).addAll(crossedOut);
    crossedOut = List.of();
  }

  public Optional<Maintenance.Step> nextDeletion() {
    if (toDelete.isEmpty()) {
      return Optional.empty();
    }
    List<Segment> all = new ArrayList<>(toDelete);
    toDelete.clear();
    return Optional.of(
        new Maintenance.Step(
            () -> {
              all.forEach(segment -> disk.delete(segment.name()));
              disk.syncNames();
            },
            failure -> {
              failure.ifPresent(
                  f ->
                      LOG.warn(
                          "cannot give space back in {}: {}", disk.description(), f.getMessage()));
              all.forEach(segment -> measures(segment, 0));
              spare.tryAgain();
            }));
  }

  // ------------------------------------------------------------------------ after a full disk

  /** Removes the unsettled part of these files. Returns the disk work for that. */
  public Runnable abandon(List<Segment> segments) {
    List<Runnable> work = new ArrayList<>();
    List<Inventory.Item> stock = durableStock(all().stream());
    work.add(() -> inventory.ifPresent(known -> known.shrink(stock)));
    for (Segment segment : segments) {
      segment.closed = true;
      if (segment == active) {
        active = null;
      }
      closing.remove(segment);
      segment.end = segment.settled;
      boolean empty = segment.settled == 0;
      measures(segment, segment.settled);
      DiskFile file = segment.writing;
      segment.index = null;
      segment.writing = null;
      if (empty) {
        bySlot[segment.slot] = null;
        usedSlots.clear(segment.slot);
        segment.dropped = true;
      }
      work.add(() -> cut(segment, Optional.ofNullable(file), empty));
    }
    return () -> work.forEach(Runnable::run);
  }

  /** Cuts the file. May be repeated. */
  private void cut(Segment segment, Optional<DiskFile> file, boolean empty) {
    file.ifPresent(DiskFile::close);
    if (empty) {
      disk.delete(segment.temporaryName);
      disk.delete(segment.name());
      disk.syncNames();
    } else {
      try (DiskFile open = disk.open(segment.name())) {
        open.resize(segment.settled);
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
    for (Segment segment : all()) {
      segment.closeWriting();
    }
  }
}
