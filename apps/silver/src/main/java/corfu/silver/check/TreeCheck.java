package corfu.silver.check;

import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.runtime.CorruptEntryException;
import corfu.silver.DamagedEntryException;
import corfu.silver.DirectoryListing;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import corfu.silver.VersionForgottenException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Checks the invariants of a file system at one version. Memory holds the id of each node. Not
 * thread-safe.
 */
public final class TreeCheck {

  private record Visit(String path, NodeId node, NodeId parent) {}

  /** A file with several names, of which some have been found. */
  private record Names(String path, int found, int expected) {}

  private final SilverFileSystem files;
  private final Consumer<Finding> receiver;
  private final LongConsumer progress;
  private final Deque<Visit> directories = new ArrayDeque<>();
  private final Set<NodeId> seen = new HashSet<>();
  private final Map<NodeId, Names> linked = new HashMap<>();
  private long nodes;

  private TreeCheck(SilverFileSystem files, Consumer<Finding> receiver, LongConsumer progress) {
    this.files = files;
    this.receiver = receiver;
    this.progress = progress;
  }

  /**
   * Walks the tree and passes on what is wrong.
   *
   * @param files a version of the past
   * @param receiver receives each finding
   * @return the number of names that were checked, the root included
   * @throws IllegalArgumentException if it is the newest version, which may change during the walk
   */
  public static long run(SilverFileSystem files, Consumer<Finding> receiver) {
    return run(files, receiver, names -> {});
  }

  /**
   * Walks the tree and passes on what is wrong.
   *
   * @param files a version of the past
   * @param receiver receives each finding
   * @param progress receives the number of names that were checked so far, after each
   * @return the number of names that were checked, the root included
   * @throws IllegalArgumentException if it is the newest version, which may change during the walk
   */
  public static long run(
      SilverFileSystem files, Consumer<Finding> receiver, LongConsumer progress) {
    if (!files.isReadOnly()) {
      throw new IllegalArgumentException("a check needs a version; take the current one");
    }
    return new TreeCheck(files, receiver, progress).run();
  }

  private long run() {
    nodes = 1;
    seen.add(files.root());
    directories.add(new Visit("", files.root(), files.root()));
    while (!directories.isEmpty()) {
      Visit visit = directories.removeLast();
      orReport(visit.path(), () -> check(visit));
    }
    linked.forEach(
        (node, names) -> {
          if (names.found() != names.expected()) {
            report(
                names.path(),
                "has a link count of %d, but %d names".formatted(names.expected(), names.found()));
          }
        });
    return nodes;
  }

  private void report(String path, String problem) {
    receiver.accept(new Finding(path, problem));
  }

  /** Checks something. Damage of its streams is a finding, and the walk goes on. */
  private void orReport(String path, Runnable check) {
    try {
      check.run();
    } catch (DamagedEntryException
        | VersionForgottenException
        | CorruptEntryException
        | corfu.bytes.DamagedRecordException
        | corfu.bytes.VersionForgottenException damage) {
      report(path, "cannot be read: " + damage.getMessage());
    }
  }

  private void check(Visit visit) {
    checkParent(visit);
    int subdirectories = 0;
    for (DirectoryListing.Name name : Trees.names(files, visit.node())) {
      nodes++;
      progress.accept(nodes);
      String path = Trees.path(visit.path(), name);
      if (FileMode.isDirectory(name.type())) {
        subdirectories++;
      }
      orReport(path, () -> check(path, visit.node(), name));
    }
    if (files.status(visit.node()) instanceof Result.Success<NodeStatus>(NodeStatus status)
        && status.links() != 2 + subdirectories) {
      report(
          visit.path(),
          "has a link count of %d, but %d subdirectories"
              .formatted(status.links(), subdirectories));
    }
  }

  private void checkParent(Visit visit) {
    if (files.parent(visit.node()) instanceof Result.Success<NodeId>(NodeId parent)
        && !parent.equals(visit.parent())) {
      report(
          visit.path(), "has the parent %s, but is a name of %s".formatted(parent, visit.parent()));
    }
  }

  private void check(String path, NodeId directory, DirectoryListing.Name name) {
    if (files.status(name.node()) instanceof Result.Success<NodeStatus>(NodeStatus status)) {
      check(path, directory, name, status);
    } else {
      report(path, "has no stream: %s has no entries".formatted(name.node()));
    }
  }

  private void check(String path, NodeId directory, DirectoryListing.Name name, NodeStatus status) {
    int type = status.mode() & FileMode.TYPE;
    if (type != name.type()) {
      report(path, "has type %o, but its directory says %o".formatted(type, name.type()));
    }
    if (status.isDirectory()) {
      if (seen.add(name.node())) {
        directories.add(new Visit(path, name.node(), directory));
      } else {
        report(path, "is a directory that has another name, too");
      }
      return;
    }
    if (status.links() == 1) {
      if (linked.containsKey(name.node()) || !seen.add(name.node())) {
        report(path, "has a link count of 1, but several names");
      }
    } else {
      linked.merge(
          name.node(),
          new Names(path, 1, status.links()),
          (old, found) -> new Names(old.path(), old.found() + 1, old.expected()));
    }
    if (FileMode.isRegular(status.mode())) {
      checkSize(path, status);
    }
  }

  /** Reads the last byte, and behind it. */
  private void checkSize(String path, NodeStatus status) {
    long last = Math.max(0, status.size() - 1);
    int expected = status.size() == 0 ? 0 : 1;
    if (files.read(status.node(), last, 2) instanceof Result.Success<ByteBuffer>(ByteBuffer bytes)
        && bytes.remaining() == expected) {
      return;
    }
    report(path, "has %d bytes by its attributes, but not by its data".formatted(status.size()));
  }
}
