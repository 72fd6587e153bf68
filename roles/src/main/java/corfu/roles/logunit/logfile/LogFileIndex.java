package corfu.roles.logunit.logfile;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.streamindex.StreamRecords;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The content of one log file: its entries in the order of their offsets, their streams, the newest
 * record of each block of trims, and the highest prefix-trim mark. It needs 16 bytes for each
 * entry, in addition to the entry's streams. In memory only while the file is written or examined.
 */
public final class LogFileIndex {

  private long[] addresses = new long[64];
  private long[] places =
      new long[64]; // offset / 8 in bits 0-23, kind in 24-31, length in 32-63: as in a footer
  private int count;
  private final Map<Long, Trims> trims = new LinkedHashMap<>();
  private final LogFileStreams streams;
  private long prefixMark;

  public LogFileIndex() {
    this(new LogFileStreams());
  }

  public LogFileIndex(LogFileStreams streams) {
    this.streams = streams;
  }

  /** The record of a block of trims. */
  public record Trims(long base, long offset, ByteBuffer bitmap) {}

  /** Adds an entry whose record is at {@code offset}. */
  public void add(Entry entry, long offset) {
    add(entry.address(), offset, entry.lengthBytes(), entry.isHole());
    streams.add(count - 1, entry);
  }

  /**
   * Adds a damaged entry.
   *
   * @param address the entry's address
   * @param offset the offset of its record
   * @param length the entry's length, without record header and padding
   * @param hole whether it is a hole
   */
  public void add(long address, long offset, int length, boolean hole) {
    int kind = hole ? RecordFormat.HOLE : RecordFormat.DATA;
    add(address, offset >> 3 | (long) kind << 24 | (long) length << 32);
  }

  public void add(long address, long place) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, count * 2);
      places = Arrays.copyOf(places, count * 2);
    }
    addresses[count] = address;
    places[count++] = place;
  }

  public void addTrims(long base, long offset, ByteBuffer bitmap) {
    trims.put(base, new Trims(base, offset, bitmap));
  }

  /** Adds the trims and marks of streams whose newest records are in the file with this slot. */
  public void addWhatKeeps(int slot, AddressIndex known) {
    for (TrimmedSet.Block block : known.trimmed.blocks()) {
      if (block.location != Location.NONE && Location.slot(block.location) == slot) {
        addTrims(block.base, Location.offset(block.location), block.bitmap());
      }
    }
    StreamRecords records = known.streams.records();
    for (int part = 0; part < StreamId.PARTS; part++) {
      known.streams.forEach(
          part,
          record -> {
            long place = records.placeOfMark(record);
            if (place != Location.NONE && Location.slot(place) == slot) {
              streams.addMark(
                  records.stream(record), records.trimmedBefore(record), Location.offset(place));
            }
          });
    }
  }

  public void addPrefixMark(long mark) {
    prefixMark = Math.max(prefixMark, mark);
  }

  public LogFileStreams streams() {
    return streams;
  }

  public int count() {
    return count;
  }

  public long address(int i) {
    return addresses[i];
  }

  public long offset(int i) {
    return (places[i] & 0xffffff) << 3;
  }

  /** Returns the length of the entry, without record header and padding. */
  public int length(int i) {
    return (int) (places[i] >>> 32);
  }

  public boolean isHole(int i) {
    return (places[i] >> 24 & 0xff) == RecordFormat.HOLE;
  }

  long place(int i) {
    return places[i];
  }

  public Iterable<Trims> trims() {
    return trims.values();
  }

  int trimsCount() {
    return trims.size();
  }

  public long prefixMark() {
    return prefixMark;
  }
}
