package corfu.roles.logunit;

import corfu.protocol.Entry;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
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
final class StreamIndex implements AutoCloseable {

  private final Supplier<Arena> arenas;
  private final Blocks blocks;
  private final Postings postings;
  private final @Nullable StreamTable[] parts = new @Nullable StreamTable[StreamId.PARTS];
  private long forgottenBefore;
  private long dead;

  StreamIndex() {
    this(Arena::ofShared);
  }

  /** An empty index; {@code arenas} gives it memory. */
  StreamIndex(Supplier<Arena> arenas) {
    this.arenas = arenas;
    this.blocks = new Blocks(arenas);
    this.postings = new Postings(blocks);
  }

  Postings postings() {
    return postings;
  }

  /** The entry has been accepted, or found. */
  void add(Entry entry) {
    for (int i = 0; i < entry.streamCount(); i++) {
      StreamHeader header = entry.stream(i);
      add(header.stream(), entry.address(), header.streamAddress());
    }
  }

  /** An entry of the stream; nothing happens where it is there already. */
  void add(StreamId stream, long address, long streamAddress) {
    postings.add(recordFor(stream), address, streamAddress);
  }

  private int recordFor(StreamId stream) {
    long hash = stream.hash();
    StreamTable part = parts[partOf(hash)];
    if (part == null) {
      part = new StreamTable(arenas);
      parts[partOf(hash)] = part;
    }
    int record = part.find(hash, candidate -> postings.isOf(candidate, stream));
    if (record == Blocks.NONE) {
      record = postings.newRecord(stream);
      part.add(hash, record);
    }
    return record;
  }

  /** An entry of the stream, which was accepted, has come to nothing. */
  void takeBack(StreamId stream, long address) {
    int record = find(stream);
    postings.remove(record, address);
    if (postings.isBlank(record)) {
      long hash = stream.hash();
      tableOf(partOf(hash)).remove(hash, record);
      postings.drop(record);
    }
  }

  /** The record of a stream; {@link Blocks#NONE} if nothing is known of it. */
  int find(StreamId stream) {
    long hash = stream.hash();
    StreamTable part = parts[partOf(hash)];
    return part == null
        ? Blocks.NONE
        : part.find(hash, candidate -> postings.isOf(candidate, stream));
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
  void forEach(int part, IntConsumer consumer) {
    for (int slot = 0; slot < slotsOf(part); slot++) {
      int record = recordAt(part, slot);
      if (record != Blocks.NONE) {
        consumer.accept(record);
      }
    }
  }

  /** How many slots a part has, with records or without. */
  int slotsOf(int part) {
    StreamTable table = parts[part];
    return table == null ? 0 : table.slotCount();
  }

  int recordAt(int part, int slot) {
    return tableOf(part).at(slot);
  }

  /** How many streams a part has. */
  int countOf(int part) {
    StreamTable table = parts[part];
    return table == null ? 0 : table.size();
  }

  /** Whether nothing is known of any stream. */
  boolean isBlank() {
    for (StreamTable part : parts) {
      if (part != null && part.size() > 0) {
        return false;
      }
    }
    return forgottenBefore == 0;
  }

  // ------------------------------------------------------------------------------- what has gone

  /**
   * Nobody here knows which streams entries below this log address were in, or some of them: they
   * have been trimmed, or are damaged.
   */
  void forget(long before) {
    forgottenBefore = Math.max(forgottenBefore, before);
  }

  long forgottenBefore() {
    return forgottenBefore;
  }

  /** So many entries have been trimmed, which may have been in streams. */
  void died(long entries) {
    dead += entries;
  }

  /** How many have been since the last {@link #swept}. */
  long dead() {
    return dead;
  }

  void swept() {
    dead = 0;
  }

  /** What it takes outside the heap. */
  long memoryBytes() {
    long bytes = blocks.memoryBytes();
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
    blocks.close();
  }
}
