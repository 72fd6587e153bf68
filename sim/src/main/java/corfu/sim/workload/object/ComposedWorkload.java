package corfu.sim.workload.object;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.objects.composed.ComposedMap;
import corfu.objects.composed.ComposedMapType;
import corfu.objects.composed.ComposedTree;
import corfu.objects.composed.ComposedTreeType;
import corfu.objects.tango.ForgottenHistoryException;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.sim.history.CollectionHistory;
import corfu.sim.history.CollectionHistory.Done;
import corfu.sim.history.ComposedHistories;
import corfu.sim.history.ObjectCalls;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread of an application that uses a composed map, a tree, and a pair of Tango's registers.
 * The parts of the map and the tree are so small that they are split all the time.
 */
public final class ComposedWorkload {

  private static final int KEYS = 6;
  private static final int ACCOUNTS = 12;
  private static final long THINK_NANOS_MAX = 500_000_000L;

  private static final ComposedMapType<Long, Long> MAP =
      ComposedMap.of(Long.class, Long.class).withBuckets(1).withBucketSize(2);
  private static final ComposedTreeType<Long, Long> TREE =
      ComposedTree.of(Long.class, Long.class).withNodes(2, 3);

  private final Simulator simulator;
  private final SimWorld world;
  private final SimRandom chance;
  private final ReplicatedObjects objects;
  private final ComposedHistories histories;
  private final ObjectCalls clock;
  private final String name;
  private final BooleanSupplier over;

  private final ComposedMap<Long, Long> map;
  private final ComposedTree<Long, Long> tree;
  private final ComposedMap<Long, Long> accounts;
  private final ComposedTree<Long, Long> debts;
  private final TangoPair pair;
  private final TangoPair secondOnly;

  public ComposedWorkload(
      Simulator simulator,
      SimWorld world,
      Corfu corfu,
      ReplicatedObjects objects,
      ObjectCalls clock,
      ComposedHistories histories,
      String name,
      BooleanSupplier over) {
    this.simulator = simulator;
    this.world = world;
    this.chance = world.chance().split();
    this.objects = objects;
    this.clock = clock;
    this.histories = histories;
    this.name = name;
    this.over = over;
    boolean isRemote = chance.oneIn(3);
    RemoteObjects remote = objects.remote(ObjectViews.REMOTE);
    this.map = isRemote ? remote.open("composed map", MAP) : objects.open("composed map", MAP);
    this.tree = isRemote ? remote.open("tree", TREE) : objects.open("tree", TREE);
    this.accounts = objects.open("accounts", MAP);
    this.debts = objects.open("debts", TREE);
    this.pair = new TangoPair(corfu, true);
    this.secondOnly = new TangoPair(corfu, false);
  }

  public void run() {
    while (!over.getAsBoolean()) {
      try {
        doSomething();
      } catch (RuntimeException failure) {
        simulator.findings.unexpected(name, failure);
      }
      world.pause(Duration.ofNanos(chance.mostlyNear(0, THINK_NANOS_MAX)));
    }
  }

  private void doSomething() {
    switch (chance.below(16)) {
      case 0, 1, 2 -> changeMap();
      case 3, 4 -> lookAtMap();
      case 5, 6, 7 -> changeTree();
      case 8, 9 -> lookAtTree();
      case 10, 11 -> transfer();
      case 12 -> sumUp();
      case 13, 14 -> movePair();
      default -> lookAtPair();
    }
  }

  /** Reads the final state of all objects. */
  public static void lookAtAll(Corfu corfu, ReplicatedObjects objects, ComposedHistories all) {
    all.map.read("at last", () -> Map.copyOf(objects.open("composed map", MAP)), model -> model);
    all.tree.read("at last", () -> objects.open("tree", TREE).copy(), model -> model);
    TangoPair last = new TangoPair(corfu, true);
    all.pair.read("at last", () -> last.both().orElse(List.of()), model -> model);
  }

  /** A call whose result is ignored. */
  private static Supplier<@Nullable Object> blind(Runnable call) {
    return () -> {
      call.run();
      return true;
    };
  }

  private static void change(
      CollectionHistory<Map<Long, Long>> history,
      String what,
      Supplier<@Nullable Object> call,
      Function<Map<Long, Long>, @Nullable Object> model) {
    history.change(
        what,
        call,
        before -> {
          Map<Long, Long> after = new HashMap<>(before);
          @Nullable Object returned = model.apply(after);
          return new Done<>(returned, Map.copyOf(after));
        });
  }

  // ---------------------------------------------------------------------------------- map and tree

  private void changeMap() {
    long key = chance.below(KEYS);
    long value = chance.below(1000);
    var history = histories.map;
    switch (chance.below(8)) {
      case 0, 1 -> change(history, "put " + key, () -> map.put(key, value), m -> m.put(key, value));
      case 2, 3 ->
          change(
              history,
              "fast put " + key,
              blind(() -> map.fastPut(key, value)),
              model -> {
                model.put(key, value);
                return true;
              });
      case 4 -> change(history, "remove " + key, () -> map.remove(key), m -> m.remove(key));
      case 5 ->
          change(
              history,
              "merge " + key,
              () -> map.merge(key, 1L, Long::sum),
              model -> model.merge(key, 1L, Long::sum));
      case 6 -> tried("bucket", map::addBucket);
      default -> {
        if (chance.oneIn(4)) {
          change(
              history,
              "clear",
              blind(map::clear),
              model -> {
                model.clear();
                return true;
              });
        }
      }
    }
  }

  private void lookAtMap() {
    long key = chance.below(KEYS);
    var history = histories.map;
    switch (chance.below(4)) {
      case 0 -> history.read("size", map::size, Map::size);
      case 1 -> history.read("all", () -> Map.copyOf(map), model -> model);
      default -> history.read("get", () -> map.get(key), model -> model.get(key));
    }
  }

  private void changeTree() {
    long key = chance.below(KEYS);
    long value = chance.below(1000);
    var history = histories.tree;
    switch (chance.below(8)) {
      case 0, 1, 2 ->
          change(history, "put " + key, () -> tree.put(key, value), m -> m.put(key, value));
      case 3, 4 ->
          change(
              history,
              "fast put " + key,
              blind(() -> tree.fastPut(key, value)),
              model -> {
                model.put(key, value);
                return true;
              });
      case 5, 6 -> change(history, "remove " + key, () -> tree.remove(key), m -> m.remove(key));
      default -> {
        if (chance.oneIn(6)) {
          change(
              history,
              "clear",
              blind(tree::clear),
              model -> {
                model.clear();
                return true;
              });
        }
      }
    }
  }

  private void lookAtTree() {
    long key = chance.below(KEYS);
    var history = histories.tree;
    switch (chance.below(4)) {
      case 0 -> history.read("all", tree::copy, model -> model);
      case 1 ->
          history.read(
              "range", () -> tree.tailMap(key, true), model -> new TreeMap<>(model).tailMap(key));
      case 2 ->
          history.read(
              "floor", () -> tree.floorEntry(key), model -> new TreeMap<>(model).floorEntry(key));
      default -> history.read("get", () -> tree.get(key), model -> model.get(key));
    }
  }

  // ---------------------------------------------------------------------------------- transactions

  private void tried(String what, Runnable deed) {
    try {
      deed.run();
      clock.count(what);
    } catch (TransactionAbortedException others) {
      clock.count(what + ", lost");
    } catch (HistoryTrimmedException | ForgottenHistoryException forgotten) {
      clock.count(what + ", forgotten");
    } catch (CorfuException failure) {
      clock.count(what + ", failed");
    }
  }

  /** Adds the same amount to an account and to a debt. */
  private void transfer() {
    long account = chance.below(ACCOUNTS);
    long debt = chance.below(ACCOUNTS);
    long amount = chance.between(1, 5);
    tried(
        "transfer",
        () ->
            objects.transact(
                () -> {
                  accounts.put(account, accounts.getOrDefault(account, 0L) + amount);
                  debts.put(debt, debts.getOrDefault(debt, 0L) + amount);
                }));
  }

  /** Reads a consistent cut through all nodes and buckets. */
  private void sumUp() {
    tried(
        "sum",
        () -> {
          long[] sums =
              objects.transact(
                  TransactionOptions.READ_ONLY,
                  () -> new long[] {sum(accounts.values()), sum(debts.copy().values())});
          if (sums[0] != sums[1]) {
            simulator.findings.broken(
                "Composed", "%s saw accounts of %d and debts of %d", name, sums[0], sums[1]);
          }
        });
  }

  private static long sum(Iterable<Long> values) {
    long sum = 0;
    for (long value : values) {
      sum += value;
    }
    return sum;
  }

  // ----------------------------------------------------------------------------------------- Tango

  private void movePair() {
    int amount = 1 + chance.below(5);
    Tried tried = new Tried();
    histories.pair.change(
        "move",
        () -> {
          boolean holds = pair.move(amount, saw -> tried.saw = Optional.of(saw));
          tried.isOver = true;
          tried.holds = holds;
          return holds;
        },
        before -> {
          boolean mayHold = !tried.isOver || tried.holds;
          return mayHold && tried.saw.filter(before::equals).isPresent()
              ? new Done<>(true, List.of(before.get(0) - amount, before.get(1) + amount))
              : new Done<>(false, before);
        });
  }

  /** The values that a transaction has read and, if known, whether it has committed. */
  private static final class Tried {
    private Optional<List<Integer>> saw = Optional.empty();
    private boolean isOver;
    private boolean holds;
  }

  private void lookAtPair() {
    switch (chance.below(4)) {
      case 0 -> tried("pair checkpoint", secondOnly::checkpoint);
      case 1 -> {
        boolean[] holds = {false};
        histories.pair.read(
            "both",
            () -> {
              Optional<List<Integer>> seen = pair.both();
              holds[0] = seen.isPresent();
              return seen.orElse(List.of());
            },
            model -> holds[0] ? model : List.of());
      }
      default -> histories.pair.read("second", secondOnly::second, model -> model.get(1));
    }
  }
}
