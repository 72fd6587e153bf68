package corfu.silver.internal.record;

import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.StreamId;
import corfu.silver.Hop;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A buffer that grows while a record is encoded. For one thread. */
public final class RecordWriter {

  private static final int FIRST_BYTES = 256;
  private static final byte[] NO_BYTES = {};

  private ByteBuffer out = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private ByteBuffer room(int bytes) {
    if (out.remaining() < bytes) {
      int needed = out.position() + bytes;
      out =
          ByteBuffer.allocate(Math.max(needed, 2 * out.capacity()))
              .order(ByteOrder.LITTLE_ENDIAN)
              .put(out.flip());
    }
    return out;
  }

  public RecordWriter putByte(int value) {
    room(1).put((byte) value);
    return this;
  }

  public RecordWriter putInt(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  public RecordWriter putLong(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  public RecordWriter put(Stamp stamp) {
    stamp.put(room(Stamp.BYTES));
    return this;
  }

  public RecordWriter put(StreamId id) {
    room(2 * Long.BYTES).putLong(id.high()).putLong(id.low());
    return this;
  }

  public RecordWriter put(FileName name) {
    byte[] bytes = name.bytes();
    if (bytes.length == 0 || bytes.length > RecordLimits.MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "a name has 1 to %d bytes, not %d".formatted(RecordLimits.MAX_NAME_BYTES, bytes.length));
    }
    room(Short.BYTES + bytes.length).putShort((short) bytes.length).put(bytes);
    return this;
  }

  public RecordWriter put(byte[] bytes) {
    room(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes);
    return this;
  }

  public RecordWriter put(NodeId node) {
    return put(node.original()).put(node.hops());
  }

  public RecordWriter put(List<Hop> hops) {
    room(Short.BYTES).putShort((short) hops.size());
    for (Hop hop : hops) {
      put(hop.key()).putLong(hop.version());
    }
    return this;
  }

  public RecordWriter put(Child child) {
    return put(child.node()).putInt(child.type());
  }

  public RecordWriter put(NewNode state) {
    putInt(state.mode()).putInt(state.uid()).putInt(state.gid()).putInt(state.device());
    put(state.target());
    room(Short.BYTES).putShort((short) state.extendedAttributes().size());
    state.extendedAttributes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey()) // the same state has the same bytes
        .forEach(attribute -> put(attribute.getKey()).put(attribute.getValue()));
    return this;
  }

  RecordWriter put(SilverRecord.SetExtendedAttribute set) {
    put(set.name());
    putByte(
        (set.value().isPresent() ? RecordReader.VALUE : 0)
            | (set.permissions().isPresent() ? RecordReader.WITH_PERMISSIONS : 0));
    put(set.value().orElse(NO_BYTES));
    set.permissions().ifPresent(this::putInt);
    return this;
  }

  public RecordWriter put(SilverRecord.SetAttributes change) {
    int flags = 0;
    flags |= change.permissions().isPresent() ? RecordReader.PERMISSIONS : 0;
    flags |= change.uid().isPresent() ? RecordReader.UID : 0;
    flags |= change.gid().isPresent() ? RecordReader.GID : 0;
    flags |= change.accessTime().isPresent() ? RecordReader.ACCESS_TIME : 0;
    flags |= change.modificationTime().isPresent() ? RecordReader.MODIFICATION_TIME : 0;
    putByte(flags);
    for (OptionalInt value : new OptionalInt[] {change.permissions(), change.uid(), change.gid()}) {
      putInt(value.orElse(0));
    }
    put(change.accessTime().orElse(Timestamp.EPOCH));
    put(change.modificationTime().orElse(Timestamp.EPOCH));
    return this;
  }

  public RecordWriter put(Timestamp time) {
    return putLong(time.seconds()).putInt(time.nanos());
  }

  /** Returns the record, from position 0 to its limit. */
  public ByteBuffer buffer() {
    return out.flip();
  }
}
