package corfu.silver;

import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.List;

/**
 * The identity of a file or directory: the stream that was created for it, and the clones through
 * which it is seen. A node has its own stream: that of its creation, or one whose id is derived
 * from it and from the clones. So a clone of a directory needs no entry for any node below it.
 * Immutable; two ids are equal if their streams are.
 */
public final class NodeId {

  /** The most clones of clones through which a node may be seen. */
  public static final int MAX_HOPS = 1_000;

  private static final StreamId DATA = StreamId.named("silver data");
  private static final StreamId MEMBERS = StreamId.named("silver members");
  private static final StreamId CHECKPOINTS = StreamId.named("silver checkpoints");

  private final StreamId original;
  private final List<Hop> hops;
  private final StreamId stream;

  private NodeId(StreamId original, List<Hop> hops, StreamId stream) {
    this.original = original;
    this.hops = hops;
    this.stream = stream;
  }

  /** Returns the id of a node that is seen through no clone. */
  public static NodeId of(StreamId original) {
    return new NodeId(original, List.of(), original);
  }

  /** Returns the id of a node that is seen through clones, the first clone first. */
  public static NodeId of(StreamId original, List<Hop> hops) {
    return of(original).through(hops);
  }

  /** Returns the id of this node as it is seen through further clones. */
  public NodeId through(List<Hop> further) {
    if (further.isEmpty()) {
      return this;
    }
    List<Hop> all = new ArrayList<>(hops.size() + further.size());
    all.addAll(hops);
    all.addAll(further);
    StreamId derived = stream;
    for (Hop hop : further) {
      derived = hop.seen(derived);
    }
    return new NodeId(original, List.copyOf(all), derived);
  }

  /** Returns the stream that was created for the node. */
  public StreamId original() {
    return original;
  }

  /** Returns the clones through which the node is seen, the first one first. */
  public List<Hop> hops() {
    return hops;
  }

  /** Returns the node's own stream. */
  public StreamId stream() {
    return stream;
  }

  /** Returns the stream of a file's data. */
  public StreamId data() {
    return Hop.derive(DATA, stream);
  }

  /** Returns the stream of the node's checkpoints. */
  public StreamId checkpoints() {
    return Hop.derive(CHECKPOINTS, stream);
  }

  /** Returns the stream of those who may change a file system with this root. */
  public StreamId members() {
    return Hop.derive(MEMBERS, stream);
  }

  /** Returns the ids of the same node as each clone saw it, this one last. */
  public List<NodeId> chain() {
    List<NodeId> chain = new ArrayList<>(hops.size() + 1);
    NodeId node = of(original);
    chain.add(node);
    for (Hop hop : hops) {
      node = node.through(List.of(hop));
      chain.add(node);
    }
    return chain;
  }

  /** Returns the number of the node that {@code stat} shows. */
  public long inodeNumber() {
    long mixed = stream.hash();
    return mixed == 0 ? 1 : mixed;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeId node && stream.equals(node.stream);
  }

  @Override
  public int hashCode() {
    return stream.hashCode();
  }

  @Override
  public String toString() {
    return hops.isEmpty() ? stream.toString() : stream + " (through " + hops.size() + " clones)";
  }
}
