package corfu.roles.logunit.options;

import corfu.protocol.Limits;
import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.pagemap.Location;
import corfu.world.Disk;
import corfu.world.DiskFile;
import corfu.world.DiskFullException;
import java.util.List;

/**
 * How a log unit stores.
 *
 * @param mode when the unit acknowledges a write
 * @param logFileBytes the size of a full log file, from 4 KiB to 64 MiB; a larger entry gets a file
 *     of its own
 * @param capacityBytes the largest total size of all log files, in bytes; at least four files
 * @param gatherBytes the number of bytes that may wait for the disk before further writes are
 *     answered with {@code Overloaded}
 * @param openFiles the number of finished log files that stay open for reading; at least 1
 * @param limits the limits of a request
 * @param followers the bounds of followers' costs
 * @param scrub how fast the scrubber looks for damage
 */
public record LogUnitOptions(
    UnitMode mode,
    int logFileBytes,
    long capacityBytes,
    long gatherBytes,
    int openFiles,
    Limits limits,
    FollowerBounds followers,
    ScrubRate scrub) {

  private static final int SMALLEST_LOG_FILE_BYTES = 4 << 10;
  private static final int MEMORY_LOG_FILES = 64;

  /** The number of log files for which a small disk has room. The reserve is one of them. */
  private static final int SMALL_DISK_LOG_FILES = 64;

  /** The smallest disk on which a new unit starts. */
  private static final long SMALLEST_DISK_BYTES = 1 << 20;

  public LogUnitOptions {
    if (logFileBytes < SMALLEST_LOG_FILE_BYTES
        || logFileBytes > Location.MAX_LOG_FILE_BYTES
        || logFileBytes % SMALLEST_LOG_FILE_BYTES != 0) {
      throw new IllegalArgumentException(
          "a segment file measures from 4 KiB to 64 MiB in steps of 4 KiB, not "
              + logFileBytes
              + " bytes");
    }
    if (capacityBytes < 4L * logFileBytes) {
      throw new IllegalArgumentException(
          "a log unit needs room for four segment files of "
              + logFileBytes
              + " bytes, but its capacity is "
              + capacityBytes
              + "; raise the capacity or choose smaller segments");
    }
    if (gatherBytes < 1 || openFiles < 1) {
      throw new IllegalArgumentException(
          "a log unit gathers at least one byte and keeps at least one file open, not "
              + gatherBytes
              + " and "
              + openFiles);
    }
  }

  /** Returns options for a unit on disk that uses the disk's whole capacity. */
  public static LogUnitOptions onDisk(UnitMode mode) {
    return new LogUnitOptions(
        mode,
        Location.MAX_LOG_FILE_BYTES,
        Long.MAX_VALUE,
        64L << 20,
        256,
        Limits.DEFAULT,
        FollowerBounds.DEFAULT,
        ScrubRate.DEFAULT);
  }

  /**
   * Returns the options with log files that fit the disk. On a small disk they are small; otherwise
   * it would have no room for the first file and the reserve. The room of a disk is its free space
   * plus the size of the unit's files.
   *
   * @throws DiskFullException if the unit is new, and the disk has room for less than 1 MiB
   */
  public LogUnitOptions fittedTo(Disk disk) {
    long free = disk.freeBytes();
    if (free / SMALL_DISK_LOG_FILES >= logFileBytes) {
      return this;
    }
    List<String> files = disk.list().stream().filter(LogFileName::isName).toList();
    long room = free;
    for (String name : files) {
      try (DiskFile file = disk.open(name)) {
        room += file.size();
      }
    }
    if (files.isEmpty() && room < SMALLEST_DISK_BYTES) {
      throw new DiskFullException(
          "a log unit needs %,d bytes or more to start, but the disk of %s has room for %,d; free"
                  .formatted(SMALLEST_DISK_BYTES, disk.description(), room)
              + " some, or give it another disk");
    }
    long fair = room / SMALL_DISK_LOG_FILES & -SMALLEST_LOG_FILE_BYTES;
    return withLogFileBytes(Math.clamp(fair, SMALLEST_LOG_FILE_BYTES, logFileBytes));
  }

  /** Returns options for a unit in memory of up to this many bytes, at least 256 KiB. */
  public static LogUnitOptions inMemory(long capacityBytes) {
    long fair = capacityBytes / MEMORY_LOG_FILES & -SMALLEST_LOG_FILE_BYTES;
    int logFile = Math.clamp(fair, SMALLEST_LOG_FILE_BYTES, Location.MAX_LOG_FILE_BYTES);
    return new LogUnitOptions(
        UnitMode.MEMORY,
        logFile,
        capacityBytes,
        64L << 20,
        256,
        Limits.DEFAULT,
        FollowerBounds.DEFAULT,
        ScrubRate.DEFAULT);
  }

  /** Returns the same options with another size of log files. */
  public LogUnitOptions withLogFileBytes(int bytes) {
    return new LogUnitOptions(
        mode, bytes, capacityBytes, gatherBytes, openFiles, limits, followers, scrub);
  }

  /** Returns the same options with another capacity. */
  public LogUnitOptions withCapacityBytes(long bytes) {
    return new LogUnitOptions(
        mode, logFileBytes, bytes, gatherBytes, openFiles, limits, followers, scrub);
  }

  /** Returns the same options with another bound on gathered bytes. */
  public LogUnitOptions withGatherBytes(long bytes) {
    return new LogUnitOptions(
        mode, logFileBytes, capacityBytes, bytes, openFiles, limits, followers, scrub);
  }

  /** Returns the same options with another bound on open files. */
  public LogUnitOptions withOpenFiles(int files) {
    return new LogUnitOptions(
        mode, logFileBytes, capacityBytes, gatherBytes, files, limits, followers, scrub);
  }

  /** Returns the same options with other limits. */
  public LogUnitOptions withLimits(Limits other) {
    return new LogUnitOptions(
        mode, logFileBytes, capacityBytes, gatherBytes, openFiles, other, followers, scrub);
  }

  /** Returns the same options with other bounds on followers. */
  public LogUnitOptions withFollowers(FollowerBounds other) {
    return new LogUnitOptions(
        mode, logFileBytes, capacityBytes, gatherBytes, openFiles, limits, other, scrub);
  }

  /** Returns the same options with another scrub rate. */
  public LogUnitOptions withScrub(ScrubRate rate) {
    return new LogUnitOptions(
        mode, logFileBytes, capacityBytes, gatherBytes, openFiles, limits, followers, rate);
  }
}
