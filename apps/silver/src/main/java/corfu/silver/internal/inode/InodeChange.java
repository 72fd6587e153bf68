package corfu.silver.internal.inode;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.silver.DamagedEntryException;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.acl.AccessControlList;
import corfu.silver.acl.AclKind;
import corfu.silver.internal.record.Child;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import corfu.silver.internal.record.Stamp;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.pcollections.HashPMap;

/**
 * The effect of one entry on one node.
 *
 * @param self the node's own stream
 * @param address the log address of the entry
 * @param stamp the entry's time and author
 */
public record InodeChange(StreamId self, Address address, Stamp stamp) {

  /**
   * Returns a node's state after the next entry of its stream.
   *
   * @param before the state before, or empty if the node does not exist yet
   * @throws DamagedEntryException if the entry does not fit to the state
   */
  public static Optional<Inode> apply(
      StreamId self, Optional<Inode> before, Address address, SilverCodec.Decoded entry) {
    return new InodeChange(self, address, entry.stamp()).apply(before, entry.record());
  }

  private Optional<Inode> apply(Optional<Inode> before, SilverRecord record) {
    return switch (record) {
      case SilverRecord.Make(StreamId node, NewNode state) ->
          Optional.of(made(NodeId.of(node), state, FileMode.isDirectory(state.mode()) ? 1 : 0));
      case SilverRecord.Create(NodeId directory, FileName name, StreamId node, NewNode state)
          when node.equals(self) ->
          Optional.of(placed(made(directory, state, 1), directory));
      default -> Optional.of(changed(before.orElseThrow(() -> unfit(record)), record));
    };
  }

  private Inode made(NodeId parent, NewNode state, int links) {
    return Inode.made(parent, state, links, stamp, address.value());
  }

  private DamagedEntryException unfit(SilverRecord record) {
    return new DamagedEntryException(
        address, "the node of stream %s is not as %s expects it".formatted(self, record));
  }

  private Inode changed(Inode node, SilverRecord record) {
    return switch (record) {
      case SilverRecord.Make make -> throw unfit(record);
      case SilverRecord.Create(NodeId directory, FileName name, StreamId child, NewNode state) ->
          named(node, name, new Child(NodeId.of(child), type(state)), record);
      case SilverRecord.Link(NodeId directory, FileName name, Child child) ->
          isSelf(directory) ? named(node, name, child, record) : placed(linked(node, 1), directory);
      case SilverRecord.Clone(NodeId directory, FileName name, Child child) ->
          isSelf(directory)
              ? named(node, name, child, record)
              : moved(node.withLinks(1), directory);
      case SilverRecord.Unlink(NodeId directory, FileName name, NodeId child, int type) ->
          isSelf(directory) ? nameless(node, name, record) : linked(node, -1);
      case SilverRecord.Rename rename -> renamed(node, rename);
      case SilverRecord.Exchange exchange -> exchanged(node, exchange);
      case SilverRecord.SetAttributes change -> withAttributes(node, change);
      case SilverRecord.SetExtendedAttribute set -> withExtendedAttribute(node, set);
      case SilverRecord.WriteInline(long offset, byte[] data) ->
          withBytes(node, bytes -> written(bytes, offset, data), record);
      case SilverRecord.ResizeInline(long size) ->
          withBytes(node, bytes -> Arrays.copyOf(bytes, checkedSize(size, record)), record);
      case SilverRecord.Spill spill -> modified(node.with(Content.Spilled.SPILLED));
      case SilverRecord.Forget(long before) ->
          node.withForgottenBefore(Math.max(before, node.forgottenBefore()));
    };
  }

  private boolean isSelf(NodeId node) {
    return node.stream().equals(self);
  }

  private static int type(NewNode state) {
    return state.mode() & FileMode.TYPE;
  }

  // ------------------------------------------------------------------------------------- names

  private Content.Directory directory(Inode node, SilverRecord record) {
    if (node.content() instanceof Content.Directory directory) {
      return directory;
    }
    throw unfit(record);
  }

  private Inode named(Inode node, FileName name, Child child, SilverRecord record) {
    Content.Directory before = directory(node, record);
    int more = (child.isDirectory() ? 1 : 0) - subdirectories(before, name);
    return modified(
        node.with(
            new Content.Directory(
                before.entries().with(name, child),
                before.parent(),
                before.subdirectories() + more)));
  }

  private Inode nameless(Inode node, FileName name, SilverRecord record) {
    Content.Directory before = directory(node, record);
    return modified(
        node.with(
            new Content.Directory(
                before.entries().without(name),
                before.parent(),
                before.subdirectories() - subdirectories(before, name))));
  }

  private static int subdirectories(Content.Directory directory, FileName name) {
    return directory.entries().get(name).filter(Child::isDirectory).isPresent() ? 1 : 0;
  }

  private Inode linked(Inode node, int more) {
    return touched(node.withLinks(Math.max(0, node.links() + more)));
  }

  /** Other nodes than directories may have several names. They know the directory of one. */
  private static Inode placed(Inode node, NodeId directory) {
    return node.isDirectory() ? node : node.withPlace(Optional.of(directory));
  }

  private Inode moved(Inode node, NodeId parent) {
    return node.content() instanceof Content.Directory(var entries, var before, int count)
        ? touched(node.with(new Content.Directory(entries, parent, count)))
        : touched(placed(node, parent));
  }

  private Inode renamed(Inode node, SilverRecord.Rename rename) {
    if (isSelf(rename.child().node())) {
      return moved(node, rename.to());
    }
    if (rename.replaced().filter(child -> isSelf(child.node())).isPresent()) {
      return linked(node, -1);
    }
    Inode after = node;
    if (isSelf(rename.from())) {
      after = nameless(after, rename.fromName(), rename);
    }
    return isSelf(rename.to()) ? named(after, rename.toName(), rename.child(), rename) : after;
  }

  private Inode exchanged(Inode node, SilverRecord.Exchange exchange) {
    if (isSelf(exchange.fromChild().node())) {
      return moved(node, exchange.to());
    }
    if (isSelf(exchange.toChild().node())) {
      return moved(node, exchange.from());
    }
    Inode after = node;
    if (isSelf(exchange.from())) {
      after = named(after, exchange.fromName(), exchange.toChild(), exchange);
    }
    return isSelf(exchange.to())
        ? named(after, exchange.toName(), exchange.fromChild(), exchange)
        : after;
  }

  // -------------------------------------------------------------------------------- attributes

  private Inode touched(Inode node) {
    return node.with(node.times().changed(stamp.time()));
  }

  private Inode modified(Inode node) {
    return node.with(node.times().modified(stamp.time(), address.value()));
  }

  private static int mode(Inode node, OptionalInt permissions) {
    return permissions.isPresent()
        ? (node.mode() & FileMode.TYPE) | (permissions.getAsInt() & FileMode.PERMISSIONS)
        : node.mode();
  }

  /** The access control list of a node follows its mode. */
  private static Inode withMatchingList(Inode node) {
    FileName name = AclKind.ACCESS.attribute();
    return Optional.ofNullable(node.extendedAttributes().get(name))
        .flatMap(AccessControlList::decode)
        .map(list -> list.withPermissions(node.mode()).encode())
        .map(list -> node.withExtendedAttributes(node.extendedAttributes().plus(name, list)))
        .orElse(node);
  }

  private Inode withAttributes(Inode node, SilverRecord.SetAttributes change) {
    Inode owned =
        node.withOwner(
            mode(node, change.permissions()),
            change.uid().orElse(node.uid()),
            change.gid().orElse(node.gid()));
    Inode after = change.permissions().isPresent() ? withMatchingList(owned) : owned;
    Times times = after.times().changed(stamp.time());
    if (change.accessTime().isPresent()) {
      times = times.withAccess(change.accessTime().get());
    }
    if (change.modificationTime().isPresent()) {
      times = times.withModification(change.modificationTime().get(), address.value());
    }
    return after.with(times);
  }

  private Inode withExtendedAttribute(Inode node, SilverRecord.SetExtendedAttribute set) {
    HashPMap<FileName, byte[]> before = node.extendedAttributes();
    Inode after =
        node.withExtendedAttributes(
            set.value().isPresent()
                ? before.plus(set.name(), set.value().get())
                : before.minus(set.name()));
    return touched(after.withOwner(mode(node, set.permissions()), node.uid(), node.gid()));
  }

  // -------------------------------------------------------------------------------------- bytes

  private Inode withBytes(Inode node, UnaryOperator<byte[]> change, SilverRecord record) {
    if (node.content() instanceof Content.Inline(byte[] bytes)) {
      return modified(node.with(new Content.Inline(change.apply(bytes))));
    }
    throw unfit(record);
  }

  private byte[] written(byte[] before, long offset, byte[] data) {
    int end = checkedSize(offset + data.length, new SilverRecord.WriteInline(offset, data));
    byte[] after = Arrays.copyOf(before, Math.max(before.length, end));
    System.arraycopy(data, 0, after, (int) offset, data.length);
    return after;
  }

  private int checkedSize(long size, SilverRecord record) {
    if (size < 0 || size > Inode.MAX_INLINE_BYTES) {
      throw unfit(record);
    }
    return (int) size;
  }
}
