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
 * The entries of each stream on this unit, outside the heap: some 80 bytes for each stream and two
 * to six for each entry. Changes show here when they are accepted, as in {@link AddressIndex}.
 * Trims do not show: a trimmed entry stays until a {@link StreamSweep} removes it. A stream's
 * newest entry stays for ever, so that the stream's end is known. The streams are in 256
 * {@linkplain StreamId#part parts}, each of which grows by itself. Not thread-safe.
 */
public final class StreamIndex implements AutoCloseable {

  private final Supplier<Arena> arenas;
  private final Blocks blocks;
  private final StreamRecords records;
  private final Postings postings;
  private final @Nullable StreamTable[] parts = new @Nullable StreamTable[StreamId.PARTS];

  private final StreamNotes notes = new StreamNotes();

  /** The number of streams that need an entry, for entries of several streams. */
  private final PageMap shared;

  private long forgottenBefore;
  private long dead;

  public StreamIndex() {
    this(Arena::ofShared);
  }

  /**
   * Creates an empty index.
   *
   * @param arenas returns an arena for each piece of memory
   */
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

  /** Adds an entry that was accepted or found. */
  public void add(Entry entry) {
    int needed = 0;
    for (int i = 0; i < entry.streamCount(); i++) {
      long streamAddress = entry.streamAddress(i);
      int record = add(entry.streamId(i), entry.address(), streamAddress, entry.lengthBytes());
      needed += streamAddress < records.passedBefore(record) ? 0 : 1;
    }
    if (entry.streamCount() > 1) {
      shared.put(entry.address(), needed);
    }
  }

  /**
   * Adds an entry of one stream. Does nothing if it is there already.
   *
   * @param bytes the size of the entry
   * @return the stream's record
   */
  public int add(StreamId stream, long address, long streamAddress, int bytes) {
    int record = recordFor(stream);
    long before = postings.size();
    postings.add(record, address, streamAddress);
    if (postings.size() > before) {
      notes.add(record, bytes);
    }
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
      notes.clear(record);
      part.add(hash, record);
    }
    return record;
  }

  /** Removes an entry of one stream, which was accepted but then undone. */
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

  /** Returns the record of a stream, or {@link Blocks#NONE} if nothing is known of the stream. */
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

  /** Visits the records of a part, in no particular order. */
  public void forEach(int part, IntConsumer consumer) {
    for (int slot = 0; slot < slotsOf(part); slot++) {
      int record = recordAt(part, slot);
      if (record != Blocks.NONE) {
        consumer.accept(record);
      }
    }
  }

  /** Returns the number of slots of a part, empty ones included. */
  public int slotsOf(int part) {
    StreamTable table = parts[part];
    return table == null ? 0 : table.slotCount();
  }

  public int recordAt(int part, int slot) {
    return tableOf(part).at(slot);
  }

  /** Returns the number of streams of a part. */
  int countOf(int part) {
    StreamTable table = parts[part];
    return table == null ? 0 : table.size();
  }

  /** Returns whether nothing is known of any stream. */
  public boolean isBlank() {
    for (StreamTable part : parts) {
      if (part != null && part.size() > 0) {
        return false;
      }
    }
    return forgottenBefore == 0;
  }

  // ------------------------------------------------------------------------------ notes for quotas

  /** Returns the mean size of a stream's entries in bytes, those included that were trimmed. */
  public double meanBytes(int record) {
    return notes.meanBytes(record);
  }

  /** Returns the owner of a stream, or 0 if it has none. */
  public int owner(int record) {
    return notes.owner(record);
  }

  /** Sets the owner of a stream. Does nothing if nothing is known of the stream. */
  public void own(StreamId stream, int owner) {
    int record = find(stream);
    if (record != Blocks.NONE) {
      notes.own(record, owner);
    }
  }

  // --------------------------------------------------------------------------- trims of streams

  /** Sets the number of streams that need an entry of several streams. */
  public void isNeededBy(long address, int count) {
    shared.put(address, count);
  }

  /**
   * Records that the stream no longer needs this entry.
   *
   * @return whether no other stream needs it either
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

  /** Records that the stream needs no entry below this stream address, later ones included. */
  public void passBefore(StreamId stream, long before) {
    records.passed(recordFor(stream), before);
  }

  /**
   * Trims the stream below this stream address. A mark that is not lower than the previous one
   * replaces it.
   *
   * @param stream the stream
   * @param before the stream address
   * @param place the location of the mark's record
   * @return the location of the record that no longer counts: that of the previous mark, or this
   *     one; {@link Location#NONE} if there is none
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

  /**
   * Returns the location of the record with the stream's mark, or {@link Location#NONE} if it has
   * none.
   */
  public long placeOfMark(StreamId stream) {
    int record = find(stream);
    return record == Blocks.NONE ? Location.NONE : records.placeOfMark(record);
  }

  /**
   * Computes which streams need which entries. Called after all marks and all entries have been
   * found.
   */
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
   * Records that the streams of some entries below this log address are unknown here: these entries
   * were trimmed, or are damaged.
   */
  public void forget(long before) {
    forgottenBefore = Math.max(forgottenBefore, before);
  }

  public long forgottenBefore() {
    return forgottenBefore;
  }

  /** Counts trimmed entries, which may have been in streams. */
  public void died(long entries) {
    dead += entries;
  }

  /** Returns the number of trimmed entries since the last {@link #swept}. */
  public long dead() {
    return dead;
  }

  public void swept() {
    dead = 0;
  }

  /** Forgets an entry whose trim is final. */
  public void gone(long address) {
    shared.remove(address);
  }

  /** Forgets all entries below this log address, whose trim is final. */
  public void goneBelow(long address) {
    shared.removeBelow(address);
  }

  /** Returns the memory in bytes, most of it outside the heap. */
  public long memoryBytes() {
    long bytes = blocks.memoryBytes() + shared.memoryBytes() + notes.memoryBytes();
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
