package corfu.proof.fuzz;

import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Entry;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;

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
        Bytes.of(Entry.data(100_000, id, List.of(far), payload).bytes()));
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
