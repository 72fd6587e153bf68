package corfu.roles.logunit.store;

import corfu.protocol.StreamId;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.format.SegmentName;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.segment.Footer;
import corfu.roles.logunit.segment.Segment;
import corfu.roles.logunit.segment.SegmentContent;
import corfu.roles.logunit.segment.SegmentIndex;
import corfu.roles.logunit.segment.SegmentScan;
import corfu.roles.logunit.segment.SegmentStreams;
import corfu.roles.logunit.segment.Segments;
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
  private final Segments segments;
  private final AddressIndex index;
  private final long first;
  private final Map<Long, Long> expected = new HashMap<>(); // bytes of each file
  private final List<TrimmedSet.Block> scattered = new ArrayList<>();

  /** The trimmed addresses whose streams some file still tells. */
  private final TrimmedSet told = new TrimmedSet();

  private record Content(SegmentIndex index, long end, long fileBytes) {}

  /**
   * @param disk the directory
   * @param segments the log files to fill
   * @param index the index to fill
   * @param first the lowest sequence number of a file that counts
   */
  Recovery(Disk disk, Segments segments, AddressIndex index, long first) {
    this.first = first;
    this.disk = disk;
    this.segments = segments;
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
      if (name.endsWith(SegmentName.TEMPORARY) || SegmentName.isVoid(name, first)) {
        disk.delete(name);
      } else if (SegmentName.isName(name)) {
        names.add(name);
      }
    }
    segments.expected().stream()
        .filter(item -> item.sequence() >= first)
        .forEach(item -> expected.put(item.sequence(), item.bytes()));
    for (String name : names.reversed()) { // the newest file knows most of the trims
      recover(name, name.equals(names.getLast()));
    }
    expected.keySet().forEach(sequence -> mustBeThere(sequence, names));
    index.records.removeBelow(index.mark);
    for (TrimmedSet.Block block : index.trimmed.removeBelow(index.mark)) {
      if (block.location != Location.NONE) {
        segments.at(block.location).trimsDied();
      }
    }
    index.streams.passAll();
    forgetUntold();
    index.settledMark = index.mark;
    index.settledNext = Math.max(index.settledNext, Math.max(index.mark, index.trimmed.end()));
    return scattered;
  }

  private void mustBeThere(long sequence, List<String> names) {
    String name = SegmentName.of(sequence);
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
    long sequence = SegmentName.sequenceOf(name);
    String place = name + " of " + disk.description();
    Content content;
    try (DiskFile file = disk.open(name)) {
      Optional<Footer.Found> footer = Footer.read(file);
      content =
          footer.isPresent()
              ? new Content(footer.get().index(), footer.get().offset(), file.size())
              : finish(file, sequence, place, isLast);
      footer.ifPresent(found -> check(found.sequence() == sequence, place, found.sequence()));
    }
    long wanted = expected.getOrDefault(sequence, 0L);
    if (content.end < wanted) {
      throw new DamagedStorageException(
          "%s holds records up to offset %d, but once held them up to %d: it was cut; rebuild"
                  .formatted(place, content.end, wanted)
              + " this unit from its replicas on an empty directory");
    }
    Segment segment = segments.adopt(sequence);
    segment.end = content.end;
    segment.settled = content.end;
    segment.durable = content.end;
    segments.measures(segment, content.fileBytes);
    merge(segment, content.index);
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
    RecordFormat.FileHeader header = SegmentContent.headerOf(file, place);
    check(header.sequence() == sequence, place, header.sequence());
    SegmentScan.Result scan = SegmentScan.scan(file, place, header, isLast);
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
    return new Content(scan.index(), scan.end(), size);
  }

  private static void cutAgain(DiskFile file, long end) {
    try {
      file.resize(end);
    } catch (DiskException e) {
      LOG.warn("cannot cut the rest of a footer off {}: {}", file.name(), e.getMessage());
    }
  }

  private void merge(Segment segment, SegmentIndex content) {
    index.mark = Math.max(index.mark, content.prefixMark());
    for (SegmentIndex.Trims trims : content.trims()) {
      mergeTrims(segment, trims);
    }
    for (int i = 0; i < content.count(); i++) {
      long address = content.address(i);
      long bytes = RecordFormat.sizeOf(content.length(i));
      segment.holds(address, bytes);
      index.settledNext = Math.max(index.settledNext, address + 1);
      long found = index.find(address);
      if (found == AddressIndex.UNWRITTEN) {
        segment.born(bytes);
        index.records.put(address, Location.of(segment.slot, content.offset(i), content.isHole(i)));
      } else if (found >= 0
          && Location.slot(found) == segment.slot) { // repaired behind the first record
        index.records.put(address, Location.of(segment.slot, content.offset(i), content.isHole(i)));
      } else if (found == AddressIndex.TRIMMED) {
        told.add(address);
        index.streams.died(1);
      }
    }
    mergeStreams(segment, content);
  }

  private void mergeStreams(Segment segment, SegmentIndex content) {
    SegmentStreams streams = content.streams();
    streams.forEachMark(
        0,
        streams.markCount(),
        (stream, before, offset) -> {
          segment.markBorn();
          long garbage =
              index.streams.mark(stream, before, Location.of(segment.slot, offset, false));
          if (garbage != Location.NONE) {
            segments.at(garbage).markDied();
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
  private final class Merging implements SegmentStreams.Visitor {
    private final SegmentIndex content;
    private int last = -1;
    private int streams; // of the last entry

    Merging(SegmentIndex content) {
      this.content = content;
    }

    @Override
    public void visit(int entry, StreamId stream, long streamAddress) {
      long address = content.address(entry);
      streams = entry == last ? streams + 1 : 1;
      last = entry;
      index.streams.add(stream, address, streamAddress);
      if (streams > 1 && index.find(address) != AddressIndex.TRIMMED) {
        index.streams.isNeededBy(address, streams);
      }
    }
  }

  private void mergeTrims(Segment segment, SegmentIndex.Trims trims) {
    long end = trims.base() + TrimmedSet.BLOCK_ADDRESSES;
    if (end > 0 && end <= index.mark) {
      return;
    }
    TrimmedSet.Block known = index.trimmed.find(trims.base());
    boolean complete = known == null || known.includes(trims.bitmap());
    TrimmedSet.Block block = index.trimmed.addAll(trims.base(), trims.bitmap());
    segment.holdsTrims(block);
    if (known == null) {
      block.location = Location.of(segment.slot, trims.offset(), false);
      segment.trimsBorn();
    } else if (!complete && block.location != Location.NONE) {
      segments.at(block.location).trimsDied();
      block.location = Location.NONE;
      scattered.add(block);
    }
    for (long a = block.firstAtOrAfter(block.base); a >= 0; a = block.firstAtOrAfter(a + 1)) {
      long location = index.records.get(a);
      if (location >= 0) {
        segments.at(location).died();
        index.records.remove(a);
        told.add(a);
      }
    }
  }
}
