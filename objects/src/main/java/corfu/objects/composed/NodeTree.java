package corfu.objects.composed;

import corfu.objects.Parts;
import corfu.objects.ResultUnknownException;
import corfu.objects.TransactionAbortedException;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.composed.Branch.Children;
import corfu.objects.composed.Branch.Found;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.protocol.StreamId;
import corfu.runtime.CorfuException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The object that users of a composed tree hold. The root is a {@link Branch} in the tree's own
 * stream; other nodes have random ids. A change of a leaf is conditional on the path from the root:
 * each branch on it must have nothing new about the path's next child. A node is split in one
 * transaction, which changes the node, its parent and the new node. So a split invalidates each
 * path through that node.
 */
final class NodeTree<K extends Comparable<? super K>, V> extends PartedMap<K, V>
    implements ComposedTree<K, V> {

  /** Nodes that are kept open, so that they need not be looked up by their ids. */
  private static final int MOST_OPEN = 1 << 16;

  private final Parts parts;
  private final ObjectType<Branch<K>> branchType;
  private final ObjectType<ReplicatedRangeMap<K, V>> leafType;
  private final Branch<K> root;
  private final Splits<K, V> splits;
  private final Map<StreamId, Branch<K>> branches = new ConcurrentHashMap<>();
  private final Map<StreamId, ReplicatedRangeMap<K, V>> leaves = new ConcurrentHashMap<>();
  private final Fullness<StreamId> fullness;

  NodeTree(Invoker invoker, ComposedTreeType<K, V> type) {
    super(invoker);
    this.parts = parts();
    this.branchType = type.branchType();
    this.leafType = type.leafType();
    this.root = parts.openHere(parts.id(), parts.name(), branchType);
    this.splits = new Splits<>(this, parts, type);
    this.fullness = new Fullness<>(Math.max(1, type.leafSize() / 4));
  }

  // ----------------------------------------------------------------------------------------
  // finding

  Branch<K> root() {
    return root;
  }

  Branch<K> branch(StreamId id) {
    return opened(branches, id, missing -> parts.openHere(missing, nodeName(), branchType));
  }

  ReplicatedRangeMap<K, V> leaf(StreamId id) {
    return opened(leaves, id, missing -> parts.open(missing, nodeName(), leafType));
  }

  private String nodeName() {
    return parts.name() + "/node";
  }

  private static <C> C opened(Map<StreamId, C> open, StreamId id, Function<StreamId, C> how) {
    if (open.size() >= MOST_OPEN) {
      open.clear();
    }
    return open.computeIfAbsent(id, how);
  }

  /** The way from the root to the leaf of a key. */
  private record Way<K>(List<Branch<K>> branches, StreamId leaf) {}

  /** Empty: the tree is empty. */
  private Optional<Way<K>> find(K key) {
    List<Branch<K>> way = new ArrayList<>();
    Branch<K> branch = root;
    while (true) {
      way.add(branch);
      Found found = branch.find(key);
      if (found.child().isEmpty()) {
        return Optional.empty();
      }
      if (found.level() == 1) {
        return Optional.of(new Way<>(way, found.child().get()));
      }
      branch = branch(found.child().get());
    }
  }

  /** Asks for the ends of all nodes on the way together, if it is still that one. */
  private void prepare(Optional<Way<K>> guessed) {
    List<Object> nodes = new ArrayList<>(List.of(root));
    guessed.ifPresent(
        way -> {
          nodes.addAll(way.branches.subList(1, way.branches.size()));
          nodes.add(leaf(way.leaf));
        });
    parts.prepare(nodes);
  }

  /** The way as this client happens to know it. */
  private Optional<Way<K>> guess(K key) {
    return parts.isInTransaction() || parts.isPast()
        ? Optional.empty()
        : parts.route(() -> find(key));
  }

  @Override
  @SuppressWarnings("unchecked") // what is no key is in no leaf, and compared with keys
  <R> @Nullable R reading(Object key, Call<ReplicatedMap<K, V>, R> call) {
    return parts.<@Nullable R>inOneCall(
        deadline -> {
          Optional<Way<K>> guessed = guess((K) key);
          return parts.<@Nullable R>read(
              () -> {
                prepare(guessed);
                Optional<Way<K>> way = find((K) key);
                return way.isEmpty() ? null : call.on(leaf(way.get().leaf));
              });
        });
  }

  /** The result of a change that found a leaf. */
  private static final class Given<R> {
    final @Nullable R value;

    Given(@Nullable R value) {
      this.value = value;
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the same
  <R> @Nullable R changingIn(Object key, Call<ReplicatedMap<K, V>, R> call) {
    while (true) {
      Optional<Given<R>> given =
          parts.route(
              () ->
                  find((K) key)
                      .map(
                          way -> {
                            wrote((K) key, way.leaf, 1);
                            return new Given<>(call.on(leaf(way.leaf)));
                          }));
      if (given.isPresent()) {
        return given.get().value;
      }
      beginUnlessBegun(); // somebody has cleared it
    }
  }

  @Override
  void beginUnlessBegun() {
    while (root.children().level() == 0) {
      try {
        var unused = root.begin(parts.newId());
      } catch (ResultUnknownException made) {
        // our caller's change has not been made: what came of this one, it would take for its own
      }
    }
  }

  @Override
  Set<K> putTogether(Map<K, V> left) {
    K first = left.keySet().iterator().next();
    Optional<Way<K>> found = find(first);
    if (found.isEmpty()) {
      return Set.of();
    }
    StreamId leaf = found.get().leaf;
    Map<K, V> together = new LinkedHashMap<>();
    left.forEach(
        (key, value) -> {
          // the tree may grow while it is looked at, which the guard of the change finds
          if (key.equals(first) || find(key).filter(way -> way.leaf.equals(leaf)).isPresent()) {
            together.put(key, value);
          }
        });
    wrote(first, leaf, together.size());
    leaf(leaf).putAll(together);
    return together.keySet();
  }

  @Override
  public void clear() {
    root.clear();
  }

  @Override
  public int depth() {
    return parts.read(() -> root.children().level());
  }

  // -------------------------------------------------------------------------------------
  // neighbours

  /** A search within one leaf. */
  private interface Search<K, V> {
    Map.@Nullable Entry<K, V> in(ReplicatedRangeMap<K, V> leaf);
  }

  @Override
  public @Nullable Entry<K, V> firstEntry() {
    return upwards(null, ReplicatedRangeMap::firstEntry);
  }

  @Override
  public @Nullable Entry<K, V> lastEntry() {
    return downwards(null, ReplicatedRangeMap::lastEntry);
  }

  @Override
  public @Nullable Entry<K, V> ceilingEntry(K key) {
    return upwards(key, leaf -> leaf.ceilingEntry(key));
  }

  @Override
  public @Nullable Entry<K, V> higherEntry(K key) {
    return upwards(key, leaf -> leaf.higherEntry(key));
  }

  @Override
  public @Nullable Entry<K, V> floorEntry(K key) {
    return downwards(key, leaf -> leaf.floorEntry(key));
  }

  @Override
  public @Nullable Entry<K, V> lowerEntry(K key) {
    return downwards(key, leaf -> leaf.lowerEntry(key));
  }

  private Map.@Nullable Entry<K, V> upwards(@Nullable K key, Search<K, V> search) {
    return parts.<Map.@Nullable Entry<K, V>>read(() -> upwards(root, key, search));
  }

  private Map.@Nullable Entry<K, V> upwards(
      Branch<K> branch, @Nullable K key, Search<K, V> search) {
    Children<K> children = branch.children();
    int from = key == null ? 0 : BranchState.placeOf(children, key);
    for (int i = from; i < children.ids().size(); i++) {
      Map.@Nullable Entry<K, V> found = below(children, i, i == from, key, search, true);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private Map.@Nullable Entry<K, V> downwards(@Nullable K key, Search<K, V> search) {
    return parts.<Map.@Nullable Entry<K, V>>read(() -> downwards(root, key, search));
  }

  private Map.@Nullable Entry<K, V> downwards(
      Branch<K> branch, @Nullable K key, Search<K, V> search) {
    Children<K> children = branch.children();
    int from = key == null ? children.ids().size() - 1 : BranchState.placeOf(children, key);
    for (int i = Math.min(from, children.ids().size() - 1); i >= 0; i--) {
      Map.@Nullable Entry<K, V> found = below(children, i, i == from, key, search, false);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private Map.@Nullable Entry<K, V> below(
      Children<K> children,
      int place,
      boolean isOfKey,
      @Nullable K key,
      Search<K, V> search,
      boolean isUpwards) {
    StreamId id = children.ids().get(place);
    if (children.level() == 1) {
      return search.in(leaf(id));
    }
    @Nullable K within = isOfKey ? key : null;
    return isUpwards ? upwards(branch(id), within, search) : downwards(branch(id), within, search);
  }

  // -----------------------------------------------------------------------------------------
  // ranges

  /** A copy of a part of one leaf. */
  private interface Part<K, V> {
    Map<K, V> of(ReplicatedRangeMap<K, V> leaf);
  }

  @Override
  public NavigableMap<K, V> subMap(K from, boolean withFrom, K to, boolean withTo) {
    if (from.compareTo(to) > 0) {
      throw new IllegalArgumentException("the range ends at %s, before %s".formatted(to, from));
    }
    return copied(from, to, leaf -> leaf.subMap(from, withFrom, to, withTo));
  }

  @Override
  public NavigableMap<K, V> headMap(K to, boolean withTo) {
    return copied(null, to, leaf -> leaf.headMap(to, withTo));
  }

  @Override
  public NavigableMap<K, V> tailMap(K from, boolean withFrom) {
    return copied(from, null, leaf -> leaf.tailMap(from, withFrom));
  }

  @Override
  public NavigableMap<K, V> copy() {
    return copied(null, null, ReplicatedRangeMap::snapshot);
  }

  private NavigableMap<K, V> copied(@Nullable K from, @Nullable K to, Part<K, V> part) {
    return parts.read(
        () -> {
          NavigableMap<K, V> all = new TreeMap<>();
          collect(root, from, to, part, all);
          return Collections.unmodifiableNavigableMap(all);
        });
  }

  private void collect(
      Branch<K> branch, @Nullable K from, @Nullable K to, Part<K, V> part, Map<K, V> all) {
    Children<K> children = branch.children();
    if (children.level() == 0) {
      return;
    }
    int first = from == null ? 0 : BranchState.placeOf(children, from);
    int last = to == null ? children.ids().size() - 1 : BranchState.placeOf(children, to);
    List<StreamId> wanted = children.ids().subList(first, last + 1);
    if (children.level() == 1) {
      parts.prepare(wanted.stream().map(this::leaf).toList());
      wanted.forEach(id -> all.putAll(part.of(leaf(id))));
    } else {
      parts.prepare(wanted.stream().map(this::branch).toList());
      wanted.forEach(id -> collect(branch(id), from, to, part, all));
    }
  }

  @Override
  Map<K, V> snapshot() {
    return copy();
  }

  @Override
  public int size() {
    return parts.read(() -> size(root));
  }

  private int size(Branch<K> branch) {
    Children<K> children = branch.children();
    long size = 0;
    if (children.level() == 1) {
      List<ReplicatedRangeMap<K, V>> all = children.ids().stream().map(this::leaf).toList();
      parts.prepare(all);
      for (ReplicatedRangeMap<K, V> leaf : all) {
        size += leaf.size();
      }
    } else {
      parts.prepare(children.ids().stream().map(this::branch).toList());
      for (StreamId id : children.ids()) {
        size += size(branch(id));
      }
    }
    return (int) Math.min(size, Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return firstEntry() == null;
  }

  // ----------------------------------------------------------------------------------------
  // growing

  /** Looks now and then whether a leaf is full, or empty, that this client writes. */
  private void wrote(K key, StreamId leaf, int entries) {
    if (fullness.isToBeLookedAt(leaf, entries)) {
      boolean unused = parts.later(() -> tidy(key)); // no room: next time
    }
  }

  private void tidy(K key) {
    try {
      splits.tidy(key);
    } catch (TransactionAbortedException | CorfuException notNow) {
      // it is written faster than it can be read, or can't be reached; who writes it looks again
    }
  }
}
