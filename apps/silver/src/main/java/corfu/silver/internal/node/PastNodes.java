package corfu.silver.internal.node;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.silver.Hop;
import corfu.silver.NodeId;
import corfu.silver.VersionForgottenException;
import corfu.silver.internal.checkpoint.NodeCheckpoints;
import corfu.silver.internal.inode.NodeState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/**
 * The states of nodes at versions. A version never changes, so memory may keep it. Thread-safe.
 *
 * <p>The caller makes sure that no entry will be appended below the versions any more.
 */
final class PastNodes {

  private final Streams streams;
  private final NodeCheckpoints checkpoints;
  private final int capacity;
  private final BiFunction<NodeId, Long, Optional<NodeState>> newest;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Version, NodeState> known;

  private record Version(StreamId stream, long before) {}

  /**
   * @param capacity the number of states that are kept
   * @param newest the newest states, where those are the states at a version
   */
  PastNodes(
      Streams streams,
      NodeCheckpoints checkpoints,
      int capacity,
      BiFunction<NodeId, Long, Optional<NodeState>> newest) {
    this.streams = streams;
    this.checkpoints = checkpoints;
    this.capacity = capacity;
    this.newest = newest;
    this.known =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Version, NodeState> eldest) {
            return size() > PastNodes.this.capacity;
          }
        };
  }

  /** Returns the state that a clone begins with: that of its source at the version of the clone. */
  NodeState beginning(NodeId node) {
    List<Hop> hops = node.hops();
    if (hops.isEmpty()) {
      return NodeState.beginning(Optional.empty());
    }
    Hop last = hops.getLast();
    NodeId source = NodeId.of(node.original(), hops.subList(0, hops.size() - 1));
    return through(last, at(source, last.version()));
  }

  private static NodeState through(Hop hop, NodeState source) {
    return NodeState.beginning(source.inode().map(inode -> inode.through(hop)));
  }

  /** Returns the state of a node that includes all entries below a log address. */
  NodeState at(NodeId node, long version) {
    List<NodeId> chain = node.chain();
    int from = chain.size() - 1;
    Optional<NodeState> found = lookUp(chain.get(from), versionAt(node, from, version));
    while (found.isEmpty() && from > 0) {
      from--;
      found = lookUpSource(chain.get(from), versionAt(node, from, version));
    }
    if (found.isPresent() && from == chain.size() - 1) {
      return found.get();
    }
    int first = found.isPresent() ? from + 1 : 0;
    NodeState state =
        found
            .map(source -> through(node.hops().get(first - 1), source))
            .orElseGet(() -> NodeState.beginning(Optional.empty()));
    NodeState played = play(node, first, state, version);
    keep(new Version(node.stream(), version), played);
    return played;
  }

  /** Plays a node and its sources, from the last one that has a checkpoint. */
  private NodeState play(NodeId node, int first, NodeState beginning, long version) {
    List<NodeId> chain = node.chain();
    List<StreamId> asked = new ArrayList<>();
    for (NodeId each : chain.subList(first, chain.size())) {
      asked.add(each.stream());
      asked.add(each.checkpoints());
    }
    StreamEnds ends = streams.ends(asked);
    NodeState state = beginning;
    int from = first;
    for (int i = chain.size() - 1; i >= first; i--) {
      Optional<NodeState> checkpoint = checkpoint(chain.get(i), versionAt(node, i, version), ends);
      if (checkpoint.isPresent()) {
        state = checkpoint.get();
        from = i;
        break;
      }
    }
    for (int i = from; i < chain.size(); i++) {
      if (i > from) {
        state = through(node.hops().get(i - 1), state);
      }
      state = replay(chain.get(i), state, versionAt(node, i, version), ends);
    }
    return state;
  }

  /** Most nodes have no checkpoints, and their ends tell that. */
  private Optional<NodeState> checkpoint(NodeId node, long version, StreamEnds ends) {
    return ends.end(node.checkpoints()).equals(StreamAddress.ZERO)
        ? Optional.empty()
        : checkpoints.newest(node, version, 0).map(NodeCheckpoints.Checkpoint::state);
  }

  private static long versionAt(NodeId node, int place, long version) {
    return place < node.hops().size() ? node.hops().get(place).version() : version;
  }

  /** A source may be given up, and then a nearer node has a checkpoint. */
  private Optional<NodeState> lookUpSource(NodeId node, long version) {
    try {
      return lookUp(node, version);
    } catch (VersionForgottenException givenUp) {
      return Optional.empty();
    }
  }

  private Optional<NodeState> lookUp(NodeId node, long version) {
    return newest
        .apply(node, version)
        .or(
            () -> {
              lock.lock();
              try {
                return Optional.ofNullable(known.get(new Version(node.stream(), version)));
              } finally {
                lock.unlock();
              }
            });
  }

  private void keep(Version version, NodeState state) {
    lock.lock();
    try {
      known.put(version, state);
    } finally {
      lock.unlock();
    }
  }

  private NodeState replay(NodeId node, NodeState beginning, long version, StreamEnds ends) {
    NodeState state = beginning;
    if (ends.end(node.stream()).value() <= state.place()) {
      return state; // most nodes of a clone are as their sources are
    }
    StreamReader reader = streams.open(node.stream()).reader(new StreamAddress(state.place()));
    reader.sync(ends);
    while (true) {
      switch (reader.readNext()) {
        case StreamRead.Entry entry when entry.address().value() < version ->
            state = NodeEntries.apply(node, state, entry);
        case StreamRead.Trimmed(StreamAddress end) -> {
          NodeState before = state;
          state =
              checkpoints
                  .newest(node, version, before.place() + 1)
                  .map(NodeCheckpoints.Checkpoint::state)
                  .orElseThrow(() -> forgotten(node, version, end));
          reader = streams.open(node.stream()).reader(new StreamAddress(state.place()));
          reader.sync(ends);
        }
        case StreamRead.Entry later -> {
          return state;
        }
        case StreamRead.Absent end -> {
          return state;
        }
      }
    }
  }

  private static VersionForgottenException forgotten(NodeId node, long version, StreamAddress end) {
    return new VersionForgottenException(
        node, new Address(version), "the stream before place " + end);
  }
}
