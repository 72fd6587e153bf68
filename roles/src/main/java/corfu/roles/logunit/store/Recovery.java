package corfu.roles.logunit.store;

import corfu.protocol.StreamId;
import corfu.roles.logunit.compressed.CompressedFile;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.Footer;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFileContent;
import corfu.roles.logunit.logfile.LogFileIndex;
import corfu.roles.logunit.logfile.LogFileScan;
import corfu.roles.logunit.logfile.LogFileStreams;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.pagemap.Location;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import corfu.world.DiskFullException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a directory into log files and an index. The content of an address is the maximum of what
 * the files tell, where unwritten is less than an entry, and an entry is less than trimmed.
 * Therefore neither the order of the files nor copies of entries matter, and recovery can be
 * repeated.
 *
 * <p>Files with a footer are not read beyond it. Among files without a footer, the last one may
 * have a torn tail, which is cut; each file without a footer gets one now.
 */
final class Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final Disk disk;
  private final LogFiles logFiles;
  private final AddressIndex index;
  private final long first;
  private final Map<Long, Long> expected = new HashMap<>(); // bytes of each file
  private final List<TrimmedSet.Block> scattered = new ArrayList<>();

  /** The trimmed addresses whose streams some file still tells. */
  private final TrimmedSet told = new TrimmedSet();

  /**
   * The content of a log file.
   *
   * @param plainBytes the file's size before it was compressed, or 0 if it is not compressed
   * @param isSound whether the next start will be able to read the file, as far as it is known
   */
  private record Content(
      LogFileIndex index, long end, long fileBytes, long plainBytes, boolean isSound) {}

  /**
   * @param disk the directory
   * @param logFiles the log files to fill
   * @param index the index to fill
   * @param first the lowest sequence number of a file that counts
   */
  Recovery(Disk disk, LogFiles logFiles, AddressIndex index, long first) {
    this.first = first;
    this.disk = disk;
    this.logFiles = logFiles;
    this.index = index;
  }

  /**
   * Reads the directory.
   *
   * @return the blocks of trims that no single record holds completely
   * @throws DamagedStorageException if acknowledged content might be missing, and it is unknown
   *     which
   */
  List<TrimmedSet.Block> run() {
    List<String> names = new ArrayList<>();
    for (String name : disk.list()) {
      if (name.endsWith(LogFileName.TEMPORARY) || LogFileName.isVoid(name, first)) {
        disk.delete(name);
      } else if (LogFileName.isName(name)) {
        names.add(name);
      }
    }
    logFiles.expected().stream()
        .filter(item -> item.sequence() >= first)
        .forEach(item -> expected.put(item.sequence(), item.bytes()));
    for (String name : names.reversed()) { // the newest file knows most of the trims
      recover(name, name.equals(names.getLast()));
    }
    expected.keySet().forEach(sequence -> mustBeThere(sequence, names));
    index.records.removeBelow(index.mark);
    for (TrimmedSet.Block block : index.trimmed.removeBelow(index.mark)) {
      if (block.location != Location.NONE) {
        logFiles.at(block.location).trimsDied();
      }
    }
    index.streams.passAll();
    forgetUntold();
    index.settledMark = index.mark;
    index.settledNext = Math.max(index.settledNext, Math.max(index.mark, index.trimmed.end()));
    return scattered;
  }

  private void mustBeThere(long sequence, List<String> names) {
    String name = LogFileName.of(sequence);
    if (!names.contains(name)) {
      throw new DamagedStorageException(
          "%s of %s is missing, although it held acknowledged entries; rebuild this unit"
                  .formatted(name, disk.description())
              + " from its replicas on an empty directory");
    }
  }

  /** Forgets the streams of trimmed addresses that are in no file any more. */
  private void forgetUntold() {
    long highest = index.trimmed.highestNotIn(told);
    if (highest < index.mark) {
      highest = index.mark - 1;
      while (highest >= 0 && told.contains(highest)) {
        highest--;
      }
    }
    index.streams.forget(highest + 1);
  }

  private void recover(String name, boolean isLast) {
    long sequence = LogFileName.sequenceOf(name);
    String place = name + " of " + disk.description();
    Content content;
    try (DiskFile file = CompressedFile.open(disk, name)) {
      content = contentOf(file, sequence, place, isLast);
    }
    long wanted = expected.getOrDefault(sequence, 0L);
    if (content.end < wanted) {
      throw new DamagedStorageException(
          "%s holds records up to offset %d, but once held them up to %d: it was cut; rebuild"
                  .formatted(place, content.end, wanted)
              + " this unit from its replicas on an empty directory");
    }
    LogFile logFile = logFiles.adopt(sequence);
    logFile.end = content.end;
    logFile.settled = content.end;
    logFile.durable = content.end;
    logFiles.measures(logFile, content.fileBytes);
    logFile.plainBytes = content.plainBytes;
    logFile.condemned = !content.isSound;
    merge(logFile, content.index);
  }

  private Content contentOf(DiskFile file, long sequence, String place, boolean isLast) {
    Optional<Footer.Found> footer = Footer.read(file);
    footer.ifPresent(found -> check(found.sequence() == sequence, place, found.sequence()));
    if (file instanceof CompressedFile compressed) {
      check(compressed.sequence() == sequence, place, compressed.sequence());
      return contentOf(compressed, footer, place);
    }
    return footer.isPresent()
        ? new Content(footer.get().index(), footer.get().offset(), file.size(), 0, true)
        : finish(file, sequence, place, isLast);
  }

  /** A compressed file was finished before: it has no torn tail, and cannot get a footer. */
  private static Content contentOf(
      CompressedFile file, Optional<Footer.Found> footer, String place) {
    LogFileIndex content =
        footer
            .map(Footer.Found::index)
            .orElseGet(() -> LogFileContent.scan(file, place, file.recordsEnd()));
    boolean isSound = footer.isPresent() && file.damage().isEmpty();
    return new Content(content, file.recordsEnd(), file.storedBytes(), file.size(), isSound);
  }

  private static void check(boolean holds, String place, long sequence) {
    if (!holds) {
      throw new DamagedStorageException(
          "%s has the content of the segment with sequence number %016x: files were renamed; "
                  .formatted(place, sequence)
              + "restore their names, or rebuild this unit from its replicas on an empty"
              + " directory");
    }
  }

  private Content finish(DiskFile file, long sequence, String place, boolean isLast) {
    RecordFormat.FileHeader header = LogFileContent.headerOf(file, place);
    check(header.sequence() == sequence, place, header.sequence());
    LogFileScan.Result scan = LogFileScan.scan(file, place, header, isLast);
    if (scan.cutBytes() > 0) {
      LOG.info(
          "cut a torn tail of {} bytes at offset {} of {}", scan.cutBytes(), scan.end(), place);
    }
    scan.corrupt().forEach(what -> LOG.error("found a corrupt entry: {}", what));
    file.resize(scan.end());
    file.sync();
    long size = scan.end();
    try {
      ByteBuffer footer = Footer.encode(scan.index(), sequence, header.nonce(), scan.end());
      int footerBytes = footer.remaining();
      file.write(footer, scan.end());
      file.sync();
      size += footerBytes;
    } catch (DiskFullException full) {
      LOG.warn("no footer for {}: {}", place, full.getMessage());
      cutAgain(file, scan.end());
    }
    return new Content(scan.index(), scan.end(), size, 0, true);
  }

  private static void cutAgain(DiskFile file, long end) {
    try {
      file.resize(end);
    } catch (DiskException e) {
      LOG.warn("cannot cut the rest of a footer off {}: {}", file.name(), e.getMessage());
    }
  }

  private void merge(LogFile logFile, LogFileIndex content) {
    index.mark = Math.max(index.mark, content.prefixMark());
    for (LogFileIndex.Trims trims : content.trims()) {
      mergeTrims(logFile, trims);
    }
    for (int i = 0; i < content.count(); i++) {
      long address = content.address(i);
      long bytes = RecordFormat.sizeOf(content.length(i));
      logFile.holds(address, bytes);
      index.settledNext = Math.max(index.settledNext, address + 1);
      long found = index.find(address);
      if (found == AddressIndex.UNWRITTEN) {
        logFile.born(bytes);
        index.records.put(address, Location.of(logFile.slot, content.offset(i), content.isHole(i)));
      } else if (found >= 0
          && Location.slot(found) == logFile.slot) { // repaired behind the first record
        index.records.put(address, Location.of(logFile.slot, content.offset(i), content.isHole(i)));
      } else if (found == AddressIndex.TRIMMED) {
        told.add(address);
        index.streams.died(1);
      }
    }
    mergeStreams(logFile, content);
  }

  private void mergeStreams(LogFile logFile, LogFileIndex content) {
    LogFileStreams streams = content.streams();
    streams.forEachMark(
        0,
        streams.markCount(),
        (stream, before, offset) -> {
          logFile.markBorn();
          long garbage =
              index.streams.mark(stream, before, Location.of(logFile.slot, offset, false));
          if (garbage != Location.NONE) {
            logFiles.at(garbage).markDied();
          }
        });
    streams.forEach(new Merging(content));
    for (long address : streams.damaged()) {
      index.streams.forget(address + 1);
    }
  }

  /**
   * Adds the streams of all entries, trimmed ones included: these may be a stream's newest ones.
   */
  private final class Merging implements LogFileStreams.Visitor {
    private final LogFileIndex content;
    private int last = -1;
    private int streams; // of the last entry

    Merging(LogFileIndex content) {
      this.content = content;
    }

    @Override
    public void visit(int entry, StreamId stream, long streamAddress) {
      long address = content.address(entry);
      streams = entry == last ? streams + 1 : 1;
      last = entry;
      index.streams.add(stream, address, streamAddress, content.length(entry));
      if (streams > 1 && index.find(address) != AddressIndex.TRIMMED) {
        index.streams.isNeededBy(address, streams);
      }
    }
  }

  private void mergeTrims(LogFile logFile, LogFileIndex.Trims trims) {
    long end = trims.base() + TrimmedSet.BLOCK_ADDRESSES;
    if (end > 0 && end <= index.mark) {
      return;
    }
    TrimmedSet.Block known = index.trimmed.find(trims.base());
    boolean complete = known == null || known.includes(trims.bitmap());
    TrimmedSet.Block block = index.trimmed.addAll(trims.base(), trims.bitmap());
    logFile.holdsTrims(block);
    if (known == null) {
      block.location = Location.of(logFile.slot, trims.offset(), false);
      logFile.trimsBorn();
    } else if (!complete && block.location != Location.NONE) {
      logFiles.at(block.location).trimsDied();
      block.location = Location.NONE;
      scattered.add(block);
    }
    for (long a = block.firstAtOrAfter(block.base); a >= 0; a = block.firstAtOrAfter(a + 1)) {
      long location = index.records.get(a);
      if (location >= 0) {
        logFiles.at(location).died();
        index.records.remove(a);
        told.add(a);
      }
    }
  }
}
