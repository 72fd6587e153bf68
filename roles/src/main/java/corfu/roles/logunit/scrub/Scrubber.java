package corfu.roles.logunit.scrub;

import corfu.protocol.message.LogUnitReply;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.CorruptEntries;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFileIndex;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.scrub.Inspector.Item;
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
  private final LogFiles logFiles;
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
    void condemn(LogFile logFile);

    /** Checks whether the segment's space should be freed. */
    void suspect(LogFile logFile);
  }

  /** The file that is being read. */
  private static final class Walk {
    final LogFile logFile;
    @Nullable LogFileIndex content; // null until it is read
    int position;
    boolean isSound = true;

    Walk(LogFile logFile) {
      this.logFile = logFile;
      this.content = logFile.index;
    }
  }

  public Scrubber(
      Target store, LogFiles logFiles, AddressIndex index, World world, ScrubRate rate) {
    this.store = store;
    this.logFiles = logFiles;
    this.index = index;
    this.world = world;
    this.rate = rate;
    this.disk = logFiles.disk();
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
    if (current.logFile.dropped) {
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
    Optional<LogFile> next = nextFile();
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
      roundBytes = logFiles.all().stream().mapToLong(logFile -> logFile.end).sum();
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

  private Optional<LogFile> nextFile() {
    return logFiles.all().stream()
        .filter(logFile -> logFile.sequence >= progress.next())
        .filter(logFile -> logFile.isFinished() || logFile.durable > 0)
        .min((a, b) -> Long.compare(a.sequence, b.sequence));
  }

  private Maintenance.Step load(Walk current) {
    LogFile logFile = current.logFile;
    Inspector inspector = new Inspector(disk, logFile.name());
    List<LogFileIndex> content = new ArrayList<>();
    return new Maintenance.Step(
        () -> inspector.content(logFile.sequence).ifPresent(content::add),
        failure -> {
          if (content.isEmpty()) {
            current.isSound = false;
            condemn(logFile, inspector.damage());
            end(current);
          } else {
            current.content = content.getFirst();
          }
        });
  }

  private Maintenance.Step piece(Walk current, LogFileIndex content) {
    LogFile logFile = current.logFile;
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
      if (item.end() > logFile.durable || (item.end() - from > PIECE_BYTES && !items.isEmpty())) {
        break;
      }
      if (isAlive(logFile, item)) {
        items.add(item);
      }
      current.position++;
      if (item.end() - from > PIECE_BYTES) {
        break;
      }
    }
    boolean isLast =
        current.position == content.count()
            || content.offset(current.position) + RecordFormat.sizeOf(0) > logFile.durable
            || (items.isEmpty() && logFile.index != null);
    List<Item> keeping = isLast ? whatKeeps(logFile, content) : List.of();
    long bytes = items.isEmpty() ? 0 : items.getLast().end() - items.getFirst().offset();
    budget -= Math.max(bytes, 4096) + keeping.size() * RecordFormat.sizeOf(64);
    doneBytes += bytes;
    readBytes += bytes + keeping.stream().mapToLong(item -> item.end() - item.offset()).sum();
    records += items.size() + keeping.size();
    Inspector inspector = new Inspector(disk, logFile.name());
    return new Maintenance.Step(
        () -> {
          inspector.inspect(items, logFile.nonce);
          keeping.forEach(item -> inspector.inspect(List.of(item), logFile.nonce));
        },
        failure -> {
          conclude(logFile, items, inspector);
          current.isSound &= inspector.corrupt().isEmpty() && inspector.damage().isEmpty();
          if (isLast) {
            end(current);
          }
        });
  }

  private boolean isAlive(LogFile logFile, Item item) {
    return index.find(item.address()) == location(logFile, item);
  }

  private static long location(LogFile logFile, Item item) {
    return Location.of(logFile.slot, item.offset(), item.kind() == RecordFormat.HOLE);
  }

  /** Returns the records of trims and of streams' marks that are still needed. */
  private List<Item> whatKeeps(LogFile logFile, LogFileIndex content) {
    List<Item> items = new ArrayList<>();
    for (LogFileIndex.Trims trims : content.trims()) {
      TrimmedSet.Block block = index.trimmed.find(trims.base());
      if (block != null
          && block.location == Location.of(logFile.slot, trims.offset(), false)
          && trims.offset() < logFile.durable) {
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
              if (index.streams.placeOfMark(stream) == Location.of(logFile.slot, offset, false)) {
                items.add(new Item(offset, RecordFormat.STREAM, before, RecordFormat.STREAM_BYTES));
              }
            });
    return items;
  }

  private void conclude(LogFile logFile, List<Item> items, Inspector inspector) {
    if (logFile.dropped) {
      return;
    }
    for (Item item : items) {
      if (inspector.corrupt().contains(item.address()) && isAlive(logFile, item)) {
        index.corrupt.found(
            item.address(),
            "the entry at address %d can't be read from %s of %s at offset %d: "
                    .formatted(item.address(), logFile.name(), disk.description(), item.offset())
                + "the scrubber found it damaged; other replicas may have it");
      }
    }
    if (inspector.damage().isPresent()) {
      condemn(logFile, inspector.damage());
    }
  }

  private void condemn(LogFile logFile, Optional<String> why) {
    if (!logFile.dropped && !logFile.condemned) {
      LOG.error(
          "{} of {} is damaged; its needed records are written to another file: {}",
          logFile.name(),
          disk.description(),
          why.orElse("it can't be read"));
      store.condemn(logFile);
    }
  }

  private void end(Walk ended) {
    walk = null;
    if (ended.isSound && ended.logFile.unreadable && !ended.logFile.dropped) {
      ended.logFile.unreadable = false; // the disk can read it again
      store.suspect(ended.logFile);
    }
    progress = new ScrubFile.Progress(progress.rounds(), ended.logFile.sequence + 1);
    long now = world.nanoTime();
    if (file.isPresent() && (keptAt == 0 || now - keptAt >= KEEP_NANOS)) {
      keptAt = now;
      toKeep = Optional.of(progress);
    }
  }
}
