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
 * Owns the segment files: which there are, where the next record goes, how much space is left.
 * Nothing else creates or deletes any.
 *
 * <p>A file is used only when the one before it is durable. So if there is a torn tail, it is in
 * the file with the highest sequence number.
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
  private final List<Segment> leavers = new ArrayList<>(); // the inventory may still name them
  private List<Segment> crossedOut = List.of(); // while the inventory is written
  private final ArrayDeque<Segment> toDelete = new ArrayDeque<>();
  private final Consumer<Segment> onFinished;
  private final BitSet usedSlots = new BitSet();
  private @Nullable Segment[] bySlot = new @Nullable Segment[16];
  private @Nullable Segment active;
  private long nextSequence;
  private long fileBytes;

  /**
   * @param first the lowest sequence number that counts
   * @param onFinished is told of each file that got its footer
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

  /** Whether the record at this location may be shown. */
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

  /** What must be there; to be asked before anything is written. */
  public List<Inventory.Item> expected() {
    return inventory.map(Inventory::read).orElse(List.of());
  }

  /** The newest file of which anything is durable, if there is one. */
  public Optional<Segment> newestDurable() {
    return all().stream()
        .filter(segment -> segment.durable > 0)
        .max((a, b) -> Long.compare(a.sequence, b.sequence));
  }

  /** Where records go; none before the first one, and none after the disk was full. */
  public Optional<Segment> active() {
    return Optional.ofNullable(active);
  }

  public long segmentBytes() {
    return options.segmentBytes();
  }

  /** What all files measure, or are going to. */
  public long fileBytes() {
    return fileBytes + spare.bytes();
  }

  /** What data may still take: the rest of the active file, and whole files; 0 if none is taken. */
  public long freeBytes() {
    long file = options.segmentBytes();
    long room = roomBytes() - (spare.bytes() > 0 ? 0 : file);
    return takesData() ? restOfActive() + Math.max(0, room) / file * file : 0;
  }

  /** Whether a small entry would be taken now. */
  public boolean takesData() {
    return goesOnInActive(SMALL_RECORD_BYTES)
        ? spare.isExpected()
        : hasRoomForNext(SMALL_RECORD_BYTES, Purpose.DATA);
  }

  private long restOfActive() {
    return active == null ? 0 : Math.max(0, options.segmentBytes() - active.end);
  }

  /** Higher than that of any file yet. */
  public long unusedSequence() {
    return nextSequence;
  }

  /** A file found on disk. */
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
   * @param mark the prefix-trim mark, repeated in every file so that none is needed for it
   * @return empty if there is no space for this purpose
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
   * A file that grows as it is written, because none was prepared when it was needed, costs each
   * sync about twice as much as a prepared one.
   */
  private boolean isWorthLeaving(Segment current) {
    return current.grows && spare.isReady() && hasRoomFor(options.segmentBytes());
  }

  /** What the active file and the reserve still take without asking for more. */
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

  /** Nothing more goes there. Its footer is written when its records are durable. */
  public void closeActive() {
    if (active != null) {
      active.closed = true;
      closing.add(active);
      active = null;
    }
  }

  /**
   * Writes down, without waiting for it, that everything in the active file is durable. The next
   * record goes over it, so that nothing relies on what was not synced.
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

  /** A missing footer costs time at the next restart, and nothing else. */
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

  /** Writes the footers that are due, at once. */
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

  /** Nobody needs this file any more, and whatever made it so is durable. */
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
   * The disk work that makes the inventory name only what is not leaving. To be asked for when
   * everything that was accepted before is durable.
   */
  public Runnable takeStock() {
    crossedOut = List.copyOf(leavers);
    leavers.clear();
    List<Inventory.Item> stock = durableStock(all().stream());
    return () -> inventory.ifPresent(known -> known.shrink(stock));
  }

  /** Files that are on the disk for sure. */
  private static List<Inventory.Item> durableStock(Stream<Segment> segments) {
    return segments
        .filter(segment -> segment.durable > 0)
        .map(s -> new Inventory.Item(s.sequence, s.closed ? s.durable : 0))
        .toList();
  }

  /** That has been done, or not. */
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

  /** What was not settled of these files is no more; the disk work for that is the answer. */
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

  /** May be repeated. */
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
