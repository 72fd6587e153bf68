package corfu.silver.internal.record;

import corfu.bytes.BytesRecords;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.silver.DamagedEntryException;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The format of the entries of files and directories. Little-endian.
 *
 * <pre>
 *   0      1         2      3               19
 *   +------+---------+------+---------------+--------+
 *   | 0xA6 | version | kind | time and user | fields |
 *   +------+---------+------+---------------+--------+
 *
 *   kind  fields
 *   1     make         stream (16), state
 *   2     create       directory, name, stream (16), state
 *   3     link         directory, name, child
 *   4     clone        directory, name, child
 *   5     unlink       directory, name, node, type (4)
 *   6     rename       from, name, to, name, child, flag (1), replaced child
 *   7     exchange     from, name, to, name, child, child
 *   8     attributes   flags (1), permissions (4), uid (4), gid (4), two times (12 each)
 *   9     xattr        name, flags (1: has a value, 2: permissions follow), bytes, permissions (4)
 *   10    write        offset (8), bytes
 *   11    resize       size (8)
 *   12    forget       version (8)
 *   13    a piece of a checkpoint, in a stream of its own; so is 14
 *
 *   directory, from, to, node  original (16), count of hops (2), for each: key (16), version (8)
 *   child  node, type (4)
 *   name   length (2), bytes
 *   bytes  length (4), bytes
 *   state  mode, uid, gid, device (4 each), target as bytes, count (2), for each: name, bytes
 * </pre>
 *
 * The first write of a data stream is an entry of {@code corfu.bytes}, and in the stream of the
 * file, too.
 */
public final class SilverCodec {

  private static final byte MAGIC = (byte) 0xA6;
  private static final byte VERSION = 1;

  private SilverCodec() {}

  /** A decoded entry. */
  public record Decoded(Stamp stamp, SilverRecord record) {}

  /**
   * Encodes a change.
   *
   * @throws IllegalArgumentException if it is a {@link SilverRecord.Spill}, which is a write to a
   *     data stream
   */
  public static ByteBuffer encode(Stamp stamp, SilverRecord record) {
    RecordWriter out = new RecordWriter();
    out.putByte(MAGIC).putByte(VERSION).putByte(kind(record)).put(stamp);
    switch (record) {
      case SilverRecord.Make(StreamId node, NewNode state) -> out.put(node).put(state);
      case SilverRecord.Create(NodeId directory, FileName name, StreamId node, NewNode state) ->
          out.put(directory).put(name).put(node).put(state);
      case SilverRecord.Link(NodeId directory, FileName name, Child child) ->
          out.put(directory).put(name).put(child);
      case SilverRecord.Clone(NodeId directory, FileName name, Child child) ->
          out.put(directory).put(name).put(child);
      case SilverRecord.Unlink(NodeId directory, FileName name, NodeId node, int type) ->
          out.put(directory).put(name).put(node).putInt(type);
      case SilverRecord.Rename rename -> {
        out.put(rename.from()).put(rename.fromName()).put(rename.to()).put(rename.toName());
        out.put(rename.child()).putByte(rename.replaced().isPresent() ? 1 : 0);
        rename.replaced().ifPresent(out::put);
      }
      case SilverRecord.Exchange exchange -> {
        out.put(exchange.from()).put(exchange.fromName()).put(exchange.to()).put(exchange.toName());
        out.put(exchange.fromChild()).put(exchange.toChild());
      }
      case SilverRecord.SetAttributes change -> out.put(change);
      case SilverRecord.SetExtendedAttribute set -> out.put(set);
      case SilverRecord.WriteInline(long offset, byte[] data) -> out.putLong(offset).put(data);
      case SilverRecord.ResizeInline(long size) -> out.putLong(size);
      case SilverRecord.Forget(long before) -> out.putLong(before);
      case SilverRecord.Spill spill ->
          throw new IllegalArgumentException("a write to a data stream has another format");
    }
    return out.buffer();
  }

  private static int kind(SilverRecord record) {
    return switch (record) {
      case SilverRecord.Make make -> 1;
      case SilverRecord.Create create -> 2;
      case SilverRecord.Link link -> 3;
      case SilverRecord.Clone clone -> 4;
      case SilverRecord.Unlink unlink -> 5;
      case SilverRecord.Rename rename -> 6;
      case SilverRecord.Exchange exchange -> 7;
      case SilverRecord.SetAttributes change -> 8;
      case SilverRecord.SetExtendedAttribute set -> 9;
      case SilverRecord.WriteInline write -> 10;
      case SilverRecord.ResizeInline resize -> 11;
      case SilverRecord.Forget forget -> 12;
      case SilverRecord.Spill spill -> 0;
    };
  }

  /**
   * Decodes an entry of the stream of a file or directory.
   *
   * @throws DamagedEntryException if it has another format
   */
  public static Decoded decode(Address address, ByteBuffer payload) {
    if (BytesRecords.isRecord(payload)) {
      return new Decoded(DataEntries.stamp(address, payload), new SilverRecord.Spill());
    }
    RecordReader in = new RecordReader(payload);
    try {
      if (in.getByte() != MAGIC || in.getByte() != VERSION) {
        throw new DamagedEntryException(
            address, "it does not begin as version %d of the format".formatted(VERSION));
      }
      int kind = in.getByte();
      Stamp stamp = in.stamp();
      SilverRecord record = record(address, kind, in);
      if (in.remaining() > 0) {
        throw new DamagedEntryException(address, in.remaining() + " bytes follow its fields");
      }
      return new Decoded(stamp, record);
    } catch (BufferUnderflowException | IllegalArgumentException damage) {
      throw new DamagedEntryException(address, "its fields are damaged (" + damage + ")");
    }
  }

  private static SilverRecord record(Address address, int kind, RecordReader in) {
    return switch (kind) {
      case 1 -> new SilverRecord.Make(in.id(), in.state());
      case 2 -> new SilverRecord.Create(in.node(), in.name(), in.id(), in.state());
      case 3 -> new SilverRecord.Link(in.node(), in.name(), in.child());
      case 4 -> new SilverRecord.Clone(in.node(), in.name(), in.child());
      case 5 -> new SilverRecord.Unlink(in.node(), in.name(), in.node(), in.getInt());
      case 6 ->
          new SilverRecord.Rename(
              in.node(), in.name(), in.node(), in.name(), in.child(), in.optional(in::child));
      case 7 ->
          new SilverRecord.Exchange(
              in.node(), in.name(), in.node(), in.name(), in.child(), in.child());
      case 8 -> in.attributes();
      case 9 -> in.extendedAttribute();
      case 10 -> new SilverRecord.WriteInline(in.size(), in.bytes());
      case 11 -> new SilverRecord.ResizeInline(in.size());
      case 12 -> new SilverRecord.Forget(in.size());
      default -> throw new DamagedEntryException(address, "its kind is " + kind);
    };
  }
}
