package corfu.silver.internal.record;

import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.StreamId;
import corfu.silver.Hop;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Reads the fields of a record. Each method throws {@link BufferUnderflowException} if the record
 * ends too early, and {@link IllegalArgumentException} if a field is out of range. For one thread.
 */
public final class RecordReader {

  static final int PERMISSIONS = 1;
  static final int UID = 2;
  static final int GID = 4;
  static final int ACCESS_TIME = 8;
  static final int MODIFICATION_TIME = 16;

  static final int VALUE = 1;
  static final int WITH_PERMISSIONS = 2;

  private final ByteBuffer in;

  /** Returns a reader from the buffer's position to its limit; the buffer stays as it is. */
  public RecordReader(ByteBuffer payload) {
    this.in = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  public int remaining() {
    return in.remaining();
  }

  public byte getByte() {
    return in.get();
  }

  public int getInt() {
    return in.getInt();
  }

  public long size() {
    long value = in.getLong();
    if (value < 0) {
      throw new IllegalArgumentException("an offset or a size is " + value);
    }
    return value;
  }

  public long getLong() {
    return in.getLong();
  }

  Stamp stamp() {
    return Stamp.read(in);
  }

  public StreamId id() {
    return new StreamId(in.getLong(), in.getLong());
  }

  public FileName name() {
    int length = in.getShort() & 0xffff;
    if (length == 0 || length > RecordLimits.MAX_NAME_BYTES) {
      throw new IllegalArgumentException("a name has " + length + " bytes");
    }
    return FileName.of(bytes(length));
  }

  public byte[] bytes() {
    return bytes(in.getInt());
  }

  private byte[] bytes(int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  public NodeId node() {
    return NodeId.of(id(), hops());
  }

  public List<Hop> hops() {
    int count = in.getShort() & 0xffff;
    if (count > NodeId.MAX_HOPS) {
      throw new IllegalArgumentException("a node has " + count + " hops");
    }
    List<Hop> hops = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      hops.add(new Hop(id(), in.getLong()));
    }
    return hops;
  }

  public Child child() {
    return new Child(node(), in.getInt());
  }

  <T> Optional<T> optional(Supplier<T> field) {
    return in.get() == 0 ? Optional.empty() : Optional.of(field.get());
  }

  NewNode state() {
    int mode = in.getInt();
    int uid = in.getInt();
    int gid = in.getInt();
    int device = in.getInt();
    byte[] target = bytes();
    int count = in.getShort() & 0xffff;
    Map<FileName, byte[]> attributes = new HashMap<>();
    for (int i = 0; i < count; i++) {
      attributes.put(name(), bytes());
    }
    return new NewNode(mode, uid, gid, device, target, attributes);
  }

  SilverRecord.SetExtendedAttribute extendedAttribute() {
    FileName name = name();
    int flags = in.get();
    byte[] value = bytes();
    return new SilverRecord.SetExtendedAttribute(
        name,
        optional(flags & VALUE, value),
        (flags & WITH_PERMISSIONS) == 0 ? OptionalInt.empty() : OptionalInt.of(in.getInt()));
  }

  SilverRecord.SetAttributes attributes() {
    int flags = in.get();
    OptionalInt permissions = optional(flags & PERMISSIONS, in.getInt());
    OptionalInt uid = optional(flags & UID, in.getInt());
    OptionalInt gid = optional(flags & GID, in.getInt());
    Optional<Timestamp> accessTime = optional(flags & ACCESS_TIME, time());
    Optional<Timestamp> modificationTime = optional(flags & MODIFICATION_TIME, time());
    return new SilverRecord.SetAttributes(permissions, uid, gid, accessTime, modificationTime);
  }

  private static OptionalInt optional(int flag, int value) {
    return flag == 0 ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private static <T> Optional<T> optional(int flag, T value) {
    return flag == 0 ? Optional.empty() : Optional.of(value);
  }

  public Timestamp time() {
    return new Timestamp(in.getLong(), in.getInt());
  }
}
