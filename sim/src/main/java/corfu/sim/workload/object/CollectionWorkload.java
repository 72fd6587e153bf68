package corfu.sim.workload.object;

import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.Index;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedIndexedMap;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.collection.ReplicatedRegister;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.collection.ReplicatedStack;
import corfu.objects.type.ObjectType;
import corfu.sim.history.CollectionHistories;
import corfu.sim.history.CollectionHistory.Done;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread of an application that makes single calls on collections. One stream is a list, a
 * queue and a stack. Another one is three kinds of maps. There are also a set, a register and a
 * counter.
 */
public final class CollectionWorkload {

  private static final int KEYS = 5;
  private static final int MODULUS = 3;
  private static final long THINK_NANOS_MAX = 500_000_000L;

  private static final ObjectType<ReplicatedList<Long>> LIST = ReplicatedList.of(Long.class);
  private static final ObjectType<ReplicatedQueue<Long>> QUEUE = ReplicatedQueue.of(Long.class);
  private static final ObjectType<ReplicatedStack<Long>> STACK = ReplicatedStack.of(Long.class);
  private static final ObjectType<ReplicatedMap<Long, Long>> MAP =
      ReplicatedMap.of(Long.class, Long.class);
  private static final ObjectType<ReplicatedRangeMap<Long, Long>> RANGES =
      ReplicatedRangeMap.of(Long.class, Long.class);
  private static final ObjectType<ReplicatedIndexedMap<Long, Long>> INDEXED =
      ReplicatedIndexedMap.of(
          Long.class, Long.class, Index.of("rest", (key, value) -> value % MODULUS));
  private static final ObjectType<ReplicatedSet<Long>> SET = ReplicatedSet.of(Long.class);
  private static final ObjectType<ReplicatedRegister<Long>> REGISTER =
      ReplicatedRegister.of(Long.class);
  private static final ObjectType<ReplicatedCounter> COUNTER = ReplicatedCounter.type();

  private final SimWorld world;
  private final SimRandom chance;
  private final CollectionHistories histories;
  private final Consumer<RuntimeException> unexpected;
  private final BooleanSupplier over;

  private final ReplicatedList<Long> list;
  private final ReplicatedQueue<Long> queue;
  private final ReplicatedStack<Long> stack;
  private final ReplicatedMap<Long, Long> map;
  private final ReplicatedRangeMap<Long, Long> ranges;
  private final ReplicatedIndexedMap<Long, Long> indexed;
  private final ReplicatedSet<Long> set;
  private final ReplicatedRegister<Long> register;
  private final ReplicatedCounter counter;

  public CollectionWorkload(
      SimWorld world,
      ReplicatedObjects objects,
      CollectionHistories histories,
      Consumer<RuntimeException> unexpected,
      BooleanSupplier over) {
    this.world = world;
    this.chance = world.chance().split();
    this.histories = histories;
    this.unexpected = unexpected;
    this.over = over;
    this.list = objects.open("sequence", LIST);
    this.queue = objects.open("sequence", QUEUE);
    this.stack = objects.open("sequence", STACK);
    this.map = objects.open("map", MAP);
    this.ranges = objects.open("map", RANGES);
    this.indexed = objects.open("map", INDEXED);
    this.set = objects.open("set", SET);
    this.register = objects.open("register", REGISTER);
    this.counter = objects.open("counter", COUNTER);
  }

  public void run() {
    while (!over.getAsBoolean()) {
      try {
        doSomething();
      } catch (RuntimeException failure) {
        unexpected.accept(failure);
      }
      world.pause(Duration.ofNanos(chance.mostlyNear(0, THINK_NANOS_MAX)));
    }
  }

  private void doSomething() {
    switch (chance.below(16)) {
      case 0, 1, 2 -> add();
      case 3, 4, 5 -> take();
      case 6 -> lookAtSequence();
      case 7, 8, 9 -> changeMap();
      case 10, 11 -> lookAtMap();
      case 12, 13 -> useSet();
      case 14 -> useRegister();
      default -> useCounter();
    }
  }

  /** Reads the final state of all collections. */
  public static void lookAtAll(ReplicatedObjects objects, CollectionHistories all) {
    all.sequence.read("at last", objects.open("sequence", LIST)::snapshot, model -> model);
    all.map.read("at last", () -> Map.copyOf(objects.open("map", MAP)), model -> model);
    all.map.read("at last sorted", objects.open("map", RANGES)::snapshot, TreeMap::new);
    all.set.read("at last", objects.open("set", SET)::snapshot, model -> model);
    all.register.read("at last", objects.open("register", REGISTER)::get, model -> model);
    all.counter.read("at last", objects.open("counter", COUNTER)::get, model -> model);
  }

  // ------------------------------------------------------------------------------------- sequences

  /** Applies a call to a copy of the model's state, which the call may change. */
  private void sequence(
      String what, Supplier<@Nullable Object> call, Function<List<Long>, @Nullable Object> model) {
    histories.sequence.change(
        what,
        orBeyond(call),
        before -> {
          List<Long> after = new ArrayList<>(before);
          @Nullable Object returned = orBeyond(() -> model.apply(after)).get();
          return new Done<>(returned, List.copyOf(after));
        });
  }

  private static Supplier<@Nullable Object> orBeyond(Supplier<@Nullable Object> call) {
    return () -> {
      try {
        return call.get();
      } catch (IndexOutOfBoundsException | NoSuchElementException none) {
        return "there is none";
      }
    };
  }

  /** A call whose result is ignored. */
  private static Supplier<@Nullable Object> blind(Runnable call) {
    return () -> {
      call.run();
      return true;
    };
  }

  private void add() {
    long value = chance.below(1000);
    switch (chance.below(6)) {
      case 0 -> sequence("add " + value, () -> list.add(value), model -> model.add(value));
      case 1 -> sequence("offer " + value, () -> queue.offer(value), model -> model.add(value));
      case 2 ->
          sequence("push " + value, blind(() -> stack.push(value)), model -> model.add(value));
      case 3 ->
          sequence("fast " + value, blind(() -> queue.fastAdd(value)), model -> model.add(value));
      case 4 ->
          sequence(
              "add first " + value,
              blind(() -> list.addFirst(value)),
              model -> {
                model.addFirst(value);
                return true;
              });
      default ->
          sequence(
              "add twice " + value,
              blind(() -> list.fastAddAll(List.of(value, value))),
              model -> model.addAll(List.of(value, value)));
    }
  }

  private void take() {
    int index = chance.below(4);
    long value = chance.below(1000);
    switch (chance.below(7)) {
      case 0, 1 ->
          sequence("poll", queue::poll, model -> model.isEmpty() ? null : model.removeFirst());
      case 2 ->
          sequence(
              "poll " + index,
              () -> queue.poll(index),
              model -> {
                List<Long> first = model.subList(0, Math.min(index, model.size()));
                List<Long> taken = List.copyOf(first);
                first.clear();
                return taken;
              });
      case 3 ->
          sequence(
              "pop",
              stack::pop,
              model -> model.isEmpty() ? Optional.empty() : Optional.of(model.removeLast()));
      case 4 -> sequence("remove", queue::remove, List::removeFirst);
      case 5 -> sequence("remove " + index, () -> list.remove(index), m -> m.remove(index));
      default ->
          sequence(
              "set " + index + " " + value,
              () -> list.set(index, value),
              model -> model.set(index, value));
    }
  }

  private void lookAtSequence() {
    int index = chance.below(4);
    var sequence = histories.sequence;
    switch (chance.below(4)) {
      case 0 ->
          sequence.read(
              "get " + index,
              orBeyond(() -> list.get(index)),
              model -> orBeyond(() -> model.get(index)).get());
      case 1 -> sequence.read("size", queue::size, List::size);
      case 2 -> sequence.read("elements", stack::snapshot, model -> model);
      default ->
          sequence.read("peek", queue::peek, model -> model.isEmpty() ? null : model.getFirst());
    }
  }

  // ------------------------------------------------------------------------------------------ maps

  private void map(
      String what,
      Supplier<@Nullable Object> call,
      Function<Map<Long, Long>, @Nullable Object> model) {
    histories.map.change(
        what,
        call,
        before -> {
          Map<Long, Long> after = new HashMap<>(before);
          @Nullable Object returned = model.apply(after);
          return new Done<>(returned, Map.copyOf(after));
        });
  }

  private void changeMap() {
    long key = chance.below(KEYS);
    long value = chance.below(1000);
    switch (chance.below(5)) {
      case 0 -> map("put " + key, () -> map.put(key, value), model -> model.put(key, value));
      case 1 ->
          map("sorted put " + key, () -> ranges.put(key, value), model -> model.put(key, value));
      case 2 ->
          map(
              "fast put " + key,
              blind(() -> indexed.fastPut(key, value)),
              model -> {
                model.put(key, value);
                return true;
              });
      case 3 ->
          map("remove " + key, () -> indexed.remove((Object) key), model -> model.remove(key));
      default ->
          map(
              "put if absent " + key,
              () -> ranges.putIfAbsent(key, value),
              model -> model.putIfAbsent(key, value));
    }
  }

  private void lookAtMap() {
    long key = chance.below(KEYS);
    long rest = chance.below(MODULUS);
    var history = histories.map;
    switch (chance.below(5)) {
      case 0 -> history.read("get " + key, () -> map.get(key), model -> model.get(key));
      case 1 ->
          history.read(
              "floor " + key,
              () -> ranges.floorKey(key),
              model -> new TreeMap<>(model).floorKey(key));
      case 2 ->
          history.read(
              "from " + key, () -> ranges.tailMap(key), model -> new TreeMap<>(model).tailMap(key));
      case 3 -> history.read("size", map::size, Map::size);
      default ->
          history.read(
              "by index " + rest,
              () -> indexed.byIndex("rest", rest),
              model -> {
                Map<Long, Long> found = new HashMap<>(model);
                found.values().removeIf(value -> value % MODULUS != rest);
                return found;
              });
    }
  }

  // ----------------------------------------------------------------------------- other collections

  private void useSet() {
    long element = chance.below(KEYS);
    var history = histories.set;
    switch (chance.below(3)) {
      case 0 ->
          history.change(
              "add " + element,
              () -> set.add(element),
              before -> {
                Set<Long> after = new HashSet<>(before);
                return new Done<>(after.add(element), Set.copyOf(after));
              });
      case 1 ->
          history.change(
              "remove " + element,
              () -> set.remove(element),
              before -> {
                Set<Long> after = new HashSet<>(before);
                return new Done<>(after.remove(element), Set.copyOf(after));
              });
      default ->
          history.read(
              "has " + element, () -> set.contains(element), model -> model.contains(element));
    }
  }

  private void useRegister() {
    long value = chance.below(4);
    Optional<Long> after = Optional.of(value);
    var history = histories.register;
    switch (chance.below(4)) {
      case 0 ->
          history.change(
              "set " + value, blind(() -> register.set(value)), m -> new Done<>(true, after));
      case 1 ->
          history.change(
              "get and set " + value,
              () -> register.getAndSet(value),
              before -> new Done<>(before, after));
      case 2 ->
          history.change(
              "1 becomes " + value,
              () -> register.compareAndSet(1L, value),
              before -> {
                boolean is = before.equals(Optional.of(1L));
                return new Done<>(is, is ? after : before);
              });
      default -> history.read("get", register::get, model -> model);
    }
  }

  private void useCounter() {
    var history = histories.counter;
    switch (chance.below(3)) {
      case 0 -> history.change("add", blind(() -> counter.add(3)), m -> new Done<>(true, m + 3));
      case 1 ->
          history.change("increment", counter::incrementAndGet, m -> new Done<>(m + 1, m + 1));
      default -> history.read("get", counter::get, model -> model);
    }
  }
}
