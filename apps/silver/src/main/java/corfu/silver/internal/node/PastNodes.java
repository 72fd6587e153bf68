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
import corfu.silver.internal.inode.Inode;
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
  private final int capacity;
  private final BiFunction<NodeId, Long, Optional<Optional<Inode>>> newest;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Version, Optional<Inode>> known;

  private record Version(StreamId stream, long before) {}

  /**
   * @param capacity the number of states that are kept
   * @param newest the newest states, where those are the states at a version
   */
  PastNodes(
      Streams streams, int capacity, BiFunction<NodeId, Long, Optional<Optional<Inode>>> newest) {
    this.streams = streams;
    this.capacity = capacity;
    this.newest = newest;
    this.known =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Version, Optional<Inode>> eldest) {
            return size() > PastNodes.this.capacity;
          }
        };
  }

  /** Returns the state that a clone begins with: that of its source at the version of the clone. */
  Optional<Inode> beginning(NodeId node) {
    List<Hop> hops = node.hops();
    if (hops.isEmpty()) {
      return Optional.empty();
    }
    Hop last = hops.getLast();
    NodeId source = NodeId.of(node.original(), hops.subList(0, hops.size() - 1));
    return at(source, last.version()).map(inode -> inode.through(last));
  }

  /** Returns the state of a node that includes all entries below a log address. */
  Optional<Inode> at(NodeId node, long version) {
    List<NodeId> chain = node.chain();
    int from = chain.size() - 1;
    Optional<Optional<Inode>> found = lookUp(chain.get(from), versionAt(node, from, version));
    while (found.isEmpty() && from > 0) {
      from--;
      found = lookUp(chain.get(from), versionAt(node, from, version));
    }
    Optional<Inode> state = found.orElse(Optional.empty());
    int first = found.isPresent() ? from + 1 : 0;
    if (first == chain.size()) {
      return state;
    }
    StreamEnds ends =
        streams.ends(chain.subList(first, chain.size()).stream().map(NodeId::stream).toList());
    for (int i = first; i < chain.size(); i++) {
      if (i > 0) {
        Hop hop = node.hops().get(i - 1);
        state = state.map(inode -> inode.through(hop));
      }
      state = replay(chain.get(i), state, versionAt(node, i, version), ends);
    }
    keep(new Version(node.stream(), version), state);
    return state;
  }

  private static long versionAt(NodeId node, int place, long version) {
    return place < node.hops().size() ? node.hops().get(place).version() : version;
  }

  private Optional<Optional<Inode>> lookUp(NodeId node, long version) {
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

  private void keep(Version version, Optional<Inode> state) {
    lock.lock();
    try {
      known.put(version, state);
    } finally {
      lock.unlock();
    }
  }

  private Optional<Inode> replay(
      NodeId node, Optional<Inode> beginning, long version, StreamEnds ends) {
    Optional<Inode> state = beginning;
    if (ends.end(node.stream()).equals(StreamAddress.ZERO)) {
      return state; // most nodes of a clone are as their sources are
    }
    StreamReader reader = streams.open(node.stream()).reader();
    reader.sync(ends);
    while (true) {
      switch (reader.readNext()) {
        case StreamRead.Entry entry when entry.address().value() < version ->
            state = NodeEntries.apply(node, state, entry);
        case StreamRead.Trimmed(StreamAddress end) ->
            throw new VersionForgottenException(
                node, new Address(version), "the stream before place " + end);
        case StreamRead.Entry later -> {
          return state;
        }
        case StreamRead.Absent end -> {
          return state;
        }
      }
    }
  }
}
