package corfu.silver.internal.collect;

import corfu.fuse.linux.FileMode;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.silver.NodeId;
import corfu.silver.VersionForgottenException;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.DirectoryEntries;
import corfu.silver.internal.inode.NodeState;
import corfu.silver.internal.node.Nodes;
import corfu.silver.internal.record.Child;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Finds the nodes that directories name, or have named. Thread-safe. */
final class Tracer {

  private final Nodes nodes;
  private final long now;

  /**
   * @param now the version that the answers must include at least
   */
  Tracer(Nodes nodes, long now) {
    this.nodes = nodes;
    this.now = now;
  }

  /**
   * Asks where streams end. Without leases, a sequencer that was replaced may answer.
   *
   * @throws UnavailableException if the answer is old
   */
  StreamEnds ends(Collection<StreamId> streams) {
    StreamEnds ends = nodes.streams().ends(streams);
    if (ends.tail().value() < now) {
      throw new UnavailableException(
          "the sequencer says that the log ends at %s, but version %d exists; try again"
              .formatted(ends.tail(), now));
    }
    return ends;
  }

  /** Passes on the names of a directory. */
  @FunctionalInterface
  private interface Names {
    void of(NodeId directory, Consumer<Child> receiver);
  }

  /**
   * Returns all nodes below a root that some version from this one on reaches, with their types. A
   * node comes behind a directory that names it.
   */
  Map<NodeId, Integer> reachedSince(NodeId root, long version) {
    return reached(root, (directory, receiver) -> namedSince(directory, version, receiver));
  }

  /**
   * Returns all nodes below a root of which entries may be left, with their types. A node comes
   * behind a directory that names it, or has named it.
   */
  Map<NodeId, Integer> left(NodeId root) {
    return reached(root, this::namedEver);
  }

  private static Map<NodeId, Integer> reached(NodeId root, Names names) {
    Map<NodeId, Integer> reached = new LinkedHashMap<>();
    ArrayDeque<NodeId> directories = new ArrayDeque<>(List.of(root));
    reached.put(root, FileMode.DIRECTORY);
    while (!directories.isEmpty()) {
      names.of(
          directories.removeFirst(),
          child -> {
            boolean isNew = reached.putIfAbsent(child.node(), child.type()) == null;
            if (isNew && child.isDirectory()) {
              directories.addLast(child.node());
            }
          });
    }
    return reached;
  }

  /** Passes on the nodes that a directory named at a version, and those that it got since. */
  private void namedSince(NodeId directory, long version, Consumer<Child> receiver) {
    NodeState state = nodes.stateAt(directory, version);
    forEachName(state, receiver);
    boolean isComplete =
        forEachEntry(directory, state.place(), record -> named(directory, record, receiver));
    if (!isComplete) {
      throw new VersionForgottenException(
          directory, new Address(version), "an entry behind place " + state.place());
    }
  }

  /** Passes on all nodes that what is left of a directory names. */
  void namedEver(NodeId directory, Consumer<Child> receiver) {
    boolean isComplete = forEachEntry(directory, 0, record -> named(directory, record, receiver));
    if (isComplete && !directory.hops().isEmpty()) {
      try {
        forEachName(nodes.beginning(directory), receiver);
      } catch (VersionForgottenException removed) {
        // Nothing that remains reaches this directory, and its source is given up.
      }
    }
    nodes.checkpoints().forEach(directory, state -> forEachName(state, receiver));
  }

  private static void forEachName(NodeState state, Consumer<Child> receiver) {
    state
        .inode()
        .ifPresent(
            inode -> {
              if (inode.content() instanceof Content.Directory directory) {
                directory
                    .entries()
                    .forEachBehind(
                        DirectoryEntries.FIRST_OFFSET,
                        (name, listed) -> {
                          receiver.accept(listed.child());
                          return true;
                        });
              }
            });
  }

  /** Passes on the entries of a node. Returns whether none of them was trimmed. */
  private boolean forEachEntry(NodeId node, long place, Consumer<SilverRecord> receiver) {
    StreamId stream = node.stream();
    StreamEnds ends = ends(List.of(stream));
    if (ends.end(stream).value() <= place) {
      return true;
    }
    boolean isComplete = true;
    StreamReader reader = nodes.streams().open(stream).reader(new StreamAddress(place));
    reader.sync(ends);
    while (true) {
      switch (reader.readNext()) {
        case StreamRead.Entry entry ->
            receiver.accept(SilverCodec.decode(entry.address(), entry.payload()).record());
        case StreamRead.Trimmed trimmed -> isComplete = false;
        case StreamRead.Absent end -> {
          return isComplete;
        }
      }
    }
  }

  /** Passes on the nodes to which an entry gives a name in a directory. */
  private static void named(NodeId directory, SilverRecord record, Consumer<Child> receiver) {
    switch (record) {
      case SilverRecord.Create create when create.directory().equals(directory) ->
          receiver.accept(
              new Child(NodeId.of(create.node()), create.state().mode() & FileMode.TYPE));
      case SilverRecord.Link link when link.directory().equals(directory) ->
          receiver.accept(link.child());
      case SilverRecord.Clone clone when clone.directory().equals(directory) ->
          receiver.accept(clone.child());
      case SilverRecord.Rename rename when rename.to().equals(directory) ->
          receiver.accept(rename.child());
      case SilverRecord.Exchange exchange -> {
        if (exchange.from().equals(directory)) {
          receiver.accept(exchange.toChild());
        }
        if (exchange.to().equals(directory)) {
          receiver.accept(exchange.fromChild());
        }
      }
      default -> {} // gives no name
    }
  }
}
