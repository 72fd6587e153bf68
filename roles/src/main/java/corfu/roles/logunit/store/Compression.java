package corfu.roles.logunit.store;

import corfu.protocol.message.LogUnitReply;
import corfu.roles.logunit.compressed.CompressedCopy;
import corfu.roles.logunit.compressed.CompressedFile;
import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.logfile.Footer;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFileIndex;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import corfu.world.DiskFullException;
import corfu.world.World;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compresses finished log files of which at least half lies below the address that a client named.
 * A file is copied step by step, compressed, and its copy replaces it by one renaming. Locations do
 * not change, so readers notice nothing. Where the disk has no room for a copy, a file waits.
 *
 * <p>The address is kept in a {@link CompressionFile}, and only grows. So files that are finished
 * later are compressed, too, if entries from below the address were moved into them.
 *
 * <p>Lives on the unit's thread.
 */
public final class Compression implements Maintenance.Chore {

  private static final Logger LOG = LoggerFactory.getLogger(Compression.class);
  private static final String IN_MEMORY =
      "this log unit holds its entries in memory and does not compress them";

  /** The active file is closed for a compression from this size on. */
  private static final long LEAST_BYTES = 4 << 10;

  private final LogFiles logFiles;
  private final World world;
  private final Disk disk;
  private final Optional<CompressionFile> file; // empty for units in memory
  private final ArrayDeque<LogFile> candidates = new ArrayDeque<>();
  private boolean recalled; // whether the address was read from the disk
  private long before;
  private long kept; // the address that the disk has
  private boolean isToKeep;
  private @Nullable Job job;
  private String noRoom = "";
  private String problem = ""; // the last failure

  /** A file that is being compressed. */
  private static final class Job {
    final LogFile logFile;
    @Nullable CompressedCopy copy;
    boolean isGivenUp; // the next step deletes the copy
    long doneBytes; // of the file
    long copyBytes; // of the whole copy

    Job(LogFile logFile) {
      this.logFile = logFile;
    }
  }

  Compression(LogFiles logFiles, World world, UnitMode mode) {
    this.logFiles = logFiles;
    this.world = world;
    this.disk = logFiles.disk();
    this.file = mode == UnitMode.MEMORY ? Optional.empty() : Optional.of(new CompressionFile(disk));
  }

  /** Compresses what lies below this address, from now on and as time permits. */
  public void compressBefore(long address) {
    if (file.isEmpty()) {
      return;
    }
    before = Math.max(before, address);
    isToKeep = before > kept;
    closeActiveIfBelow();
    for (LogFile logFile : logFiles.all()) {
      logFile.staysPlain = false;
    }
    problem = "";
    noRoom = "";
    findCandidates();
  }

  /** Closes the active file if most of it should be compressed, and a next file is certain. */
  private void closeActiveIfBelow() {
    logFiles
        .active()
        .filter(active -> active.end >= LEAST_BYTES && active.lowest() < before)
        .filter(active -> isMostlyBelow(active.content(), before))
        .filter(active -> logFiles.hasRoomFor(2L * logFiles.logFileBytes()))
        .ifPresent(active -> logFiles.closeActive());
  }

  private void findCandidates() {
    candidates.clear();
    logFiles.all().forEach(this::finished);
  }

  /** Called for each file that was finished. */
  void finished(LogFile logFile) {
    if (mayBeCompressed(logFile) && logFile.isFinished()) {
      candidates.add(logFile);
    }
  }

  private boolean mayBeCompressed(LogFile logFile) {
    return !logFile.dropped
        && !logFile.isCompressed()
        && !logFile.staysPlain
        && !logFile.unreadable
        && !logFile.condemned
        && logFile.lowest() < before
        && CompressedCopy.isPossible(logFile.contentBytes());
  }

  /** Returns the progress. */
  public LogUnitReply.Compressed standing() {
    long plain = 0;
    long stored = 0;
    long waiting = 0;
    for (LogFile logFile : logFiles.all()) {
      if (logFile.isCompressed()) {
        plain += logFile.plainBytes;
        stored += logFile.fileBytes;
      } else if (mayBeCompressed(logFile) && !logFile.isOpen()) {
        waiting += logFile.contentBytes() - copiedOf(logFile);
      }
    }
    return new LogUnitReply.Compressed(
        before, plain, stored, waiting, file.isEmpty() ? IN_MEMORY : noRoom + problem);
  }

  private long copiedOf(LogFile logFile) {
    return job != null && job.logFile == logFile ? job.doneBytes : 0;
  }

  // -------------------------------------------------------------------------------------- steps

  @Override
  public Optional<Maintenance.Step> next() {
    if (file.isEmpty()) {
      return Optional.empty();
    }
    if (!recalled) {
      return Optional.of(recall(file.get()));
    }
    if (isToKeep) {
      return Optional.of(keep(file.get(), before));
    }
    if (job != null) {
      return Optional.of(stepOf(job));
    }
    while (!candidates.isEmpty()) {
      LogFile first = candidates.peek();
      if (!mayBeCompressed(first)) {
        candidates.remove();
      } else if (hasRoomFor(first)) {
        candidates.remove();
        return Optional.of(begin(first));
      } else {
        noteNoRoom(first);
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private void noteNoRoom(LogFile logFile) {
    if (noRoom.isEmpty()) {
      noRoom =
          "there is no room in %s for the compressed copy of %s; trim the log, or add space"
              .formatted(disk.description(), logFile.name());
    }
  }

  private boolean hasRoomFor(LogFile logFile) {
    long most = CompressedCopy.mostBytes(logFile.contentBytes());
    return logFiles.hasRoomFor(most + 2L * logFiles.logFileBytes());
  }

  private Maintenance.Step recall(CompressionFile from) {
    long[] read = {0};
    return new Maintenance.Step(
        () -> read[0] = from.read(),
        failure -> {
          recalled = true;
          kept = read[0];
          before = Math.max(before, kept);
          isToKeep = before > kept;
          findCandidates();
        });
  }

  private Maintenance.Step keep(CompressionFile in, long address) {
    isToKeep = false;
    return new Maintenance.Step(
        () -> in.write(address),
        failure -> {
          if (failure.isEmpty()) {
            kept = address;
          } else {
            LOG.warn(
                "cannot keep that {} is compressed before address {}, so a restart forgets it: {}",
                disk.description(),
                address,
                failure.get().getMessage());
          }
        });
  }

  private Maintenance.Step begin(LogFile logFile) {
    noRoom = "";
    Job fresh = new Job(logFile);
    job = fresh;
    long address = before;
    long nonce = world.random().nextLong();
    logFiles.reserveForCopy(CompressedCopy.mostBytes(logFile.contentBytes()));
    return new Maintenance.Step(
        () -> prepare(fresh, address, nonce),
        failure -> {
          if (failure.isPresent()) {
            giveUp(fresh, failure.get());
          } else if (fresh.copyBytes > 0) {
            replaced(fresh, failure);
          } else if (fresh.copy == null) {
            logFile.staysPlain = true;
            end();
          }
        });
  }

  /**
   * Begins the copy. Does not if too little of the file lies below the address, or if an earlier
   * copy has replaced the file and the disk failed only then. A file without a footer stays as it
   * is, too: after a full disk, its end may still have to be cut.
   */
  private void prepare(Job fresh, long address, long nonce) {
    LogFile logFile = fresh.logFile;
    try (DiskFile open = CompressedFile.open(disk, logFile.name())) {
      if (open instanceof CompressedFile earlier) {
        fresh.copyBytes = earlier.storedBytes();
      } else if (Footer.read(open)
          .filter(footer -> footer.sequence() == logFile.sequence)
          .filter(footer -> footer.offset() == logFile.end)
          .filter(footer -> isMostlyBelow(footer.index(), address))
          .isPresent()) {
        fresh.copy =
            CompressedCopy.begin(
                disk,
                logFile.name(),
                "compressed-%016x%s".formatted(logFile.sequence, LogFileName.TEMPORARY),
                logFile.sequence,
                logFile.end,
                nonce);
      }
    }
  }

  /** Returns whether at least half of the entries' bytes are of entries below the address. */
  private static boolean isMostlyBelow(LogFileIndex content, long address) {
    long below = 0;
    long all = 0;
    for (int i = 0; i < content.count(); i++) {
      long bytes = RecordFormat.sizeOf(content.length(i));
      all += bytes;
      below += content.address(i) < address ? bytes : 0;
    }
    return 2 * below >= all && below > 0;
  }

  private Maintenance.Step stepOf(Job current) {
    CompressedCopy copy = Objects.requireNonNull(current.copy);
    if (current.isGivenUp || !mayBeCompressed(current.logFile)) {
      return new Maintenance.Step(copy::discard, nothing -> end());
    }
    return copy.isWhole()
        ? new Maintenance.Step(
            () -> current.copyBytes = copy.replace(), failure -> replaced(current, failure))
        : new Maintenance.Step(copy::step, failure -> stepped(current, failure));
  }

  private void stepped(Job current, Optional<Throwable> failure) {
    if (failure.isPresent()) {
      giveUp(current, failure.get());
    } else {
      current.doneBytes = Objects.requireNonNull(current.copy).doneBytes();
    }
  }

  private void replaced(Job current, Optional<Throwable> failure) {
    if (failure.isPresent()) {
      giveUp(current, failure.get());
    } else {
      end();
      logFiles.replacedByCopy(current.logFile, current.copyBytes);
    }
  }

  /** Leaves the file as it is. The next step deletes the copy. */
  private void giveUp(Job current, Throwable why) {
    LogFile logFile = current.logFile;
    if (why instanceof DiskFullException) {
      problem = "the disk was full while %s was compressed".formatted(logFile.name());
    } else {
      problem =
          "%s of %s can't be compressed: %s"
              .formatted(logFile.name(), disk.description(), why.getMessage());
    }
    LOG.warn("{}", problem);
    logFile.staysPlain = true;
    current.isGivenUp = true;
    if (current.copy == null) {
      end();
    }
  }

  /** Deletes the copy of an unfinished compression. Nobody else may use the store any more. */
  void abandon() {
    if (job != null && job.copy != null) {
      try {
        job.copy.discard();
      } catch (DiskException failure) {
        LOG.debug("a start will delete a copy that is left: {}", failure.getMessage());
      }
    }
    job = null;
  }

  private void end() {
    job = null;
    logFiles.reserveForCopy(0);
    logFiles.spare().tryAgain();
  }
}
