package corfu.silver.internal.operation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.silver.Caller;
import corfu.silver.Hop;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.node.Attempt;
import corfu.silver.internal.node.Changes;
import corfu.silver.internal.node.View;
import corfu.silver.internal.record.Child;
import corfu.silver.internal.record.RecordLimits;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import corfu.silver.internal.record.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The operations that change names: create, link, clone and unlink. Thread-safe. */
public final class NameOperations {

  /** The most names of a file. */
  public static final int MAX_LINKS = 65_000;

  private final Changes changes;

  /** Returns the operations of a file system. */
  public NameOperations(Changes changes) {
    this.changes = changes;
  }

  static Stamp stamp(Caller caller) {
    return new Stamp(caller.time(), caller.uid());
  }

  /** Finds what is wrong with a directory as the place of a new name. */
  static Optional<Errno> problemOfNewName(View view, NodeId directory, FileName name) {
    return problemOfDirectory(view, directory, name)
        .or(
            () ->
                contentOf(view, directory).entries().get(name).isPresent()
                    ? Optional.of(Errno.EEXIST)
                    : Optional.empty());
  }

  /** Finds what is wrong with a name, wherever it is. */
  static Optional<Errno> problemOfName(FileName name) {
    if (name.length() > RecordLimits.MAX_NAME_BYTES) {
      return Optional.of(Errno.ENAMETOOLONG);
    }
    String text = new String(name.bytes(), ISO_8859_1);
    boolean isReserved = text.isEmpty() || text.equals(".") || text.equals("..");
    return isReserved || text.indexOf('/') >= 0 || text.indexOf('\0') >= 0
        ? Optional.of(Errno.EINVAL)
        : Optional.empty();
  }

  /** Finds what is wrong with a directory as the place of a name. */
  static Optional<Errno> problemOfDirectory(View view, NodeId directory, FileName name) {
    Optional<Errno> problem = problemOfName(name);
    if (problem.isPresent()) {
      return problem;
    }
    Optional<Inode> inode = view.get(directory);
    if (inode.isEmpty() || inode.get().links() == 0) {
      return Optional.of(Errno.ENOENT);
    }
    return inode.get().isDirectory() ? Optional.empty() : Optional.of(Errno.ENOTDIR);
  }

  static Content.Directory contentOf(View view, NodeId directory) {
    return view.get(directory)
        .map(Inode::content)
        .filter(Content.Directory.class::isInstance)
        .map(Content.Directory.class::cast)
        .orElseThrow(() -> new IllegalStateException(directory + " is no directory"));
  }

  /**
   * Creates a node.
   *
   * @param node the id of the new node, which has never been used
   * @return the new node
   */
  public Result<NodeId> create(
      NodeId directory, FileName name, StreamId node, NewNode state, Caller caller) {
    return create(directory, name, node, parent -> state, placeOf(directory, name), caller);
  }

  /**
   * Creates a node that inherits from its directory.
   *
   * @param node the id of the new node, which has never been used
   * @param umask the permissions that the caller does not want new nodes to have
   * @return the new node
   */
  public Result<NodeId> createInheriting(
      NodeId directory, FileName name, StreamId node, NewNode state, int umask, Caller caller) {
    List<StreamPart> reads =
        List.of(Keys.of(directory, Keys.name(name), Keys.EXISTENCE, Keys.ATTRIBUTES));
    return create(
        directory, name, node, parent -> Inheritance.of(parent, state, umask), reads, caller);
  }

  private Result<NodeId> create(
      NodeId directory,
      FileName name,
      StreamId node,
      Function<Inode, NewNode> state,
      List<StreamPart> reads,
      Caller caller) {
    return changes.make(
        view -> {
          Optional<Errno> problem = problemOfNewName(view, directory, name);
          if (problem.isPresent()) {
            return Attempt.refused(problem.get());
          }
          NewNode made = state.apply(view.get(directory).orElseThrow());
          var record = new SilverRecord.Create(directory, name, node, made);
          return Attempt.creation(
              SilverCodec.encode(stamp(caller), record),
              List.of(Keys.of(directory, Keys.name(name)), Keys.of(node, Keys.EXISTENCE)),
              reads,
              NodeId.of(node));
        });
  }

  /** The name must be as it was seen, and the directory must still exist. */
  private static List<StreamPart> placeOf(NodeId directory, FileName name) {
    return List.of(Keys.of(directory, Keys.name(name), Keys.EXISTENCE));
  }

  /** Creates a node without a name. */
  public Result<NodeId> make(StreamId node, NewNode state, Caller caller) {
    return changes.make(
        view ->
            Attempt.creation(
                SilverCodec.encode(stamp(caller), new SilverRecord.Make(node, state)),
                List.of(Keys.of(node, Keys.EXISTENCE)),
                List.of(),
                NodeId.of(node)));
  }

  /** Creates a node without a name that inherits from a directory. */
  public Result<NodeId> makeInheriting(
      NodeId directory, StreamId node, NewNode state, int umask, Caller caller) {
    return changes.make(
        view -> {
          Optional<Inode> parent = view.get(directory);
          if (parent.isEmpty()) {
            return Attempt.refused(Errno.ESTALE);
          }
          NewNode made = Inheritance.of(parent.get(), state, umask);
          return Attempt.creation(
              SilverCodec.encode(stamp(caller), new SilverRecord.Make(node, made)),
              List.of(Keys.of(node, Keys.EXISTENCE)),
              List.of(Keys.of(directory, Keys.ATTRIBUTES)),
              NodeId.of(node));
        });
  }

  /** Creates a directory without a name and with a known id, unless somebody else has done so. */
  public Result<NodeId> makeOnce(NodeId node, NewNode state, Caller caller) {
    return changes.make(
        view ->
            view.get(node).isPresent()
                ? new Attempt.Unchanged<>(node)
                : Attempt.creation(
                    SilverCodec.encode(
                        stamp(caller), new SilverRecord.Make(node.original(), state)),
                    List.of(Keys.of(node, Keys.EXISTENCE)),
                    List.of(Keys.of(node, Keys.EXISTENCE)),
                    node));
  }

  /** Gives a file another name. */
  public Result<Done> link(NodeId node, NodeId directory, FileName name, Caller caller) {
    return changes.make(
        view -> {
          view.lookAt(List.of(node, directory));
          Optional<Inode> inode = view.get(node);
          if (inode.isEmpty()) {
            return Attempt.refused(Errno.ESTALE);
          }
          if (inode.get().isDirectory()) {
            return Attempt.refused(Errno.EPERM);
          }
          Optional<Errno> problem = problemOfNewName(view, directory, name);
          if (problem.isPresent()) {
            return Attempt.refused(problem.get());
          }
          if (inode.get().isRemoved()) {
            return Attempt.refused(Errno.ENOENT); // its bytes may be given up already
          }
          if (inode.get().links() >= MAX_LINKS) {
            return Attempt.refused(Errno.EMLINK);
          }
          var child = new Child(node, inode.get().mode() & FileMode.TYPE);
          return Attempt.append(
              SilverCodec.encode(stamp(caller), new SilverRecord.Link(directory, name, child)),
              List.of(Keys.of(directory, Keys.name(name)), Keys.of(node, Keys.LINKS)),
              List.of(
                  Keys.of(directory, Keys.name(name), Keys.EXISTENCE), Keys.of(node, Keys.LINKS)),
              Done.DONE);
        });
  }

  /**
   * Makes a name that is the clone of a node, whatever its size. It relies on the oldest version of
   * the source's file system, so that no entry of the clone is given up meanwhile.
   *
   * @param sourceRoot the root of the source's file system
   * @param type the type of the source in its mode
   * @param hop the clone: a new key, and a version that is decided
   * @return the new node
   */
  public Result<NodeId> clone(
      NodeId sourceRoot,
      NodeId source,
      int type,
      Hop hop,
      NodeId directory,
      FileName name,
      Caller caller) {
    if (source.hops().size() >= NodeId.MAX_HOPS) {
      return Result.failed(Errno.EMLINK);
    }
    NodeId clone = source.through(List.of(hop));
    return changes.make(
        view -> {
          Optional<Errno> problem = problemOfNewName(view, directory, name);
          if (problem.isPresent()) {
            return Attempt.refused(problem.get());
          }
          History.check(view, sourceRoot, hop.version());
          var record = new SilverRecord.Clone(directory, name, new Child(clone, type));
          return Attempt.creation(
              SilverCodec.encode(stamp(caller), record),
              List.of(Keys.of(directory, Keys.name(name)), Keys.of(clone, Keys.EXISTENCE)),
              new Parts()
                  .with(directory, Keys.name(name), Keys.EXISTENCE)
                  .with(sourceRoot, Keys.HISTORY)
                  .list(),
              clone);
        });
  }

  /** Removes the name of a node that is no directory. */
  public Result<Done> unlink(NodeId directory, FileName name, Caller caller) {
    return changes.make(
        view -> {
          Optional<Errno> problem = problemOfDirectory(view, directory, name);
          if (problem.isPresent()) {
            return Attempt.refused(problem.get());
          }
          Optional<Child> child = contentOf(view, directory).entries().get(name);
          if (child.isEmpty()) {
            return Attempt.refused(Errno.ENOENT);
          }
          return child.get().isDirectory()
              ? Attempt.refused(Errno.EISDIR)
              : removal(directory, name, child.get(), List.of(), caller);
        });
  }

  /** Removes an empty directory. */
  public Result<Done> removeDirectory(NodeId directory, FileName name, Caller caller) {
    return changes.make(
        view -> {
          Optional<Errno> problem = problemOfDirectory(view, directory, name);
          if (problem.isPresent()) {
            return Attempt.refused(problem.get());
          }
          Optional<Child> child = contentOf(view, directory).entries().get(name);
          if (child.isEmpty()) {
            return Attempt.refused(Errno.ENOENT);
          }
          if (!child.get().isDirectory()) {
            return Attempt.refused(Errno.ENOTDIR);
          }
          NodeId node = child.get().node();
          return contentOf(view, node).entries().size() > 0
              ? Attempt.refused(Errno.ENOTEMPTY)
              : removal(directory, name, child.get(), List.of(Keys.whole(node)), caller);
        });
  }

  /** Removes the name of a directory, whatever is in it. */
  public Result<Done> removeTree(NodeId directory, FileName name, Caller caller) {
    return changes.make(
        view -> {
          Optional<Errno> problem = problemOfDirectory(view, directory, name);
          if (problem.isPresent()) {
            return Attempt.refused(problem.get());
          }
          Optional<Child> child = contentOf(view, directory).entries().get(name);
          return child.isEmpty()
              ? Attempt.refused(Errno.ENOENT)
              : removal(directory, name, child.get(), List.of(), caller);
        });
  }

  private static Attempt<Done> removal(
      NodeId directory, FileName name, Child child, List<StreamPart> empty, Caller caller) {
    NodeId node = child.node();
    var record = new SilverRecord.Unlink(directory, name, node, child.type());
    List<StreamPart> reads = new ArrayList<>(empty);
    reads.add(Keys.of(directory, Keys.name(name)));
    return Attempt.append(
        SilverCodec.encode(stamp(caller), record),
        List.of(Keys.of(directory, Keys.name(name)), Keys.of(node, Keys.LINKS, Keys.EXISTENCE)),
        reads,
        Done.DONE);
  }
}
