package corfu.silver.internal.operation;

import corfu.bytes.BytesView;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileName;
import corfu.runtime.stream.StreamEnds;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.node.Nodes;
import corfu.silver.internal.node.Played;
import corfu.silver.internal.node.Trust;
import corfu.silver.internal.record.Child;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The operations that change nothing: either on the newest version, or on one of the past.
 * Thread-safe.
 */
public final class Reads {

  private final Nodes nodes;
  private final FileData data;
  private final OptionalLong version;
  private final Trust trust;

  /**
   * @param version the version, or empty for the newest one
   * @param trust whether memory may answer about the newest one
   */
  public Reads(Nodes nodes, FileData data, OptionalLong version, Trust trust) {
    this.nodes = nodes;
    this.data = data;
    this.version = version;
    this.trust = trust;
  }

  private <T> Result<T> on(NodeId node, Function<Inode, Result<T>> operation) {
    Optional<Inode> inode =
        version.isPresent()
            ? nodes.at(node, version.getAsLong())
            : nodes.newest(node, trust).inode();
    return inode.isEmpty() ? Result.failed(Errno.ESTALE) : operation.apply(inode.get());
  }

  private BytesView data(NodeId node) {
    return version.isPresent() ? data.at(node, version.getAsLong()) : data.newest(node);
  }

  /** Returns the state of a node. */
  public Result<Inode> inode(NodeId node) {
    return on(node, Result::of);
  }

  /** Returns the attributes of a node. */
  public Result<NodeStatus> status(NodeId node) {
    return on(node, inode -> Result.of(Statuses.of(node, inode, () -> data(node))));
  }

  /** Finds a name in a directory. */
  public Result<NodeStatus> lookUp(NodeId directory, FileName name) {
    return version.isPresent() ? lookUpThen(directory, name) : lookUpNow(directory, name);
  }

  private Result<NodeStatus> lookUpThen(NodeId directory, FileName name) {
    return on(directory, inode -> statusOf(inode, name));
  }

  private Result<NodeStatus> statusOf(Inode directory, FileName name) {
    return child(directory, name) instanceof Result.Success<Child>(Child child)
        ? status(child.node())
        : Result.failed(problem(directory));
  }

  /** The node that the name had a moment ago is asked about together with the directory. */
  private Result<NodeStatus> lookUpNow(NodeId directory, FileName name) {
    Optional<Played> trusted = nodes.trusted(directory, trust);
    if (trusted.isPresent()) {
      return trusted
          .get()
          .inode()
          .map(inode -> statusOf(inode, name))
          .orElse(Result.failed(Errno.ESTALE));
    }
    Optional<NodeId> guess =
        nodes
            .known(directory)
            .flatMap(played -> played.inode())
            .flatMap(
                inode ->
                    inode.content() instanceof Content.Directory content
                        ? content.entries().get(name).map(Child::node)
                        : Optional.empty());
    List<NodeId> asked = guess.map(node -> List.of(directory, node)).orElse(List.of(directory));
    StreamEnds ends = nodes.ends(asked, List.of());
    Optional<Inode> inode = nodes.play(directory, ends).inode();
    if (inode.isEmpty()) {
      return Result.failed(Errno.ESTALE);
    }
    if (!(child(inode.get(), name) instanceof Result.Success<Child>(Child child))) {
      return Result.failed(problem(inode.get()));
    }
    NodeId node = child.node();
    if (guess.filter(node::equals).isEmpty()) {
      return status(node);
    }
    Optional<Inode> found = nodes.play(node, ends).inode();
    return found.isEmpty()
        ? Result.failed(Errno.ESTALE)
        : Result.of(Statuses.of(node, found.get(), () -> data(node)));
  }

  private static Errno problem(Inode inode) {
    return inode.isDirectory() ? Errno.ENOENT : Errno.ENOTDIR;
  }

  private static Result<Child> child(Inode inode, FileName name) {
    return inode.content() instanceof Content.Directory directory
        ? directory.entries().get(name).map(Result::of).orElse(Result.failed(Errno.ENOENT))
        : Result.failed(Errno.ENOTDIR);
  }

  /** Returns the names of a directory. */
  public Result<Content.Directory> directory(NodeId node) {
    return on(
        node,
        inode ->
            inode.content() instanceof Content.Directory directory
                ? Result.of(directory)
                : Result.failed(Errno.ENOTDIR));
  }

  /** Reads bytes of a file; fewer than wanted only at its end. */
  public Result<ByteBuffer> read(NodeId node, long offset, int length) {
    return onFile(
        node, inode -> Result.of(DataOperations.read(inode, offset, length, () -> data(node))));
  }

  private <T> Result<T> onFile(NodeId node, Function<Inode, Result<T>> operation) {
    return on(
        node,
        inode ->
            inode.isRegular()
                ? operation.apply(inode)
                : Result.failed(inode.isDirectory() ? Errno.EISDIR : Errno.EINVAL));
  }

  /** Returns the first offset of data, or of a hole, at or behind an offset. */
  public Result<Long> seek(NodeId node, long offset, boolean forData) {
    return onFile(
        node,
        inode -> {
          if (inode.content() instanceof Content.Inline(byte[] bytes)) {
            return offset < 0 || offset >= bytes.length
                ? Result.failed(Errno.ENXIO)
                : Result.of(forData ? offset : bytes.length);
          }
          return seek(data(node), offset, forData);
        });
  }

  private static Result<Long> seek(BytesView view, long offset, boolean forData) {
    if (offset < 0 || offset >= view.size()) {
      return Result.failed(Errno.ENXIO);
    }
    if (!forData) {
      return Result.of(view.nextHole(offset));
    }
    OptionalLong found = view.nextData(offset);
    return found.isPresent() ? Result.of(found.getAsLong()) : Result.failed(Errno.ENXIO);
  }

  /**
   * Returns the data of a large file that others may share. A file that had lost its last name may
   * be given up at any time, so others share nothing of it: EOPNOTSUPP.
   */
  public Result<BytesView> sharedData(NodeId node) {
    return switch (inode(node)) {
      case Result.Success<Inode>(Inode inode) when inode.links() == 0 ->
          Result.failed(Errno.EOPNOTSUPP);
      case Result.Success<Inode> named -> largeData(node);
      case Result.Failure<Inode>(Errno errno) -> Result.failed(errno);
    };
  }

  /** Returns the data of a large file, or EOPNOTSUPP for a small one. */
  public Result<BytesView> largeData(NodeId node) {
    return onFile(
        node,
        inode ->
            inode.content() instanceof Content.Spilled
                ? Result.of(data(node))
                : Result.failed(Errno.EOPNOTSUPP));
  }

  /** Returns the path of a symbolic link. */
  public Result<byte[]> target(NodeId node) {
    return on(
        node,
        inode ->
            inode.content() instanceof Content.Target(byte[] path)
                ? Result.of(path.clone())
                : Result.failed(Errno.EINVAL));
  }
}
