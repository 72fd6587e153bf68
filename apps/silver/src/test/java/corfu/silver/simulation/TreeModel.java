package corfu.silver.simulation;

import corfu.fuse.linux.Errno;
import corfu.sim.history.CollectionHistory.Done;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A file system as one process would have it in memory. Never changed: each operation returns the
 * next one. Nodes have numbers; a file's content is a tag for each block.
 *
 * @param nodes the nodes by their numbers
 */
record TreeModel(Map<Long, Node> nodes) {

  static final long ROOT = 0;
  static final String OK = "OK";

  /** A file or a directory. */
  sealed interface Node {}

  /**
   * A directory.
   *
   * @param names the numbers of the nodes
   * @param parent the number of the parent; the root is its own
   * @param exists whether it has not been removed
   */
  record Directory(Map<String, Long> names, long parent, boolean exists) implements Node {}

  /**
   * A file.
   *
   * @param blocks the tags of its blocks, 0 for a hole
   * @param links the number of its names
   */
  record File(List<Integer> blocks, int links) implements Node {}

  static TreeModel empty() {
    return new TreeModel(Map.of(ROOT, new Directory(Map.of(), ROOT, true)));
  }

  private TreeModel with(long number, Node node) {
    Map<Long, Node> after = new HashMap<>(nodes);
    after.put(number, node);
    return new TreeModel(Collections.unmodifiableMap(after));
  }

  private Done<TreeModel> refused(Errno errno) {
    return new Done<>(errno.name(), this);
  }

  private static Done<TreeModel> done(TreeModel after) {
    return new Done<>(OK, after);
  }

  private Optional<Directory> directory(long number) {
    return nodes.get(number) instanceof Directory found && found.exists()
        ? Optional.of(found)
        : Optional.empty();
  }

  private boolean isDirectory(long number) {
    return nodes.get(number) instanceof Directory;
  }

  private TreeModel named(long directory, String name, Optional<Long> node) {
    if (!(nodes.get(directory) instanceof Directory before)) {
      throw new IllegalStateException(directory + " is no directory");
    }
    Map<String, Long> names = new TreeMap<>(before.names());
    node.ifPresentOrElse(number -> names.put(name, number), () -> names.remove(name));
    return with(
        directory,
        new Directory(Collections.unmodifiableMap(names), before.parent(), before.exists()));
  }

  private TreeModel linked(long number, int more) {
    return nodes.get(number) instanceof File(List<Integer> blocks, int links)
        ? with(number, new File(blocks, links + more))
        : this;
  }

  private TreeModel moved(long number, long parent) {
    return nodes.get(number) instanceof Directory before
        ? with(number, new Directory(before.names(), parent, before.exists()))
        : this;
  }

  // -------------------------------------------------------------------------------------- names

  Done<TreeModel> create(long directory, String name, long number, boolean asDirectory) {
    Optional<Directory> in = directory(directory);
    if (in.isEmpty()) {
      return refused(Errno.ENOENT);
    }
    if (in.get().names().containsKey(name)) {
      return refused(Errno.EEXIST);
    }
    Node node = asDirectory ? new Directory(Map.of(), directory, true) : new File(List.of(), 1);
    return done(with(number, node).named(directory, name, Optional.of(number)));
  }

  Done<TreeModel> link(long node, long directory, String name) {
    Optional<Directory> in = directory(directory);
    if (in.isEmpty()) {
      return refused(Errno.ENOENT);
    }
    if (in.get().names().containsKey(name)) {
      return refused(Errno.EEXIST);
    }
    return isRemoved(node)
        ? refused(Errno.ENOENT)
        : done(linked(node, 1).named(directory, name, Optional.of(node)));
  }

  /** Returns whether a node has lost its last name. */
  boolean isRemoved(long number) {
    return nodes.get(number) instanceof File file ? file.links() == 0 : directory(number).isEmpty();
  }

  Done<TreeModel> remove(long directory, String name, boolean asDirectory) {
    Optional<Directory> in = directory(directory);
    if (in.isEmpty() || !in.get().names().containsKey(name)) {
      return refused(Errno.ENOENT);
    }
    long node = in.get().names().get(name);
    if (isDirectory(node) != asDirectory) {
      return refused(asDirectory ? Errno.ENOTDIR : Errno.EISDIR);
    }
    if (nodes.get(node) instanceof Directory removed && !removed.names().isEmpty()) {
      return refused(Errno.ENOTEMPTY);
    }
    return done(named(directory, name, Optional.empty()).withoutLink(node));
  }

  private TreeModel withoutLink(long node) {
    return nodes.get(node) instanceof Directory removed
        ? with(node, new Directory(removed.names(), removed.parent(), false))
        : linked(node, -1);
  }

  Done<TreeModel> rename(long from, String fromName, long to, String toName, boolean mustBeNew) {
    Optional<Directory> source = directory(from);
    Optional<Directory> target = directory(to);
    if (source.isEmpty() || target.isEmpty() || !source.get().names().containsKey(fromName)) {
      return refused(Errno.ENOENT);
    }
    long node = source.get().names().get(fromName);
    Optional<Long> replaced = Optional.ofNullable(target.get().names().get(toName));
    if (replaced.isPresent() && mustBeNew) {
      return refused(Errno.EEXIST);
    }
    if (replaced.isPresent() && replaced.get() == node) {
      return done(this);
    }
    if (isDirectory(node) && isBelow(to, node)) {
      return refused(Errno.EINVAL);
    }
    if (replaced.isPresent() && isDirectory(node) != isDirectory(replaced.get())) {
      return refused(isDirectory(node) ? Errno.ENOTDIR : Errno.EISDIR);
    }
    if (replaced.isPresent()
        && nodes.get(replaced.get()) instanceof Directory old
        && !old.names().isEmpty()) {
      return refused(Errno.ENOTEMPTY);
    }
    TreeModel after = replaced.map(this::withoutLink).orElse(this);
    return done(
        after
            .named(from, fromName, Optional.empty())
            .named(to, toName, Optional.of(node))
            .moved(node, to));
  }

  Done<TreeModel> exchange(long from, String fromName, long to, String toName) {
    Optional<Directory> source = directory(from);
    Optional<Directory> target = directory(to);
    if (source.isEmpty()
        || target.isEmpty()
        || !source.get().names().containsKey(fromName)
        || !target.get().names().containsKey(toName)) {
      return refused(Errno.ENOENT);
    }
    long one = source.get().names().get(fromName);
    long other = target.get().names().get(toName);
    if (one == other) {
      return done(this);
    }
    if ((isDirectory(one) && isBelow(to, one)) || (isDirectory(other) && isBelow(from, other))) {
      return refused(Errno.EINVAL);
    }
    return done(
        named(from, fromName, Optional.of(other))
            .named(to, toName, Optional.of(one))
            .moved(one, to)
            .moved(other, from));
  }

  private boolean isBelow(long directory, long above) {
    long at = directory;
    while (at != above && at != ROOT) {
      at = ((Directory) nodes.get(at)).parent();
    }
    return at == above;
  }

  // ------------------------------------------------------------------------------------- blocks

  private Done<TreeModel> withBlocks(long number, List<Integer> blocks) {
    File before = (File) nodes.get(number);
    return done(with(number, new File(Collections.unmodifiableList(blocks), before.links())));
  }

  private List<Integer> blocks(long number) {
    return new ArrayList<>(((File) nodes.get(number)).blocks());
  }

  Done<TreeModel> write(long number, int block, int tag) {
    List<Integer> blocks = blocks(number);
    while (blocks.size() <= block) {
      blocks.add(0);
    }
    blocks.set(block, tag);
    return withBlocks(number, blocks);
  }

  Done<TreeModel> copy(long number, int block, List<Integer> tags) {
    Done<TreeModel> after = done(this);
    for (int i = 0; i < tags.size(); i++) {
      after = after.left().write(number, block + i, tags.get(i));
    }
    return after;
  }

  Done<TreeModel> append(long number, int tag) {
    return write(number, blocks(number).size(), tag);
  }

  Done<TreeModel> resize(long number, int size) {
    List<Integer> blocks = blocks(number);
    while (blocks.size() > size) {
      blocks.removeLast();
    }
    while (blocks.size() < size) {
      blocks.add(0);
    }
    return withBlocks(number, blocks);
  }

  Done<TreeModel> punch(long number, int block) {
    List<Integer> blocks = blocks(number);
    if (block < blocks.size()) {
      blocks.set(block, 0);
    }
    return withBlocks(number, blocks);
  }

  // ------------------------------------------------------------------------------------ reading

  /** Returns the number of a name's node, or the error. */
  String lookUp(long directory, String name) {
    return nodes.get(directory) instanceof Directory in && in.names().containsKey(name)
        ? in.names().get(name).toString()
        : Errno.ENOENT.name();
  }

  String list(long directory) {
    return nodes.get(directory) instanceof Directory in
        ? String.join(" ", in.names().keySet())
        : "";
  }

  String content(long number) {
    return nodes.get(number) instanceof File file ? file.blocks() + " " + file.links() : "";
  }
}
