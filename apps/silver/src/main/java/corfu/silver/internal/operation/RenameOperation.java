package corfu.silver.internal.operation;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileName;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.node.Attempt;
import corfu.silver.internal.node.Changes;
import corfu.silver.internal.node.View;
import corfu.silver.internal.record.Child;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import java.util.List;
import java.util.Optional;

/**
 * Renames and exchanges. Thread-safe.
 *
 * <p>A directory must not get below itself, whatever others move at the same time. So a move of a
 * directory to another directory is also a change of the root, which all such moves rely on.
 */
public final class RenameOperation {

  /** A deeper directory cannot be moved. A longer way up would be a circle. */
  private static final int MAX_DEPTH = 100_000;

  private final Changes changes;
  private final NodeId root;

  /** Returns the operation of the file system with this root. */
  public RenameOperation(Changes changes, NodeId root) {
    this.changes = changes;
    this.root = root;
  }

  /** The two names of an operation. */
  private record Names(NodeId from, FileName fromName, NodeId to, FileName toName) {}

  /**
   * Renames a node over a possible other one.
   *
   * @param mustBeNew whether to fail if the new name exists
   */
  public Result<Done> rename(
      NodeId from,
      FileName fromName,
      NodeId to,
      FileName toName,
      boolean mustBeNew,
      Caller caller) {
    Names names = new Names(from, fromName, to, toName);
    return changes.make(view -> rename(view, names, mustBeNew, caller));
  }

  private static Optional<Errno> problemOf(View view, Names names) {
    view.lookAt(List.of(names.from(), names.to()));
    return NameOperations.problemOfDirectory(view, names.from(), names.fromName())
        .or(() -> NameOperations.problemOfDirectory(view, names.to(), names.toName()));
  }

  private Attempt<Done> rename(View view, Names names, boolean mustBeNew, Caller caller) {
    Optional<Errno> problem = problemOf(view, names);
    if (problem.isPresent()) {
      return Attempt.refused(problem.get());
    }
    Optional<Child> child = child(view, names.from(), names.fromName());
    if (child.isEmpty()) {
      return Attempt.refused(Errno.ENOENT);
    }
    Optional<Child> replaced = child(view, names.to(), names.toName());
    if (replaced.isPresent() && mustBeNew) {
      return Attempt.refused(Errno.EEXIST);
    }
    if (replaced.isPresent() && replaced.get().node().equals(child.get().node())) {
      return new Attempt.Unchanged<>(Done.DONE); // two names of one file: POSIX keeps both
    }
    Parts reads = placesOf(names);
    Parts writes =
        new Parts()
            .with(names.from(), Keys.name(names.fromName()))
            .with(names.to(), Keys.name(names.toName()))
            .with(child.get().node(), Keys.LINKS);
    problem =
        problemOfMove(view, child.get(), names.from(), names.to(), reads, writes)
            .or(() -> replaced.flatMap(old -> problemOfReplacing(view, child.get(), old)));
    if (problem.isPresent()) {
      return Attempt.refused(problem.get());
    }
    if (replaced.isPresent()) {
      NodeId old = replaced.get().node();
      writes.with(old, Keys.LINKS, Keys.EXISTENCE);
    }
    var record =
        new SilverRecord.Rename(
            names.from(), names.fromName(), names.to(), names.toName(), child.get(), replaced);
    return Attempt.append(
        SilverCodec.encode(NameOperations.stamp(caller), record),
        writes.list(),
        replaced.filter(Child::isDirectory).isPresent()
            ? reads.listWithWhole(replaced.get().node())
            : reads.list(),
        Done.DONE);
  }

  private static Optional<Child> child(View view, NodeId directory, FileName name) {
    return NameOperations.contentOf(view, directory).entries().get(name);
  }

  /** The names must be as they were seen, and the directories must still exist. */
  private static Parts placesOf(Names names) {
    return new Parts()
        .with(names.from(), Keys.name(names.fromName()))
        .with(names.to(), Keys.name(names.toName()), Keys.EXISTENCE);
  }

  private static Optional<Errno> problemOfReplacing(View view, Child child, Child replaced) {
    if (child.isDirectory() != replaced.isDirectory()) {
      return Optional.of(child.isDirectory() ? Errno.ENOTDIR : Errno.EISDIR);
    }
    return replaced.isDirectory()
            && NameOperations.contentOf(view, replaced.node()).entries().size() > 0
        ? Optional.of(Errno.ENOTEMPTY)
        : Optional.empty();
  }

  /** Finds out whether a directory would get below itself, and notes what that relies on. */
  private Optional<Errno> problemOfMove(
      View view, Child child, NodeId from, NodeId to, Parts reads, Parts writes) {
    if (!child.isDirectory() || from.equals(to)) {
      return Optional.empty();
    }
    var unused = view.get(root);
    reads.with(root, Keys.MOVES);
    writes.with(root, Keys.MOVES);
    NodeId above = to;
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
      if (above.equals(child.node())) {
        return Optional.of(Errno.EINVAL);
      }
      Optional<Inode> inode = view.get(above);
      if (inode.isEmpty() || !(inode.get().content() instanceof Content.Directory directory)) {
        return Optional.of(Errno.ENOENT);
      }
      if (above.equals(root) || directory.parent().equals(above)) {
        return Optional.empty();
      }
      above = directory.parent();
    }
    return Optional.of(Errno.ELOOP);
  }

  /** Exchanges two names. */
  public Result<Done> exchange(
      NodeId from, FileName fromName, NodeId to, FileName toName, Caller caller) {
    Names names = new Names(from, fromName, to, toName);
    return changes.make(view -> exchange(view, names, caller));
  }

  private Attempt<Done> exchange(View view, Names names, Caller caller) {
    Optional<Errno> problem = problemOf(view, names);
    if (problem.isPresent()) {
      return Attempt.refused(problem.get());
    }
    Optional<Child> one = child(view, names.from(), names.fromName());
    Optional<Child> other = child(view, names.to(), names.toName());
    if (one.isEmpty() || other.isEmpty()) {
      return Attempt.refused(Errno.ENOENT);
    }
    if (one.get().node().equals(other.get().node())) {
      return new Attempt.Unchanged<>(Done.DONE);
    }
    Parts reads = placesOf(names).with(names.from(), Keys.EXISTENCE);
    Parts writes =
        new Parts()
            .with(names.from(), Keys.name(names.fromName()))
            .with(names.to(), Keys.name(names.toName()))
            .with(one.get().node(), Keys.LINKS)
            .with(other.get().node(), Keys.LINKS);
    problem =
        problemOfMove(view, one.get(), names.from(), names.to(), reads, writes)
            .or(() -> problemOfMove(view, other.get(), names.to(), names.from(), reads, writes));
    if (problem.isPresent()) {
      return Attempt.refused(problem.get());
    }
    var record =
        new SilverRecord.Exchange(
            names.from(), names.fromName(), names.to(), names.toName(), one.get(), other.get());
    return Attempt.append(
        SilverCodec.encode(NameOperations.stamp(caller), record),
        writes.list(),
        reads.list(),
        Done.DONE);
  }
}
