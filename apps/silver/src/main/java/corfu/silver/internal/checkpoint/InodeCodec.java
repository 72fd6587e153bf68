package corfu.silver.internal.checkpoint;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.silver.Hop;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.DirectoryEntries;
import corfu.silver.internal.inode.DirectoryEntry;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.inode.Times;
import corfu.silver.internal.record.RecordReader;
import corfu.silver.internal.record.RecordWriter;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.HashTreePMap;

/**
 * The format of a node's state. Little-endian.
 *
 * <pre>
 *   exists (1), and if it is 1: mode, uid, gid, device, links (4 each), removed (1),
 *   forgotten before (8), four times (12 each), modified at (8),
 *   count of extended attributes (4), for each: name, bytes; has a place (1), place;
 *   kind of the content (1), content
 *
 *   kind  content
 *   0     special      nothing
 *   1     directory    parent, hops, count of names (4), for each: name, child, level (4)
 *   2     small file   bytes
 *   3     large file   nothing
 *   4     symlink      bytes
 * </pre>
 *
 * Names, bytes, nodes, hops and children are those of {@link
 * corfu.silver.internal.record.SilverCodec}.
 */
final class InodeCodec {

  private InodeCodec() {}

  static ByteBuffer encode(Optional<Inode> state) {
    RecordWriter out = new RecordWriter();
    if (state.isEmpty()) {
      return out.putByte(0).buffer();
    }
    Inode inode = state.get();
    out.putByte(1).putInt(inode.mode()).putInt(inode.uid()).putInt(inode.gid());
    out.putInt(inode.device()).putInt(inode.links()).putByte(inode.isRemoved() ? 1 : 0);
    out.putLong(inode.forgottenBefore());
    Times times = inode.times();
    out.put(times.access()).put(times.modification()).put(times.change()).put(times.birth());
    out.putLong(times.modifiedAt()).putInt(inode.extendedAttributes().size());
    inode.extendedAttributes().forEach((name, value) -> out.put(name).put(value));
    out.putByte(inode.place().isPresent() ? 1 : 0);
    inode.place().ifPresent(out::put);
    switch (inode.content()) {
      case Content.Special special -> out.putByte(0);
      case Content.Directory(DirectoryEntries entries, NodeId parent, int subdirectories) -> {
        out.putByte(1).put(parent).put(entries.hops()).putInt(entries.size());
        entries.forEachStored(
            entry -> out.put(entry.name()).put(entry.child()).putInt(entry.level()));
      }
      case Content.Inline(byte[] bytes) -> out.putByte(2).put(bytes);
      case Content.Spilled spilled -> out.putByte(3);
      case Content.Target(byte[] path) -> out.putByte(4).put(path);
    }
    return out.buffer();
  }

  /**
   * Decodes a state.
   *
   * @throws java.nio.BufferUnderflowException if it ends too early
   * @throws IllegalArgumentException if a field is out of range
   */
  static Optional<Inode> decode(ByteBuffer state) {
    RecordReader in = new RecordReader(state);
    if (in.getByte() == 0) {
      return Optional.empty();
    }
    int mode = in.getInt();
    int uid = in.getInt();
    int gid = in.getInt();
    int device = in.getInt();
    int links = in.getInt();
    boolean isRemoved = in.getByte() != 0;
    long forgottenBefore = in.size();
    Timestamp access = in.time();
    Timestamp modification = in.time();
    Timestamp change = in.time();
    Times times = new Times(access, modification, change, in.time(), in.getLong());
    Map<FileName, byte[]> attributes = new HashMap<>();
    for (int i = in.getInt(); i > 0; i--) {
      attributes.put(in.name(), in.bytes());
    }
    Optional<NodeId> place = in.getByte() == 0 ? Optional.empty() : Optional.of(in.node());
    Content content = content(in);
    if (in.remaining() > 0) {
      throw new IllegalArgumentException(in.remaining() + " bytes follow the state");
    }
    return Optional.of(
        new Inode(
            mode,
            uid,
            gid,
            device,
            links,
            times,
            HashTreePMap.from(attributes),
            place,
            content,
            isRemoved,
            forgottenBefore));
  }

  private static Content content(RecordReader in) {
    int kind = in.getByte();
    return switch (kind) {
      case 0 -> Content.Special.SPECIAL;
      case 1 -> directory(in);
      case 2 -> new Content.Inline(in.bytes());
      case 3 -> Content.Spilled.SPILLED;
      case 4 -> new Content.Target(in.bytes());
      default -> throw new IllegalArgumentException("the kind of the content is " + kind);
    };
  }

  private static Content directory(RecordReader in) {
    NodeId parent = in.node();
    List<Hop> hops = in.hops();
    DirectoryEntries entries = DirectoryEntries.through(hops);
    int subdirectories = 0;
    for (int i = in.getInt(); i > 0; i--) {
      DirectoryEntry entry = new DirectoryEntry(in.name(), in.child(), in.getInt());
      if (entry.level() < 0 || entry.level() > hops.size()) {
        throw new IllegalArgumentException("a name is of level " + entry.level());
      }
      subdirectories += FileMode.isDirectory(entry.child().type()) ? 1 : 0;
      entries = entries.with(entry);
    }
    return new Content.Directory(entries, parent, subdirectories);
  }
}
