package corfu.roles.logunit.scrub;

import corfu.protocol.message.LogUnitReply;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.CorruptEntries;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.scrub.Inspector.Item;
import corfu.roles.logunit.segment.Segment;
import corfu.roles.logunit.segment.SegmentIndex;
import corfu.roles.logunit.segment.Segments;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.Disk;
import corfu.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all live records in the log files, file after file in repeated rounds. It works piece by
 * piece on the background thread, no faster than its {@linkplain ScrubRate rate}. Unreadable
 * entries become {@link CorruptEntries}, and other parts of the server have them repaired.
 *
 * <p>Other damage of a file (in its header, footer, record headers or trims) would be noticed too
 * late, at a restart. Such a file is emptied into another one while memory still has its content.
 */
public final class Scrubber implements Maintenance.Chore {

  private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);

  private static final int PIECE_BYTES = 256 << 10;

  /** The largest number of bytes that may be read at once after a delay. */
  private static final int BUDGET_MAX_BYTES = 1 << 20;

  private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double NANOS_PER_SECOND = 1e9;

  private final Target store;
  private final Segments segments;
  private final AddressIndex index;
  private final World world;
  private final ScrubRate rate;
  private final Disk disk;
  private final Optional<ScrubFile> file;

  private long budget;
  private long allowedAt;
  private ScrubFile.Progress progress = ScrubFile.Progress.NONE;
  private boolean isReading; // reading the progress from the disk
  private Optional<ScrubFile.Progress> toKeep = Optional.empty();
  private long keptAt;
  private boolean inRound;
  private long roundBegan;
  private boolean hasBegunAny;
  private long doneBytes;
  private long roundBytes;
  private OptionalLong roundEnded = OptionalLong.empty();
  private long readBytes;
  private long records;
  private @Nullable Walk walk;

  /** The store whose files are scrubbed. */
  public interface Target {

    /** Returns whether no accepted record is being written. */
    boolean isIdle();

    /** Writes the needed records of the segment elsewhere, while memory knows them. */
    void condemn(Segment segment);

    /** Checks whether the segment's space should be freed. */
    void suspect(Segment segment);
  }

  /** The file that is being read. */
  private static final class Walk {
    final Segment segment;
    @Nullable SegmentIndex content; // null until it is read
    int position;
    boolean isSound = true;

    Walk(Segment segment) {
      this.segment = segment;
      this.content = segment.index;
    }
  }

  public Scrubber(
      Target store, Segments segments, AddressIndex index, World world, ScrubRate rate) {
    this.store = store;
    this.segments = segments;
    this.index = index;
    this.world = world;
    this.rate = rate;
    this.disk = segments.disk();
    this.file = rate.bytesPerSecond() == 0 ? Optional.empty() : Optional.of(new ScrubFile(disk));
    this.isReading = file.isPresent();
    this.allowedAt = world.nanoTime();
  }

  /** Grants more bytes for the time that has passed, and continues. */
  public void goOn() {
    long now = world.nanoTime();
    double share = store.isIdle() ? 1 : 0.5;
    double earned = (now - allowedAt) / NANOS_PER_SECOND * rate.bytesPerSecond() * share;
    budget = Math.min(BUDGET_MAX_BYTES, budget + (long) earned);
    allowedAt = now;
  }

  public LogUnitReply.Scrubbed standing() {
    CorruptEntries corrupt = index.corrupt;
    return new LogUnitReply.Scrubbed(
        progress.rounds(),
        roundAgeMillis(),
        readBytes,
        records,
        doneBytes,
        Math.max(roundBytes, doneBytes),
        corrupt.found(),
        corrupt.repairs(),
        corrupt.count(),
        corrupt.first());
  }

  private long roundAgeMillis() {
    return roundEnded.isEmpty()
        ? LogUnitReply.Scrubbed.NEVER
        : TimeUnit.NANOSECONDS.toMillis(world.nanoTime() - roundEnded.getAsLong());
  }

  @Override
  public Optional<Maintenance.Step> next() {
    if (budget <= 0 || file.isEmpty()) {
      return Optional.empty();
    }
    if (isReading) {
      return Optional.of(recall(file.get()));
    }
    if (toKeep.isPresent()) {
      return Optional.of(keep(file.get(), toKeep.get()));
    }
    if (walk == null && !begin()) {
      return Optional.empty();
    }
    Walk current = Objects.requireNonNull(walk);
    if (current.segment.dropped) {
      return Optional.of(new Maintenance.Step(() -> {}, nothing -> end(current)));
    }
    return Optional.of(current.content == null ? load(current) : piece(current, current.content));
  }

  private Maintenance.Step recall(ScrubFile from) {
    ScrubFile.Progress[] read = {ScrubFile.Progress.NONE};
    return new Maintenance.Step(
        () -> read[0] = from.read(),
        failure -> {
          isReading = false;
          progress = read[0];
        });
  }

  private Maintenance.Step keep(ScrubFile in, ScrubFile.Progress kept) {
    toKeep = Optional.empty();
    return new Maintenance.Step(
        () -> in.write(kept),
        failure ->
            failure.ifPresent(
                f ->
                    LOG.debug(
                        "cannot keep how far {} has been scrubbed: {}",
                        disk.description(),
                        f.getMessage())));
  }

  /** Begins the next file. Returns false if there is nothing to do for now. */
  private boolean begin() {
    Optional<Segment> next = nextFile();
    if (next.isEmpty() && inRound) {
      inRound = false;
      roundEnded = OptionalLong.of(world.nanoTime());
      progress = new ScrubFile.Progress(progress.rounds() + 1, 0);
      LOG.debug("{} has been scrubbed, round {}", disk.description(), progress.rounds());
      return false;
    }
    if (!inRound && !mayBeginRound()) {
      return false;
    }
    if (!inRound) {
      inRound = true;
      hasBegunAny = true;
      roundBegan = world.nanoTime();
      doneBytes = 0;
      roundBytes = segments.all().stream().mapToLong(segment -> segment.end).sum();
      next = nextFile();
    }
    walk = next.map(Walk::new).orElse(null);
    return walk != null;
  }

  /**
   * Returns whether a new round may begin. The first round after a start continues the previous
   * one.
   */
  private boolean mayBeginRound() {
    return !hasBegunAny || world.nanoTime() - roundBegan >= rate.shortestRound().toNanos();
  }

  private Optional<Segment> nextFile() {
    return segments.all().stream()
        .filter(segment -> segment.sequence >= progress.next())
        .filter(segment -> segment.isFinished() || segment.durable > 0)
        .min((a, b) -> Long.compare(a.sequence, b.sequence));
  }

  private Maintenance.Step load(Walk current) {
    Segment segment = current.segment;
    Inspector inspector = new Inspector(disk, segment.name());
    List<SegmentIndex> content = new ArrayList<>();
    return new Maintenance.Step(
        () -> inspector.content(segment.sequence).ifPresent(content::add),
        failure -> {
          if (content.isEmpty()) {
            current.isSound = false;
            condemn(segment, inspector.damage());
            end(current);
          } else {
            current.content = content.getFirst();
          }
        });
  }

  private Maintenance.Step piece(Walk current, SegmentIndex content) {
    Segment segment = current.segment;
    List<Item> items = new ArrayList<>();
    long from = -1;
    while (current.position < content.count()) {
      int i = current.position;
      Item item =
          new Item(
              content.offset(i),
              content.isHole(i) ? RecordFormat.HOLE : RecordFormat.DATA,
              content.address(i),
              content.length(i));
      from = from < 0 ? item.offset() : from;
      if (item.end() > segment.durable || (item.end() - from > PIECE_BYTES && !items.isEmpty())) {
        break;
      }
      if (isAlive(segment, item)) {
        items.add(item);
      }
      current.position++;
      if (item.end() - from > PIECE_BYTES) {
        break;
      }
    }
    boolean isLast =
        current.position == content.count()
            || content.offset(current.position) + RecordFormat.sizeOf(0) > segment.durable
            || (items.isEmpty() && segment.index != null);
    List<Item> keeping = isLast ? whatKeeps(segment, content) : List.of();
    long bytes = items.isEmpty() ? 0 : items.getLast().end() - items.getFirst().offset();
    budget -= Math.max(bytes, 4096) + keeping.size() * RecordFormat.sizeOf(64);
    doneBytes += bytes;
    readBytes += bytes + keeping.stream().mapToLong(item -> item.end() - item.offset()).sum();
    records += items.size() + keeping.size();
    Inspector inspector = new Inspector(disk, segment.name());
    return new Maintenance.Step(
        () -> {
          inspector.inspect(items, segment.nonce);
          keeping.forEach(item -> inspector.inspect(List.of(item), segment.nonce));
        },
        failure -> {
          conclude(segment, items, inspector);
          current.isSound &= inspector.corrupt().isEmpty() && inspector.damage().isEmpty();
          if (isLast) {
            end(current);
          }
        });
  }

  private boolean isAlive(Segment segment, Item item) {
    return index.find(item.address()) == location(segment, item);
  }

  private static long location(Segment segment, Item item) {
    return Location.of(segment.slot, item.offset(), item.kind() == RecordFormat.HOLE);
  }

  /** Returns the records of trims and of streams' marks that are still needed. */
  private List<Item> whatKeeps(Segment segment, SegmentIndex content) {
    List<Item> items = new ArrayList<>();
    for (SegmentIndex.Trims trims : content.trims()) {
      TrimmedSet.Block block = index.trimmed.find(trims.base());
      if (block != null
          && block.location == Location.of(segment.slot, trims.offset(), false)
          && trims.offset() < segment.durable) {
        items.add(
            new Item(trims.offset(), RecordFormat.TRIMS, trims.base(), TrimmedSet.BITMAP_BYTES));
      }
    }
    content
        .streams()
        .forEachMark(
            0,
            content.streams().markCount(),
            (stream, before, offset) -> {
              if (index.streams.placeOfMark(stream) == Location.of(segment.slot, offset, false)) {
                items.add(new Item(offset, RecordFormat.STREAM, before, RecordFormat.STREAM_BYTES));
              }
            });
    return items;
  }

  private void conclude(Segment segment, List<Item> items, Inspector inspector) {
    if (segment.dropped) {
      return;
    }
    for (Item item : items) {
      if (inspector.corrupt().contains(item.address()) && isAlive(segment, item)) {
        index.corrupt.found(
            item.address(),
            "the entry at address %d can't be read from %s of %s at offset %d: "
                    .formatted(item.address(), segment.name(), disk.description(), item.offset())
                + "the scrubber found it damaged; other replicas may have it");
      }
    }
    if (inspector.damage().isPresent()) {
      condemn(segment, inspector.damage());
    }
  }

  private void condemn(Segment segment, Optional<String> why) {
    if (!segment.dropped && !segment.condemned) {
      LOG.error(
          "{} of {} is damaged; its needed records are written to another file: {}",
          segment.name(),
          disk.description(),
          why.orElse("it can't be read"));
      store.condemn(segment);
    }
  }

  private void end(Walk ended) {
    walk = null;
    if (ended.isSound && ended.segment.unreadable && !ended.segment.dropped) {
      ended.segment.unreadable = false; // the disk can read it again
      store.suspect(ended.segment);
    }
    progress = new ScrubFile.Progress(progress.rounds(), ended.segment.sequence + 1);
    long now = world.nanoTime();
    if (file.isPresent() && (keptAt == 0 || now - keptAt >= KEEP_NANOS)) {
      keptAt = now;
      toKeep = Optional.of(progress);
    }
  }
}
