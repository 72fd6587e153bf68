package corfu.silver.internal.collect;

import corfu.bytes.ArrayHistory;
import corfu.bytes.VersionedBytes;
import corfu.fuse.linux.FileMode;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Log;
import corfu.runtime.stream.StreamEnds;
import corfu.silver.CheckpointProgress;
import corfu.silver.CheckpointProgress.Phase;
import corfu.silver.Hop;
import corfu.silver.NodeId;
import corfu.silver.VersionForgottenException;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.inode.NodeState;
import corfu.silver.internal.node.Nodes;
import corfu.silver.internal.operation.FileData;
import corfu.silver.internal.operation.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Frees the space of the history of one file system before its oldest version. Other clients may
 * use all file systems meanwhile. It may stop at any point; the next run does the rest.
 *
 * <ol>
 *   <li>Trace: find all nodes that the remaining versions of all file systems reach, and those of
 *       this file system that they do not reach.
 *   <li>Keep: write the states and the maps of data at the oldest version, wherever a reader of a
 *       remaining version would need an older entry. Mark the data that the maps refer to.
 *   <li>Free: trim what nothing needs. A directory comes behind the nodes that it named, so a later
 *       run finds all nodes that this one has left.
 * </ol>
 *
 * Memory holds about 300 bytes for each node that is reachable in any file system, and one bit for
 * each log address. For one thread, once.
 */
public final class Collector {

  /** The number of addresses that are trimmed together. */
  private static final int TRIMMED_TOGETHER = 4_096;

  /** The number of nodes whose streams' ends are asked for together. */
  private static final int ASKED_TOGETHER = 512;

  private final Log log;
  private final Nodes nodes;
  private final FileData data;
  private final Tracer tracer;
  private final NodeId catalog;
  private final NodeId root;
  private final long oldest;
  private final long now;
  private final Consumer<CheckpointProgress> progress;

  private Map<NodeId, Integer> left = Map.of();
  private final Map<NodeId, LiveNode> live = new LinkedHashMap<>();
  private final AddressBits needed = new AddressBits();
  private final Map<NodeId, Long> lastChanges = new HashMap<>();
  private final List<Address> dead = new ArrayList<>();
  private long removedNodes;
  private long freedEntries;
  private long freedBytes;

  /**
   * @param catalog the directory of all file systems
   * @param root the root of this file system
   * @param oldest the oldest version of this file system that stays, which its stream says already;
   *     {@link Long#MAX_VALUE} to give up all
   * @param now a version that includes the entry that says so
   * @param progress is told of each visited node
   */
  public Collector(
      Log log,
      Nodes nodes,
      FileData data,
      NodeId catalog,
      NodeId root,
      long oldest,
      long now,
      Consumer<CheckpointProgress> progress) {
    this.log = log;
    this.nodes = nodes;
    this.data = data;
    this.tracer = new Tracer(nodes, now);
    this.catalog = catalog;
    this.root = root;
    this.oldest = oldest;
    this.now = now;
    this.progress = progress;
  }

  /**
   * The result of a run.
   *
   * @param nodes the number of this file system's nodes that were visited
   * @param removedNodes the number of those that no remaining version reaches
   * @param entries the number of trimmed entries of data
   * @param bytes the bytes of these entries
   */
  public record Freed(long nodes, long removedNodes, long entries, long bytes) {}

  /**
   * Does all the work.
   *
   * @throws VersionForgottenException if another client gives up a newer version at the same time
   */
  public Freed run() {
    trace();
    keep();
    checkIsOldest();
    free();
    return new Freed(left.size(), removedNodes, freedEntries, freedBytes);
  }

  /**
   * A run for a newer version may have kept its states already. The checkpoints of this run are
   * behind those in their streams, and must not replace them. A run that begins later writes its
   * own behind those of this run.
   */
  private void checkIsOldest() {
    History.check(root, oldest, oldestOf(root));
  }

  private void report(Phase phase, long done, long all) {
    progress.accept(new CheckpointProgress(phase, done, all));
  }

  // --------------------------------------------------------------------------------------- trace

  private void trace() {
    left = tracer.left(root);
    Set<NodeId> roots = new LinkedHashSet<>();
    tracer.namedEver(catalog, child -> roots.add(child.node()));
    for (NodeId each : roots) {
      long from = each.equals(root) ? oldest : oldestOf(each);
      if (from < Long.MAX_VALUE) {
        tracer
            .reachedSince(each, from)
            .forEach(
                (node, type) ->
                    live.merge(
                        node, new LiveNode(node, type, from), (known, again) -> known.since(from)));
      }
      report(Phase.TRACE, live.size(), 0);
    }
  }

  private long oldestOf(NodeId anyRoot) {
    return nodes.newest(anyRoot).inode().map(Inode::forgottenBefore).orElse(0L);
  }

  /** Returns whether entries of the node may be trimmed in this run. */
  private boolean isOfThis(NodeId node) {
    return left.containsKey(node);
  }

  // ---------------------------------------------------------------------------------------- keep

  /** A clone comes before its source, so that it never needs older entries than the source has. */
  private void keep() {
    List<LiveNode> all =
        live.values().stream()
            .sorted(Comparator.comparingInt((LiveNode each) -> -each.node.hops().size()))
            .toList();
    long kept = 0;
    for (int from = 0; from < all.size(); from += ASKED_TOGETHER) {
      List<LiveNode> some = all.subList(from, Math.min(all.size(), from + ASKED_TOGETHER));
      StreamEnds ends = endsOfData(some);
      for (LiveNode each : some) {
        keep(each, ends);
        kept++;
        report(Phase.KEEP, kept, all.size());
      }
    }
  }

  private StreamEnds endsOfData(List<LiveNode> some) {
    Set<StreamId> streams = new LinkedHashSet<>();
    for (LiveNode each : some) {
      each.node.chain().forEach(node -> streams.add(node.data()));
    }
    return tracer.ends(streams);
  }

  private void keep(LiveNode each, StreamEnds ends) {
    boolean isDetached = needsOwnBeginning(each.node);
    boolean isOfThis = isOfThis(each.node);
    if (isOfThis || isDetached) {
      NodeState state = nodes.stateAt(each.node, each.from);
      if (isDetached || state.place() > 0) {
        each.keptState = Optional.of(nodes.checkpoints().keep(each.node, state));
      }
    }
    boolean hasData =
        each.isRegular()
            && each.node.chain().stream()
                .anyMatch(node -> !ends.end(node.data()).equals(StreamAddress.ZERO));
    if (hasData) {
      keepData(each, isOfThis, isDetached);
    }
  }

  /**
   * Keeps the data of a file, and marks the entries that it needs. Of another file system, all
   * entries are needed: a run that has given up its history may have ended before it kept anything.
   */
  private void keepData(LiveNode each, boolean isOfThis, boolean isDetached) {
    VersionedBytes bytes = data.array(each.node);
    ArrayHistory history = ArrayHistory.of(bytes);
    Address from = new Address(each.from);
    var view = bytes.at(from);
    view.forEachEntry(needed::add);
    if (isDetached || (isOfThis && view.version().value() > 0)) {
      each.keptData = history.keep(from);
    }
    history.forEachEntry(
        entry -> {
          if (!isOfThis || entry.address().value() >= each.from) {
            needed.add(entry.address().value());
            entry.references().forEach(needed::add);
          }
        });
  }

  /**
   * Returns whether a clone needs its first state as a checkpoint, because entries of a source are
   * given up that are older than it.
   */
  private boolean needsOwnBeginning(NodeId node) {
    List<NodeId> chain = node.chain();
    for (int i = 0; i < node.hops().size(); i++) {
      Hop hop = node.hops().get(i);
      NodeId source = chain.get(i);
      if (isOfThis(source) && (!live.containsKey(source) || lastChange(source) >= hop.version())) {
        return true;
      }
    }
    return false;
  }

  /** Returns the address of the last entry of a node or its data before the oldest version. */
  private long lastChange(NodeId node) {
    return lastChanges.computeIfAbsent(
        node,
        source -> {
          long ofState = nodes.stateAt(source, oldest).before();
          boolean isRegular = FileMode.isRegular(left.getOrDefault(source, 0));
          long ofData = isRegular ? data.at(source, oldest).version().value() : 0;
          return Math.max(ofState, ofData) - 1;
        });
  }

  // ---------------------------------------------------------------------------------------- free

  private void free() {
    List<NodeId> all = new ArrayList<>(left.keySet());
    long done = 0;
    for (NodeId node : all.reversed()) {
      boolean isRegular = FileMode.isRegular(left.getOrDefault(node, 0));
      Optional<LiveNode> alive = Optional.ofNullable(live.get(node));
      if (isRegular) {
        freeData(node, alive);
      }
      alive.ifPresentOrElse(this::freeOld, () -> freeAll(node));
      done++;
      report(Phase.FREE, done, all.size());
    }
  }

  private void freeOld(LiveNode alive) {
    alive.keptState.ifPresent(
        kept -> {
          trim(alive.node.stream(), new StreamAddress(kept.state().place()));
          nodes.checkpoints().trim(alive.node, kept.first());
        });
  }

  private void trim(StreamId stream, StreamAddress before) {
    if (!before.equals(StreamAddress.ZERO)) {
      nodes.streams().open(stream).trim(before);
    }
  }

  private void freeAll(NodeId node) {
    removedNodes++;
    if (node.equals(root)) {
      freeRoot();
      return;
    }
    StreamEnds ends = tracer.ends(List.of(node.stream(), node.checkpoints()));
    trim(node.stream(), ends.end(node.stream()));
    nodes.checkpoints().trim(node, ends.end(node.checkpoints()));
  }

  /** The stream of the root goes on to say that all is given up. */
  private void freeRoot() {
    NodeState last = nodes.stateAt(root, now);
    var kept = nodes.checkpoints().keep(root, last.withoutNames());
    trim(root.stream(), new StreamAddress(kept.state().place()));
    nodes.checkpoints().trim(root, kept.first());
  }

  /** Trims the data of one file that nothing needs. */
  private void freeData(NodeId node, Optional<LiveNode> alive) {
    Optional<ArrayHistory.Kept> kept = alive.flatMap(of -> of.keptData);
    if (alive.isPresent() && kept.isEmpty()) {
      return;
    }
    StreamId stream = node.data();
    StreamEnds ends = tracer.ends(List.of(stream));
    ArrayHistory history = ArrayHistory.of(data.array(node));
    long before = alive.map(of -> of.from).orElse(Long.MAX_VALUE);
    long below = Math.min(before, now); // newer references are not known here
    if (!ends.end(stream).equals(StreamAddress.ZERO)) {
      StreamAddress end = kept.map(ArrayHistory.Kept::place).orElse(ends.end(stream));
      long[] first = {end.value()};
      history.forEachEntry(
          entry -> {
            if (entry.address().value() < before) {
              boolean isNeeded = freeEntry(entry, below);
              first[0] = isNeeded ? Math.min(first[0], entry.place().value()) : first[0];
            }
          });
      trimDead(1);
      history.trimBefore(new StreamAddress(first[0]));
    }
    history.forEachCheckpointedEntry(address -> trimUnneeded(address, below));
    trimDead(1);
    kept.ifPresentOrElse(history::trimCheckpoints, history::trimCheckpoints);
  }

  /** Trims an entry and those that it refers to, as far as nothing needs them. */
  private boolean freeEntry(ArrayHistory.StoredEntry entry, long below) {
    boolean isNeeded = needed.has(entry.address().value());
    if (!isNeeded) {
      dead.add(entry.address());
      freedEntries++;
      freedBytes += entry.payloadBytes();
    }
    entry.references().forEach(address -> trimUnneeded(address, below));
    trimDead(TRIMMED_TOGETHER);
    return isNeeded;
  }

  /** An entry of another file may have been needed here only. */
  private void trimUnneeded(long address, long below) {
    if (address < below && !needed.has(address)) {
      dead.add(new Address(address));
    }
    trimDead(TRIMMED_TOGETHER);
  }

  private void trimDead(int atLeast) {
    if (dead.size() >= atLeast) {
      log.trim(List.copyOf(dead));
      dead.clear();
    }
  }
}
