package corfu.silver.internal.operation;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileName;
import corfu.silver.AttributeChange;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.acl.AclKind;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.node.Attempt;
import corfu.silver.internal.node.Changes;
import corfu.silver.internal.record.RecordLimits;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The operations that change attributes. Thread-safe. */
public final class AttributeOperations {

  /** The most bytes of an extended attribute, as the kernel allows them. */
  public static final int MAX_VALUE_BYTES = 65_536;

  /** The most bytes of all extended attributes of a node: they are in its state. */
  public static final int MAX_TOTAL_BYTES = 4 * MAX_VALUE_BYTES;

  private final Changes changes;

  /** Returns the operations of a file system. */
  public AttributeOperations(Changes changes) {
    this.changes = changes;
  }

  /** Changes attributes of a node, besides the size. */
  public Result<Done> set(NodeId node, AttributeChange change, Caller caller) {
    var record =
        new SilverRecord.SetAttributes(
            change.permissions(),
            change.uid(),
            change.gid(),
            change.accessTime(),
            change.modificationTime());
    return changes.make(
        view ->
            view.get(node).isEmpty()
                ? Attempt.refused(Errno.ESTALE)
                : Attempt.append(
                    SilverCodec.encode(NameOperations.stamp(caller), record),
                    List.of(Keys.of(node, Keys.ATTRIBUTES)),
                    List.of(),
                    Done.DONE));
  }

  /**
   * Sets an extended attribute.
   *
   * @param mustBeNew whether to fail if it exists
   * @param mustExist whether to fail if it does not exist
   */
  public Result<Done> setExtended(
      NodeId node,
      FileName name,
      byte[] value,
      boolean mustBeNew,
      boolean mustExist,
      Caller caller) {
    if (name.length() == 0 || name.length() > RecordLimits.MAX_NAME_BYTES) {
      return Result.failed(Errno.ERANGE);
    }
    if (value.length > MAX_VALUE_BYTES) {
      return Result.failed(Errno.E2BIG);
    }
    return changes.make(
        view -> {
          Optional<Inode> inode = view.get(node);
          if (inode.isEmpty()) {
            return Attempt.refused(Errno.ESTALE);
          }
          boolean exists = inode.get().extendedAttributes().containsKey(name);
          if (exists && mustBeNew) {
            return Attempt.refused(Errno.EEXIST);
          }
          if (!exists && mustExist) {
            return Attempt.refused(Errno.ENODATA);
          }
          Optional<Errno> problem = problemOfSize(inode.get(), name, value);
          return problem.isPresent()
              ? Attempt.refused(problem.get())
              : extended(node, name, Optional.of(value), caller);
        });
  }

  /** Finds out whether there is room for an extended attribute. */
  static Optional<Errno> problemOfSize(Inode inode, FileName name, byte[] value) {
    return bytes(inode) + name.length() + value.length > MAX_TOTAL_BYTES
        ? Optional.of(Errno.ENOSPC)
        : Optional.empty();
  }

  private static long bytes(Inode inode) {
    return inode.extendedAttributes().entrySet().stream()
        .mapToLong(attribute -> attribute.getKey().length() + attribute.getValue().length)
        .sum();
  }

  /** Removes an extended attribute. Linux removes an access control list that is none, too. */
  public Result<Done> removeExtended(NodeId node, FileName name, Caller caller) {
    return changes.make(
        view -> {
          Optional<Inode> inode = view.get(node);
          if (inode.isEmpty()) {
            return Attempt.refused(Errno.ESTALE);
          }
          if (inode.get().extendedAttributes().containsKey(name)) {
            return extended(node, name, Optional.empty(), caller);
          }
          return AclKind.of(name).isPresent()
              ? new Attempt.Unchanged<>(Done.DONE)
              : Attempt.refused(Errno.ENODATA);
        });
  }

  private static Attempt<Done> extended(
      NodeId node, FileName name, Optional<byte[]> value, Caller caller) {
    return Attempt.append(
        SilverCodec.encode(
            NameOperations.stamp(caller),
            new SilverRecord.SetExtendedAttribute(name, value, OptionalInt.empty())),
        List.of(Keys.of(node, Keys.ATTRIBUTES)),
        List.of(Keys.of(node, Keys.ATTRIBUTES)),
        Done.DONE);
  }
}
