package corfu.silver.mount;

import corfu.fuse.FileSystem;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.Attributes;
import corfu.fuse.protocol.Entry;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.TimedAttributes;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;

/** Replies about nodes, and the time for which the kernel may keep them. Thread-safe. */
final class NodeReplies {

  private static final long MAX_VALID_NANOS = 1_000_000_000L;
  private static final long VERSION_NANOS = 3_600L * 1_000_000_000L;

  private final Silver silver;
  private final NodeTable nodes;
  private final ControlFiles control;
  private final MountedData data;

  NodeReplies(Silver silver, NodeTable nodes, ControlFiles control, MountedData data) {
    this.silver = silver;
    this.nodes = nodes;
    this.control = control;
    this.data = data;
  }

  /** Returns the entry of a node. */
  Entry entry(SilverFileSystem in, NodeStatus status) {
    long number = nodes.lookUp(new MountedNode.Stored(in, status.node()));
    long valid = validNanos(in);
    return new Entry(number, 0, valid, valid, AttributeReplies.of(in, status));
  }

  /** A name that does not exist is remembered, too. */
  Result<Entry> entry(SilverFileSystem in, Result<NodeStatus> found) {
    long valid = validNanos(in);
    return found.equals(Result.failed(Errno.ENOENT)) && valid > 0
        ? Result.of(Entry.missing(valid))
        : Failures.then(found, status -> Result.of(entry(in, status)));
  }

  /** The kernel may keep what nobody else can change in that time. A version never changes. */
  static long validNanos(SilverFileSystem in) {
    return in.isReadOnly() ? VERSION_NANOS : Math.min(in.aloneNanos(), MAX_VALID_NANOS);
  }

  /**
   * Looks up a name.
   *
   * @param number the kernel's number of the directory
   */
  Result<Entry> lookUp(long number, FileName name) {
    return Failures.caught(
        nodes,
        number,
        () ->
            nodes
                .get(number)
                .map(directory -> lookUp(directory, number, name))
                .orElse(Failures.stale()));
  }

  private Result<Entry> lookUp(MountedNode directory, long number, FileName name) {
    return switch (directory) {
      case MountedNode.Stored stored
          when number == FileSystem.ROOT && name.equals(ControlFiles.NAME) ->
          Result.of(entry(MountedNode.Control.DIRECTORY));
      case MountedNode.Stored(SilverFileSystem in, NodeId node) ->
          entry(in, Failures.then(in.lookUp(node, name), found -> data.seen(in, found)));
      case MountedNode.Control ofControl ->
          Failures.then(control.lookUp(ofControl, name), this::controlEntry);
    };
  }

  private Result<Entry> controlEntry(MountedNode node) {
    return switch (node) {
      case MountedNode.Stored(SilverFileSystem in, NodeId id) ->
          data.status(in, id) instanceof Result.Success<NodeStatus>(NodeStatus status)
              ? Result.of(entry(in, status))
              : Result.failed(Errno.ENOENT);
      case MountedNode.Control found -> Result.of(entry(found));
    };
  }

  private Entry entry(MountedNode.Control node) {
    return new Entry(nodes.lookUp(node), 0, 0, 0, ofControl(node));
  }

  private Attributes ofControl(MountedNode.Control node) {
    return AttributeReplies.of(node, control.content(node).length, silver.caller(0, 0).time());
  }

  /**
   * Returns the attributes of a node.
   *
   * @param number the kernel's number of the node
   */
  Result<TimedAttributes> attributes(long number) {
    return Failures.caught(
        nodes, number, () -> nodes.get(number).map(this::attributes).orElse(Failures.stale()));
  }

  private Result<TimedAttributes> attributes(MountedNode node) {
    return switch (node) {
      case MountedNode.Stored(SilverFileSystem in, NodeId id) -> attributes(in, id);
      case MountedNode.Control file -> Result.of(new TimedAttributes(ofControl(file), 0));
    };
  }

  /** Returns the attributes of a node of a file system. */
  Result<TimedAttributes> attributes(SilverFileSystem in, NodeId node) {
    return Failures.then(
        data.status(in, node),
        status -> Result.of(new TimedAttributes(AttributeReplies.of(in, status), validNanos(in))));
  }
}
