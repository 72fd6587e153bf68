package corfu.silver.check;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.silver.DirectoryListing;
import corfu.silver.NodeId;
import corfu.silver.SilverFileSystem;
import corfu.silver.check.Difference.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The difference between two versions of a file system. Memory holds the names of the directories
 * that wait for their visit. Not thread-safe.
 *
 * <p>The walk asks once for all names of a directory which of their nodes may have changed. It
 * replays only those. A directory without changes has the same names in both versions.
 */
public final class TreeDiff {

  /** A directory to visit; a node is the same in both versions, except for a replaced one. */
  private record Pair(String path, NodeId earlier, NodeId later, boolean isUnchanged) {}

  private record Single(String path, NodeId node) {}

  private final SilverFileSystem earlier;
  private final SilverFileSystem later;
  private final long from;
  private final long before;
  private final Consumer<Difference> receiver;
  private final LongConsumer progress;
  private long names;
  private final Deque<Pair> pairs = new ArrayDeque<>();

  private TreeDiff(
      SilverFileSystem files,
      Address from,
      Address to,
      Consumer<Difference> receiver,
      LongConsumer progress) {
    this.progress = progress;
    this.earlier = files.at(from);
    this.later = files.at(to);
    this.from = from.value();
    this.before = to.value();
    this.receiver = receiver;
  }

  /**
   * Passes on the differences between two versions.
   *
   * @param files the file system
   * @param from the earlier version
   * @param to the later version, not below {@code from}
   * @param receiver receives each difference
   * @throws IllegalArgumentException if the versions are in the wrong order, or beyond the tail
   */
  public static void run(
      SilverFileSystem files, Address from, Address to, Consumer<Difference> receiver) {
    run(files, from, to, receiver, names -> {});
  }

  /**
   * Passes on the differences between two versions.
   *
   * @param files the file system
   * @param from the earlier version
   * @param to the later version, not below {@code from}
   * @param receiver receives each difference
   * @param progress receives the number of names that were compared so far, after each
   * @throws IllegalArgumentException if the versions are in the wrong order, or beyond the tail
   */
  public static void run(
      SilverFileSystem files,
      Address from,
      Address to,
      Consumer<Difference> receiver,
      LongConsumer progress) {
    if (from.compareTo(to) > 0) {
      throw new IllegalArgumentException("version %s is later than %s".formatted(from, to));
    }
    new TreeDiff(files, from, to, receiver, progress).run();
  }

  private void run() {
    pairs.add(new Pair("", earlier.root(), later.root(), false));
    while (!pairs.isEmpty()) {
      Pair pair = pairs.removeLast();
      List<DirectoryListing.Name> current = Trees.names(later, pair.later());
      compare(
          pair.path(),
          pair.isUnchanged() ? current : Trees.names(earlier, pair.earlier()),
          current);
    }
  }

  private void compare(
      String path, List<DirectoryListing.Name> old, List<DirectoryListing.Name> current) {
    Map<FileName, DirectoryListing.Name> others = new HashMap<>();
    old.forEach(name -> others.put(name.name(), name));
    Set<NodeId> unchanged =
        later.unchangedSince(
            current.stream().map(DirectoryListing.Name::node).toList(), new Address(from));
    for (DirectoryListing.Name name : current) {
      progress.accept(++names);
      String child = Trees.path(path, name);
      DirectoryListing.Name other = others.remove(name.name());
      if (other == null) {
        all(later, Kind.ADDED, child, name);
      } else if (!other.node().equals(name.node())) {
        replaced(child, other, name);
      } else {
        boolean isUnchanged = unchanged.contains(name.node());
        if (!isUnchanged && hasChanged(name.node())) {
          receiver.accept(new Difference(Kind.CHANGED, child));
        }
        visit(child, other, name, isUnchanged);
      }
    }
    for (DirectoryListing.Name name : old) {
      if (others.containsKey(name.name())) {
        all(earlier, Kind.REMOVED, Trees.path(path, name), name);
      }
    }
  }

  private void replaced(String path, DirectoryListing.Name old, DirectoryListing.Name current) {
    receiver.accept(new Difference(Kind.CHANGED, path));
    if (FileMode.isDirectory(old.type()) && FileMode.isDirectory(current.type())) {
      visit(path, old, current, false);
    } else if (FileMode.isDirectory(old.type())) {
      below(earlier, Kind.REMOVED, path, old.node());
    } else if (FileMode.isDirectory(current.type())) {
      below(later, Kind.ADDED, path, current.node());
    }
  }

  /** A directory's own stream tells nothing about the nodes below it, so each is visited. */
  private void visit(
      String path, DirectoryListing.Name old, DirectoryListing.Name current, boolean isUnchanged) {
    if (FileMode.isDirectory(old.type())) {
      pairs.add(new Pair(path, old.node(), current.node(), isUnchanged));
    }
  }

  private boolean hasChanged(NodeId node) {
    boolean[] found = {false};
    later.history(
        node,
        new Address(from),
        change -> {
          found[0] = change.address().value() < before;
          return false;
        });
    return found[0];
  }

  private void all(SilverFileSystem files, Kind kind, String path, DirectoryListing.Name name) {
    receiver.accept(new Difference(kind, path));
    if (FileMode.isDirectory(name.type())) {
      below(files, kind, path, name.node());
    }
  }

  private void below(SilverFileSystem files, Kind kind, String path, NodeId directory) {
    Deque<Single> waiting = new ArrayDeque<>(List.of(new Single(path, directory)));
    while (!waiting.isEmpty()) {
      Single next = waiting.removeLast();
      for (DirectoryListing.Name name : Trees.names(files, next.node())) {
        String child = Trees.path(next.path(), name);
        receiver.accept(new Difference(kind, child));
        if (FileMode.isDirectory(name.type())) {
          waiting.add(new Single(child, name.node()));
        }
      }
    }
  }
}
