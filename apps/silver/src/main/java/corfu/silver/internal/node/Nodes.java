package corfu.silver.internal.node;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.Corfu;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import corfu.silver.NodeId;
import corfu.silver.SilverOptions;
import corfu.silver.internal.checkpoint.NodeCheckpoints;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.inode.NodeState;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The nodes that this client knows. The least recently used ones are given up; they are played
 * again from their streams. Thread-safe.
 */
public final class Nodes {

  /** The number of nodes in one question. */
  private static final int ASKED_TOGETHER = 500;

  private final Log log;
  private final Streams streams;
  private final PastNodes past;
  private final RecentAppends own = new RecentAppends();
  private final NodeCheckpoints checkpoints;
  private final int checkpointsFrom; // the number of entries that make a checkpoint worthwhile
  private final StreamAccess access;
  private final AtomicBoolean isWriting = new AtomicBoolean();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<StreamId, CurrentNode> current;
  private final Map<StreamId, Integer> inFlight = new HashMap<>(); // changes of this client
  private final LongAdder answersFromMemory = new LongAdder();
  private final LongAdder questions = new LongAdder();
  private final LongAdder entriesAppended = new LongAdder();
  private long forgottenFrom; // below it, this client may have changed nodes that memory lacks

  /** Returns the nodes of a client, none of which is known yet. */
  public Nodes(Corfu corfu, Streams streams, SilverOptions options) {
    this.log = corfu.log();
    this.streams = streams;
    this.access = corfu.streamAccess();
    this.checkpointsFrom = options.bytes().checkpointsFrom();
    this.checkpoints =
        new NodeCheckpoints(streams, access.world().random(), options.bytes().maxEntryBytes());
    this.past = new PastNodes(streams, checkpoints, options.maxPastNodes(), this::knownAt);
    int capacity = options.maxNodes();
    this.current =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<StreamId, CurrentNode> eldest) {
            if (size() <= capacity) {
              return false;
            }
            eldest.getValue().known().ifPresent(state -> forgetBelow(state.snapshot()));
            return true;
          }
        };
  }

  public Streams streams() {
    return streams;
  }

  /** Returns the last entries of this client. */
  public RecentAppends own() {
    return own;
  }

  /** Returns the number of states that memory knew for certain. */
  public long answersFromMemory() {
    return answersFromMemory.sum();
  }

  /** Returns the number of questions to the log about the newest states of nodes. */
  public long questions() {
    return questions.sum();
  }

  /** Returns the number of entries that this client has appended to the streams of nodes. */
  public long entriesAppended() {
    return entriesAppended.sum();
  }

  /** Returns the number of nodes in memory. */
  public int inMemory() {
    lock.lock();
    try {
      return current.size();
    } finally {
      lock.unlock();
    }
  }

  private CurrentNode node(NodeId id) {
    lock.lock();
    try {
      return current.computeIfAbsent(
          id.stream(),
          stream -> new CurrentNode(id, streams.open(stream), new Beginnings(id), forgottenFrom));
    } finally {
      lock.unlock();
    }
  }

  /** The states from which a node goes on. */
  private final class Beginnings implements CurrentNode.Beginnings {

    private final NodeId id;

    Beginnings(NodeId id) {
      this.id = id;
    }

    @Override
    public NodeState first(StreamEnds ends) {
      boolean isNew = ends.end(id.stream()).equals(StreamAddress.ZERO) && id.hops().isEmpty();
      boolean mayHaveCheckpoint =
          !isNew
              && (!ends.has(id.checkpoints())
                  || !ends.end(id.checkpoints()).equals(StreamAddress.ZERO));
      return mayHaveCheckpoint
          ? checkpoint(0).orElseGet(() -> past.beginning(id))
          : past.beginning(id);
    }

    @Override
    public Optional<NodeState> checkpoint(long place) {
      return checkpoints.newest(id, Long.MAX_VALUE, place).map(NodeCheckpoints.Checkpoint::state);
    }

    /** The checkpoints of a large directory must not cost more than its entries. */
    @Override
    public boolean isLong(NodeState state, int entries) {
      boolean isWorthwhile = entries >= checkpointsFrom && entries >= state.size();
      return isWorthwhile && writeBehind(id, state);
    }
  }

  /** Writes a checkpoint on a thread of its own, unless one is being written already. */
  private boolean writeBehind(NodeId id, NodeState state) {
    if (!isWriting.compareAndSet(false, true)) {
      return false;
    }
    var unused =
        access.ahead(
            () -> {
              try {
                return checkpoints.write(id, state, false);
              } finally {
                isWriting.set(false);
              }
            });
    return true;
  }

  /** Returns the checkpoints of nodes. */
  public NodeCheckpoints checkpoints() {
    return checkpoints;
  }

  private void forgetBelow(long address) {
    forgottenFrom = Math.max(forgottenFrom, address);
  }

  private Optional<CurrentNode> nodeInMemory(NodeId id) {
    return nodeInMemory(id.stream());
  }

  private Optional<CurrentNode> nodeInMemory(StreamId stream) {
    lock.lock();
    try {
      return Optional.ofNullable(current.get(stream));
    } finally {
      lock.unlock();
    }
  }

  private Optional<NodeState> knownAt(NodeId id, long version) {
    return nodeInMemory(id)
        .filter(node -> node.known().isPresent())
        .flatMap(node -> node.at(version, ends(List.of(id), List.of())));
  }

  /** Returns a state as this client last saw it, if it has. */
  public Optional<Played> known(NodeId id) {
    return nodeInMemory(id).flatMap(CurrentNode::known);
  }

  /** Asks once where the streams of these nodes end, and where the data of some of them ends. */
  public StreamEnds ends(Collection<NodeId> nodes, Collection<NodeId> withData) {
    Set<StreamId> asked = new LinkedHashSet<>();
    for (NodeId node : nodes) {
      asked.add(node.stream());
      if (known(node).isEmpty()) {
        asked.add(node.checkpoints());
      }
    }
    withData.forEach(node -> asked.add(node.data()));
    questions.increment();
    return streams.ends(List.copyOf(asked));
  }

  /** Returns the state of a node up to ends that were asked for. */
  public Played play(NodeId id, StreamEnds ends) {
    return node(id).play(ends);
  }

  /** Returns the state of a node. It includes everything that had ended before the call. */
  public Played newest(NodeId id) {
    return newest(id, Trust.NONE);
  }

  /**
   * Returns the state of a node. It includes everything that had ended before the call.
   *
   * @param trust whether memory may answer
   */
  public Played newest(NodeId id, Trust trust) {
    return trusted(id, trust).orElseGet(() -> play(id, ends(List.of(id), List.of())));
  }

  /** Returns the state that memory has of a node, if it is the newest one for certain. */
  public Optional<Played> trusted(NodeId id, Trust trust) {
    long since = trust.since();
    if (since == Long.MAX_VALUE) {
      return Optional.empty();
    }
    Optional<Played> known = nodeAtRest(id).flatMap(node -> node.knownSince(since));
    if (known.isPresent()) {
      answersFromMemory.increment();
    }
    return known;
  }

  /** An entry may be in the log, and some of its nodes in memory may have it, but not yet all. */
  private Optional<CurrentNode> nodeAtRest(NodeId id) {
    lock.lock();
    try {
      return inFlight.containsKey(id.stream())
          ? Optional.empty()
          : Optional.ofNullable(current.get(id.stream()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends an entry, and tells the nodes in memory of it.
   *
   * @param made a node that the entry creates; memory has it from now on
   * @param trust is told what memory may lack
   * @param append makes the append
   */
  StreamAppend append(
      List<StreamPart> writes,
      ByteBuffer payload,
      Optional<NodeId> made,
      Trust trust,
      Supplier<StreamAppend> append) {
    made.ifPresent(
        id -> {
          var unused = node(id);
        });
    begin(writes);
    boolean isKnown = false;
    try {
      StreamAppend outcome = append.get();
      if (outcome instanceof StreamAppend.Appended entry) {
        own.add(entry.address().value());
        entriesAppended.increment();
        writes.forEach(part -> adopt(part.stream(), entry, payload));
      }
      isKnown = true;
      return outcome;
    } finally {
      if (!isKnown) {
        trust.doubt();
      }
      end(writes);
    }
  }

  private void begin(List<StreamPart> writes) {
    lock.lock();
    try {
      writes.forEach(part -> inFlight.merge(part.stream(), 1, Integer::sum));
    } finally {
      lock.unlock();
    }
  }

  private void end(List<StreamPart> writes) {
    lock.lock();
    try {
      for (StreamPart part : writes) {
        inFlight.computeIfPresent(part.stream(), (stream, count) -> count == 1 ? null : count - 1);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A node that memory lacks may just be on its way there, in a state without the entry. */
  private void adopt(StreamId stream, StreamAppend.Appended entry, ByteBuffer payload) {
    Optional<CurrentNode> found;
    lock.lock();
    try {
      found = Optional.ofNullable(current.get(stream));
      if (found.isEmpty()) {
        forgetBelow(entry.address().value() + 1);
      }
    } finally {
      lock.unlock();
    }
    found.ifPresent(node -> node.adopt(entry, payload));
  }

  /**
   * Returns the state of a node that includes all entries below a version.
   *
   * @param version an address that {@link #decideBefore} was called for
   */
  public Optional<Inode> at(NodeId id, long version) {
    return stateAt(id, version).inode();
  }

  /** Returns the state of a node that includes all entries below a version; see {@link #at}. */
  public NodeState stateAt(NodeId id, long version) {
    return knownAt(id, version).orElseGet(() -> past.at(id, version));
  }

  /** Returns the state before the first entry of the node's own stream. */
  public NodeState beginning(NodeId id) {
    return past.beginning(id);
  }

  /**
   * Makes sure that no entry will ever be appended below a version. The log's tail counts tokens,
   * and the next epoch may issue those again that no append has used; but none at or below an
   * address that is decided.
   *
   * @return false if an epoch has begun below the version, which does not exist then
   */
  public boolean decideBefore(Address version) {
    return version.value() == 0
        || !(log.read(new Address(version.value() - 1), 0, 1) instanceof EntryPart.Unwritten);
  }

  /**
   * Finds the nodes among others that certainly have no changes from a log address on. Asks about
   * many nodes at once, and replays nothing.
   */
  public Set<NodeId> unchangedSince(List<NodeId> among, long from) {
    Set<NodeId> unchanged = new HashSet<>();
    for (int first = 0; first < among.size(); first += ASKED_TOGETHER) {
      List<NodeId> asked =
          among.subList(first, Math.min(among.size(), first + ASKED_TOGETHER)).stream()
              .distinct()
              .toList();
      StreamEnds ends = ends(asked, asked);
      asked.stream().filter(node -> isUnchanged(node, from, ends)).forEach(unchanged::add);
    }
    return unchanged;
  }

  private static boolean isUnchanged(NodeId node, long from, StreamEnds ends) {
    return Math.max(ends.newest(node.stream()), ends.newest(node.data())) < from
        && node.hops().stream().allMatch(hop -> hop.version() <= from);
  }
}
