package corfu.roles.logunit.logfile;

import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.CorruptEntries;
import corfu.roles.logunit.pagemap.Location;
import corfu.world.DiskException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Reads entries from log files, neighbours by one read. Every entry is verified: an entry that
 * differs from what its appender sent to this address is reported as corrupt, with the place of its
 * record.
 */
public final class EntryReader {

  /**
   * The largest read, unless a single entry is larger. A core's cache holds this much until it is
   * verified, and it is far below the garbage collector's humongous objects.
   */
  public static final int RUN_BYTES = 128 << 10;

  /**
   * The largest gap between two records of one read. A read mostly copies from the page cache;
   * copying a larger gap takes longer than another read.
   */
  private static final int GAP_BYTES = 4 << 10;

  /**
   * The largest distance between the beginnings of two records of one read, whose first record may
   * have a usual length.
   */
  private static final int MOST_APART = 16 << 10;

  /** If no record is longer than this, the last one of a run is read as a whole. */
  private static final int KNOWN_BYTES = 64 << 10;

  private static final int HEADER = RecordFormat.RECORD_HEADER_BYTES;
  private static final int FIRST_GUESS_BYTES = 4 << 10;

  private final LogFiles logFiles;
  private final CorruptEntries corrupt;
  private final IntFunction<ByteBuffer> memory;

  /** Creates a reader whose entries stay valid. */
  public EntryReader(LogFiles logFiles, CorruptEntries corrupt) {
    this(logFiles, corrupt, ByteBuffer::allocate);
  }

  /**
   * @param logFiles the log files
   * @param corrupt receives corrupt entries
   * @param memory allocates memory for entries
   */
  public EntryReader(LogFiles logFiles, CorruptEntries corrupt, IntFunction<ByteBuffer> memory) {
    this.logFiles = logFiles;
    this.corrupt = corrupt;
    this.memory = memory;
  }

  public ReadOutcome read(long address, long location) {
    return new Run(logFiles.at(location), List.of(Location.offset(location))).outcome(0, address);
  }

  /** Returns the largest distance between the beginnings of two records of one run. */
  public static long apart(LogFile logFile) {
    return Math.min(MOST_APART, logFile.longestRecord() + GAP_BYTES);
  }

  /** Starts a run over records of one file, in ascending order of offset. */
  public Run run(LogFile logFile, List<Long> offsets) {
    return new Run(logFile, offsets);
  }

  /** The bytes from a first to a last record. They are read for the first outcome. */
  public final class Run {
    private final LogFile logFile;
    private final List<Long> offsets;
    private final long start;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private String failure = "";

    private Run(LogFile logFile, List<Long> offsets) {
      this.logFile = logFile;
      this.offsets = offsets;
      this.start = offsets.getFirst();
      long last =
          logFile.longestRecord() <= KNOWN_BYTES ? logFile.longestRecord() : FIRST_GUESS_BYTES;
      fetch(start, offsets.getLast() - start + last);
    }

    private void fetch(long from, long wanted) {
      int length = (int) Math.max(0, Math.min(wanted, logFile.end - from));
      bytes = memory.apply(length).order(ByteOrder.LITTLE_ENDIAN);
      try {
        bytes.limit(logFiles.fileOf(logFile).read(bytes, from));
      } catch (DiskException e) {
        bytes.limit(0);
        failure = String.valueOf(e.getMessage());
      }
    }

    /** Returns the entry in the record with this index, which should have this address. */
    public ReadOutcome outcome(int index, long address) {
      long offset = offsets.get(index);
      int at = (int) (offset - start) + HEADER;
      if (bytes.limit() < at + Entry.HEADER_BYTES) {
        return damaged(address, offset, failure.isEmpty() ? "the file ends before it" : failure);
      }
      int length = bytes.getInt(at + 4);
      if (length < Entry.HEADER_BYTES || RecordFormat.sizeOf(length) > logFile.longestRecord()) {
        return damaged(address, offset, "its length can't be " + length);
      }
      if (bytes.limit() < at + length) {
        if (offset != start || bytes.limit() >= HEADER + length) {
          return new Run(logFile, List.of(offset)).outcome(0, address);
        }
        if (bytes.capacity() < HEADER + length) {
          fetch(offset, HEADER + (long) length);
        }
        if (bytes.limit() < HEADER + length) {
          return damaged(address, offset, failure.isEmpty() ? "the file ends inside it" : failure);
        }
      }
      return verify(bytes.slice(at, length), address, offset);
    }

    private ReadOutcome verify(ByteBuffer bytes, long address, long offset) {
      try {
        Entry entry = Entry.wrap(bytes);
        if (entry.address() == address
            && entry.lengthBytes() == bytes.remaining()
            && entry.isIntact()) {
          return new ReadOutcome.Found(entry);
        }
        return damaged(address, offset, "its checksum is wrong");
      } catch (IllegalArgumentException e) {
        return damaged(address, offset, "found " + e.getMessage());
      }
    }

    private ReadOutcome damaged(long address, long offset, String why) {
      String what =
          ("the entry at address %d can't be read from %s of %s at offset %d: %s;"
                  + " other replicas may have it")
              .formatted(address, logFile.name(), logFiles.disk().description(), offset, why);
      corrupt.found(address, what);
      return new ReadOutcome.Corrupt(what);
    }
  }
}
