package corfu.roles.logunit.streamindex;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.pagemap.PageMap;
import java.lang.foreign.Arena;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of each stream the unit holds, outside the heap: some 80 bytes a stream and two to
 * six an entry. Changes show here when they are accepted, as in {@link AddressIndex}; trims do not
 * show at all: what is trimmed stays until a {@link StreamSweep} comes by, and a stream's newest
 * entry stays for ever, so that its end is known. The streams are in 256 {@linkplain StreamId#part
 * parts}, of which each grows by itself. Not thread-safe.
 */
public final class StreamIndex implements AutoCloseable {

  private final Supplier<Arena> arenas;
  private final Blocks blocks;
  private final StreamRecords records;
  private final Postings postings;
  private final @Nullable StreamTable[] parts = new @Nullable StreamTable[StreamId.PARTS];

  /** By how many streams an entry is needed that was in several. */
  private final PageMap shared;

  private long forgottenBefore;
  private long dead;

  public StreamIndex() {
    this(Arena::ofShared);
  }

  /** An empty index; {@code arenas} gives it memory. */
  public StreamIndex(Supplier<Arena> arenas) {
    this.arenas = arenas;
    this.blocks = new Blocks(arenas);
    this.records = new StreamRecords(blocks);
    this.postings = new Postings(blocks, records);
    this.shared = new PageMap(arenas);
  }

  public StreamRecords records() {
    return records;
  }

  public Postings postings() {
    return postings;
  }

  /** The entry has been accepted, or found. */
  public void add(Entry entry) {
    int needed = 0;
    for (int i = 0; i < entry.streamCount(); i++) {
      long streamAddress = entry.streamAddress(i);
      int record = add(entry.streamId(i), entry.address(), streamAddress);
      needed += streamAddress < records.passedBefore(record) ? 0 : 1;
    }
    if (entry.streamCount() > 1) {
      shared.put(entry.address(), needed);
    }
  }

  /**
   * An entry of the stream; nothing happens where it is there already.
   *
   * @return the stream's record
   */
  public int add(StreamId stream, long address, long streamAddress) {
    int record = recordFor(stream);
    postings.add(record, address, streamAddress);
    return record;
  }

  private int recordFor(StreamId stream) {
    long hash = stream.hash();
    StreamTable part = parts[partOf(hash)];
    if (part == null) {
      part = new StreamTable(arenas);
      parts[partOf(hash)] = part;
    }
    int record = part.find(hash, candidate -> records.isOf(candidate, stream));
    if (record == Blocks.NONE) {
      record = records.allocate(stream);
      part.add(hash, record);
    }
    return record;
  }

  /** An entry of the stream, which was accepted, has come to nothing. */
  public void takeBack(StreamId stream, long address) {
    int record = find(stream);
    postings.remove(record, address);
    shared.remove(address);
    if (records.isBlank(record)) {
      long hash = stream.hash();
      tableOf(partOf(hash)).remove(hash, record);
      postings.drop(record);
    }
  }

  /** The record of a stream; {@link Blocks#NONE} if nothing is known of it. */
  public int find(StreamId stream) {
    long hash = stream.hash();
    StreamTable part = parts[partOf(hash)];
    return part == null
        ? Blocks.NONE
        : part.find(hash, candidate -> records.isOf(candidate, stream));
  }

  private StreamTable tableOf(int part) {
    StreamTable table = parts[part];
    if (table == null) {
      throw new IllegalStateException("part " + part + " of the streams has nothing");
    }
    return table;
  }

  private static int partOf(long hash) {
    return (int) (hash >>> 56);
  }

  /** Shows the records of a part, in no particular order. */
  public void forEach(int part, IntConsumer consumer) {
    for (int slot = 0; slot < slotsOf(part); slot++) {
      int record = recordAt(part, slot);
      if (record != Blocks.NONE) {
        consumer.accept(record);
      }
    }
  }

  /** How many slots a part has, with records or without. */
  public int slotsOf(int part) {
    StreamTable table = parts[part];
    return table == null ? 0 : table.slotCount();
  }

  public int recordAt(int part, int slot) {
    return tableOf(part).at(slot);
  }

  /** How many streams a part has. */
  int countOf(int part) {
    StreamTable table = parts[part];
    return table == null ? 0 : table.size();
  }

  /** Whether nothing is known of any stream. */
  public boolean isBlank() {
    for (StreamTable part : parts) {
      if (part != null && part.size() > 0) {
        return false;
      }
    }
    return forgottenBefore == 0;
  }

  // --------------------------------------------------------------------------- trims of streams

  /** So many streams need the entry, which is in several. */
  public void isNeededBy(long address, int count) {
    shared.put(address, count);
  }

  /**
   * The stream does not need this entry any more.
   *
   * @return whether no other one does
   */
  public boolean pass(int record, long address, long streamAddress) {
    long needed = shared.get(address);
    if (streamAddress >= records.passedBefore(record)) {
      records.passed(record, streamAddress + 1);
      if (needed > 0) {
        needed--;
        shared.put(address, needed);
      }
    }
    return needed <= 0;
  }

  /** The stream does not need any entry below this stream address, also of those to come. */
  public void passBefore(StreamId stream, long before) {
    records.passed(recordFor(stream), before);
  }

  /**
   * The stream is trimmed below this stream address. A mark that is not lower than the one before
   * replaces it.
   *
   * @param place where the record is that says so
   * @return where the record is that counts no more: the one of the mark before, or this one;
   *     {@link Location#NONE} if there is none
   */
  public long mark(StreamId stream, long before, long place) {
    int record = recordFor(stream);
    if (before < records.trimmedBefore(record)) {
      return place;
    }
    long older = records.placeOfMark(record);
    records.trimmedBefore(record, before, place);
    return older;
  }

  /** Where the record of the stream's mark is; {@link Location#NONE} if it has none. */
  public long placeOfMark(StreamId stream) {
    int record = find(stream);
    return record == Blocks.NONE ? Location.NONE : records.placeOfMark(record);
  }

  /** All marks and all entries have been found, which makes clear who needs what. */
  public void passAll() {
    for (int part = 0; part < StreamId.PARTS; part++) {
      forEach(part, this::passMarked);
    }
  }

  private void passMarked(int record) {
    long before = records.trimmedBefore(record);
    if (before > 0) {
      postings.ascend(
          record,
          0,
          before,
          (address, streamAddress) -> {
            long needed = shared.get(address);
            if (needed > 0) {
              shared.put(address, needed - 1);
            }
            return true;
          });
    }
  }

  // ------------------------------------------------------------------------------- what has gone

  /**
   * Nobody here knows which streams entries below this log address were in, or some of them: they
   * have been trimmed, or are damaged.
   */
  public void forget(long before) {
    forgottenBefore = Math.max(forgottenBefore, before);
  }

  public long forgottenBefore() {
    return forgottenBefore;
  }

  /** So many entries have been trimmed, which may have been in streams. */
  public void died(long entries) {
    dead += entries;
  }

  /** How many have been since the last {@link #swept}. */
  public long dead() {
    return dead;
  }

  public void swept() {
    dead = 0;
  }

  /** The entry has been trimmed for good. */
  public void gone(long address) {
    shared.remove(address);
  }

  /** All below this log address has been trimmed for good. */
  public void goneBelow(long address) {
    shared.removeBelow(address);
  }

  /** What it takes outside the heap. */
  public long memoryBytes() {
    long bytes = blocks.memoryBytes() + shared.memoryBytes();
    for (StreamTable part : parts) {
      bytes += part == null ? 0 : part.memoryBytes();
    }
    return bytes;
  }

  @Override
  public void close() {
    for (int i = 0; i < parts.length; i++) {
      StreamTable part = parts[i];
      if (part != null) {
        part.close();
        parts[i] = null;
      }
    }
    shared.close();
    blocks.close();
  }
}
