package corfu.proof.fuzz;

import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/** Entries and their stream headers. */
final class EntryTarget implements FuzzTarget {

  @Override
  public String name() {
    return "entry";
  }

  @Override
  public List<byte[]> seeds() {
    AppendId id = new AppendId(7, 8);
    StreamHeader near = new StreamHeader(new StreamId(1, 2), 3, Backpointers.of(99, 90, 80));
    StreamHeader far = new StreamHeader(new StreamId(1, 3), 4, Backpointers.of(5));
    StreamHeader first = new StreamHeader(new StreamId(2, 0), 0, Backpointers.NONE);
    ByteBuffer payload = ByteBuffer.wrap(Bytes.of("payload"));
    return List.of(
        Bytes.of(Entry.data(100, id, payload).bytes()),
        Bytes.of(Entry.hole(100, id).bytes()),
        Bytes.of(Entry.data(100, id, List.of(near, first), payload).bytes()),
        Bytes.of(Entry.data(100_000, id, List.of(far), payload).bytes()),
        divided(Entry.data(100, id, List.of(near), payload)));
  }

  /** Returns an entry with room for the checksum of its one block. */
  private static byte[] divided(Entry entry) {
    int payloadAt = entry.lengthBytes() - entry.payloadBytes() + Integer.BYTES;
    ByteBuffer bytes =
        ByteBuffer.allocate(payloadAt + entry.payloadBytes()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(0, entry.bytes(), 0, payloadAt - Integer.BYTES);
    bytes.putInt(4, bytes.capacity()).put(33, (byte) 12).putShort(34, (short) payloadAt);
    bytes.put(payloadAt, entry.payload(), 0, entry.payloadBytes());
    return bytes.array();
  }

  private static void checkBlocks(Entry entry, PayloadRange range) {
    Optional<EntryBlocks> blocks = entry.blocks(range);
    if (blocks.isPresent()) {
      int start = range.startIn(entry.payloadBytes());
      int length = range.endIn(entry.payloadBytes()) - start;
      Bytes.same(entry.payload().slice(start, length), blocks.get().payload(range), "a part");
      EntryBlocks again = EntryBlocks.wrap(blocks.get().bytes());
      Bytes.same(blocks.get(), again, "blocks wrapped again");
      if (!again.covers(range)) {
        throw new AssertionError(again + " does not cover " + range);
      }
    }
  }

  @Override
  public void run(byte[] input) {
    Entry entry;
    try {
      entry = Entry.wrap(ByteBuffer.wrap(input));
    } catch (IllegalArgumentException noEntry) {
      return;
    }
    for (StreamHeader header : entry.streams()) {
      Bytes.same(header, entry.stream(header.stream()).orElseThrow(), "by its id");
      for (int i = 0; i < header.previous().count(); i++) {
        if (header.previous().at(i) < 0 || header.previous().at(i) >= entry.address()) {
          throw new AssertionError(header + " leads forward from " + entry);
        }
      }
    }
    Bytes.same(entry, Entry.wrap(entry.bytes()), "wrapped again");
    checkBlocks(entry, new PayloadRange(entry.address(), 0, Integer.MAX_VALUE));
    checkBlocks(entry, new PayloadRange(entry.address(), input.length % 97, 1));
    Bytes.same(entry, entry.copy(), "copied");
    if (!entry.isHole()) {
      Entry rebuilt = Entry.data(entry.address(), entry.id(), entry.streams(), entry.payload());
      Bytes.same(entry.payload(), rebuilt.payload(), "the payload");
      if (!rebuilt.isIntact()) {
        throw new AssertionError("the entry rebuilt from " + entry + " is damaged");
      }
    }
  }
}
