package corfu.silver.internal.operation;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.acl.AccessControlList;
import corfu.silver.acl.AclKind;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.node.Attempt;
import corfu.silver.internal.node.Changes;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The operations that change access control lists. Thread-safe. */
public final class AccessControlOperations {

  private final Changes changes;

  /** Returns the operations of a file system. */
  public AccessControlOperations(Changes changes) {
    this.changes = changes;
  }

  /**
   * Sets a list. The mode of the node follows its access list.
   *
   * @param clearedBits bits of the mode that the node loses with an access list
   */
  public Result<Done> set(
      NodeId node, AclKind kind, AccessControlList list, int clearedBits, Caller caller) {
    return changes.make(
        view -> {
          Optional<Inode> inode = view.get(node);
          if (inode.isEmpty()) {
            return Attempt.refused(Errno.ESTALE);
          }
          Optional<Errno> problem = problemOf(inode.get(), kind, list);
          return problem.isPresent()
              ? Attempt.refused(problem.get())
              : Attempt.append(
                  SilverCodec.encode(
                      NameOperations.stamp(caller), record(inode.get(), kind, list, clearedBits)),
                  List.of(Keys.of(node, Keys.ATTRIBUTES)),
                  List.of(Keys.of(node, Keys.ATTRIBUTES)),
                  Done.DONE);
        });
  }

  private static Optional<Errno> problemOf(Inode inode, AclKind kind, AccessControlList list) {
    if ((inode.mode() & FileMode.TYPE) == FileMode.SYMBOLIC_LINK) {
      return Optional.of(Errno.EOPNOTSUPP);
    }
    if (kind == AclKind.DEFAULT && !inode.isDirectory()) {
      return Optional.of(Errno.EACCES);
    }
    return AttributeOperations.problemOfSize(inode, kind.attribute(), list.encode());
  }

  private static SilverRecord record(
      Inode inode, AclKind kind, AccessControlList list, int clearedBits) {
    return switch (kind) {
      case ACCESS -> {
        int others = inode.mode() & FileMode.PERMISSIONS & ~AccessControlList.MODE_BITS;
        yield new SilverRecord.SetExtendedAttribute(
            kind.attribute(),
            list.isEquivalentToMode() ? Optional.empty() : Optional.of(list.encode()),
            OptionalInt.of((others & ~clearedBits) | list.permissions()));
      }
      case DEFAULT ->
          new SilverRecord.SetExtendedAttribute(
              kind.attribute(), Optional.of(list.encode()), OptionalInt.empty());
    };
  }
}
