package corfu.roles.logunit.segment;

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
 * Gets entries from segment files, neighbours by one read. What comes back has been verified: an
 * entry that is not byte for byte what its appender sent to this address is reported as corrupt,
 * with the place where it should be.
 */
public final class EntryReader {

  /**
   * What one read fetches at most, unless a single entry is larger: what a core's cache holds until
   * it has been verified, and far below what the garbage collector calls humongous.
   */
  public static final int RUN_BYTES = 128 << 10;

  /**
   * Where more lies between two records, it is not worth fetching: mostly that is a copy out of the
   * page cache, which takes longer then than another read.
   */
  private static final int GAP_BYTES = 4 << 10;

  /**
   * The same for the beginnings of two records, the first of which may be as long as others are.
   */
  private static final int MOST_APART = 16 << 10;

  /** Where no record is longer than this, the last one of a run is fetched whole. */
  private static final int KNOWN_BYTES = 64 << 10;

  private static final int HEADER = RecordFormat.RECORD_HEADER_BYTES;
  private static final int FIRST_GUESS_BYTES = 4 << 10;

  private final Segments segments;
  private final CorruptEntries corrupt;
  private final IntFunction<ByteBuffer> memory;

  /** What it reads stays as long as anybody has it. */
  public EntryReader(Segments segments, CorruptEntries corrupt) {
    this(segments, corrupt, ByteBuffer::allocate);
  }

  /**
   * @param memory what it reads into
   */
  public EntryReader(Segments segments, CorruptEntries corrupt, IntFunction<ByteBuffer> memory) {
    this.segments = segments;
    this.corrupt = corrupt;
    this.memory = memory;
  }

  public ReadOutcome read(long address, long location) {
    return new Run(segments.at(location), List.of(Location.offset(location))).outcome(0, address);
  }

  /** How far behind the beginning of a record that of the next one may be. */
  public static long apart(Segment segment) {
    return Math.min(MOST_APART, segment.longestRecord() + GAP_BYTES);
  }

  /** Starts on records of one file, in ascending order of offset. */
  public Run run(Segment segment, List<Long> offsets) {
    return new Run(segment, offsets);
  }

  /** The bytes from a first to a last record; they are read when the first outcome is asked for. */
  public final class Run {
    private final Segment segment;
    private final List<Long> offsets;
    private final long start;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private String failure = "";

    private Run(Segment segment, List<Long> offsets) {
      this.segment = segment;
      this.offsets = offsets;
      this.start = offsets.getFirst();
      long last =
          segment.longestRecord() <= KNOWN_BYTES ? segment.longestRecord() : FIRST_GUESS_BYTES;
      fetch(start, offsets.getLast() - start + last);
    }

    private void fetch(long from, long wanted) {
      int length = (int) Math.max(0, Math.min(wanted, segment.end - from));
      bytes = memory.apply(length).order(ByteOrder.LITTLE_ENDIAN);
      try {
        bytes.limit(segments.fileOf(segment).read(bytes, from));
      } catch (DiskException e) {
        bytes.limit(0);
        failure = String.valueOf(e.getMessage());
      }
    }

    /** What is at the record with this index, which should be of this address. */
    public ReadOutcome outcome(int index, long address) {
      long offset = offsets.get(index);
      int at = (int) (offset - start) + HEADER;
      if (bytes.limit() < at + Entry.HEADER_BYTES) {
        return damaged(address, offset, failure.isEmpty() ? "the file ends before it" : failure);
      }
      int length = bytes.getInt(at + 4);
      if (length < Entry.HEADER_BYTES || RecordFormat.sizeOf(length) > segment.longestRecord()) {
        return damaged(address, offset, "its length can't be " + length);
      }
      if (bytes.limit() < at + length) {
        if (offset != start || bytes.limit() >= HEADER + length) {
          return new Run(segment, List.of(offset)).outcome(0, address);
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
              .formatted(address, segment.name(), segments.disk().description(), offset, why);
      corrupt.found(address, what);
      return new ReadOutcome.Corrupt(what);
    }
  }
}
