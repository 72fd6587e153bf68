package corfu.roles.logunit.logfile;

import corfu.protocol.Entry;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.RecordFormat;
import corfu.world.Disk;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** The content of a finished log file, read again. */
public final class LogFileContent {

  private LogFileContent() {}

  /**
   * Returns the content from the file's footer, or else from its records.
   *
   * @throws DamagedStorageException if neither is readable, or they contain less than the file had
   *     when it was finished: a damaged end looks like a torn one
   */
  public static LogFileIndex read(Disk disk, LogFile logFile, DiskFile file) {
    String place = logFile.name() + " of " + disk.description();
    Optional<Footer.Found> footer =
        Footer.read(file)
            .filter(found -> found.sequence() == logFile.sequence)
            .filter(found -> found.offset() == logFile.end);
    if (footer.isPresent()) {
      return footer.get().index();
    }
    return scan(file, place, logFile.end);
  }

  /**
   * Returns the content from the records of a finished file.
   *
   * @param end the offset at which the records ended when the file was finished
   * @throws DamagedStorageException if the file is unreadable, or its records end elsewhere: a
   *     damaged end looks like a torn one
   */
  public static LogFileIndex scan(DiskFile file, String place, long end) {
    LogFileScan.Result scan = LogFileScan.scan(file, place, headerOf(file, place), false);
    if (scan.end() != end) {
      throw new DamagedStorageException(
          "%s seems to end at offset %d, and ended at %d when it was finished"
              .formatted(place, scan.end(), end));
    }
    return scan.index();
  }

  /**
   * Returns a file's header.
   *
   * @throws DamagedStorageException if the header is damaged
   */
  public static RecordFormat.FileHeader headerOf(DiskFile file, String place) {
    ByteBuffer header =
        ByteBuffer.allocate(RecordFormat.FILE_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.limit(file.read(header, 0));
    return RecordFormat.parseFileHeader(header)
        .orElseThrow(
            () ->
                new DamagedStorageException(
                    "the header of %s is damaged, and so is its footer; ".formatted(place)
                        + "rebuild this unit from its replicas on an empty directory"));
  }

  /** Reads entries in ascending order of offset, many by one read. */
  public static final class Entries {
    private static final int READ_AHEAD_BYTES = 256 << 10;

    private final DiskFile file;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private long start;

    public Entries(DiskFile file) {
      this.file = file;
    }

    /**
     * Returns one entry.
     *
     * @throws DamagedStorageException if the entry is not as it was written
     */
    public Entry intact(long address, long recordOffset, int length) {
      long offset = recordOffset + RecordFormat.RECORD_HEADER_BYTES;
      if (offset < start || offset + length > start + bytes.limit()) {
        bytes = ByteBuffer.allocate(Math.max(length, READ_AHEAD_BYTES));
        bytes.limit(file.read(bytes, offset));
        start = offset;
      }
      int at = (int) (offset - start);
      if (at + length <= bytes.limit()) {
        Optional<Entry> entry = entryIn(bytes.slice(at, length), address);
        if (entry.isPresent()) {
          return entry.get();
        }
      }
      throw new DamagedStorageException(
          "the entry at address %d is corrupt, at offset %d".formatted(address, recordOffset));
    }

    private static Optional<Entry> entryIn(ByteBuffer bytes, long address) {
      try {
        Entry entry = Entry.wrap(bytes);
        boolean intact =
            entry.address() == address
                && entry.lengthBytes() == bytes.remaining()
                && entry.isIntact();
        return intact ? Optional.of(entry) : Optional.empty();
      } catch (IllegalArgumentException noEntry) {
        return Optional.empty();
      }
    }
  }
}
