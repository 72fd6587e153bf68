package corfu.objects.collection;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;

/**
 * Keys tell the truth: where nothing that a transaction has read is among what somebody else has
 * changed meanwhile, it would have seen the same if it had come after him. And they tell enough:
 * many transactions hold though somebody else was first.
 */
class ConflictProperties {

  private static final int ROUNDS = 3000;

  private final Random random = new Random(17);

  private interface Arguments {
    Object[] by(Random random);
  }

  /** A call that may be made, with what arguments. */
  private record Option(String operation, Arguments arguments) {}

  private record Call(int place, Object[] arguments) {}

  /** Some keys of an object, or all of it. */
  private static final class Part {
    private boolean isWhole;
    private final Set<Object> keys = new HashSet<>();

    void add(List<Object> more) {
      isWhole |= more.isEmpty();
      keys.addAll(more);
      keys.remove(Operation.Keys.NONE);
    }

    boolean has(Object key) {
      return isWhole || keys.contains(key);
    }

    boolean isEmpty() {
      return !isWhole && keys.isEmpty();
    }

    boolean meets(Part other) {
      return isWhole && !other.isEmpty()
          || other.isWhole && !isEmpty()
          || keys.stream().anyMatch(other.keys::contains);
    }
  }

  /** Makes calls on a state of its own, as a transaction does. */
  private static final class Attempt<T> {
    private final ObjectType<T> type;
    private T state;
    private final Part read = new Part();
    private final Part written = new Part();
    private final List<Optional<Object>> seen = new ArrayList<>();

    Attempt(ObjectType<T> type, T state) {
      this.type = type;
      this.state = type.snapshots().orElseThrow().fork(state);
    }

    Attempt<T> make(List<Call> calls) {
      calls.forEach(this::make);
      return this;
    }

    private void make(Call call) {
      Operation operation = type.operations().get(call.place);
      T before = type.snapshots().orElseThrow().fork(state);
      Optional<Object> returned = Optional.empty();
      boolean hasThrown = false;
      try {
        returned = Optional.ofNullable(type.apply(state, call.place, call.arguments));
      } catch (RuntimeException failure) {
        state = before;
        hasThrown = true;
      } catch (Throwable failure) {
        throw new AssertionError(failure);
      }
      boolean isAwaited = operation.kind() != Operation.Kind.MUTATOR;
      if (isAwaited) {
        seen.add(hasThrown ? Optional.of("it threw") : returned);
        var made = new Operation.Made(call.arguments, returned, written::has);
        read.add(operation.keys().map(keys -> keys.read(made)).orElse(List.of()));
      }
      if (operation.kind().changes() && !(isAwaited && hasThrown)) {
        written.add(operation.keys().map(keys -> keys.of(call.arguments)).orElse(List.of()));
      }
    }
  }

  /** Gives how many of a hundred transactions hold though somebody has changed something. */
  private <T> int check(ObjectType<T> type, Option... options) {
    int held = 0;
    for (int round = 0; round < ROUNDS; round++) {
      T start = new Attempt<>(type, type.create()).make(calls(type, 12, options)).state;
      List<Call> calls = calls(type, 4, options);
      Attempt<T> transaction = new Attempt<>(type, start).make(calls);
      List<Call> others = calls(type, 2, options);
      Attempt<T> other = new Attempt<>(type, start).make(others);
      if (!transaction.read.meets(other.written)) {
        held += other.written.isEmpty() ? 0 : 1;
        Attempt<T> later = new Attempt<>(type, other.state).make(calls);
        assertThat(later.seen)
            .describedAs(
                () ->
                    "%s: %s after %s on %s"
                        .formatted(type, named(type, calls), named(type, others), start))
            .isEqualTo(transaction.seen);
      }
    }
    return 100 * held / ROUNDS;
  }

  private <T> List<Call> calls(ObjectType<T> type, int most, Option... options) {
    List<String> names = type.operations().stream().map(Operation::name).toList();
    List<Call> calls = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      Option option = options[random.nextInt(options.length)];
      int place = names.indexOf(option.operation);
      assertThat(place).describedAs(option.operation).isNotNegative();
      calls.add(new Call(place, option.arguments.by(random)));
    }
    return calls;
  }

  private static String named(ObjectType<?> type, List<Call> calls) {
    List<String> all = new ArrayList<>();
    for (Call call : calls) {
      all.add(type.operations().get(call.place).name() + List.of(call.arguments));
    }
    return all.toString();
  }

  // -------------------------------------------------------------------------------- what is called

  private static Option none(String operation) {
    return new Option(operation, random -> new Object[0]);
  }

  /** Each argument is a small number. */
  private static Option numbers(String operation, int arguments, int bound) {
    return new Option(operation, random -> random.ints(arguments, 0, bound).boxed().toArray());
  }

  private static Option list(String operation) {
    return new Option(operation, random -> new Object[] {List.of(random.nextInt(5), 2)});
  }

  @Example
  void ofSets() {
    int held =
        check(
            ReplicatedSet.of(Integer.class),
            numbers("add member(Object)", 1, 6),
            numbers("fast add member(Object)", 1, 6),
            list("add members(Collection)"),
            numbers("remove member(Object)", 1, 6),
            numbers("fast remove member(Object)", 1, 6),
            list("remove members(Collection)"),
            numbers("contains(Object)", 1, 6),
            list("containsAll(Collection)"),
            none("size()"));
    assertThat(held).isGreaterThan(15);
  }

  @Example
  void ofLists() {
    int held =
        check(
            ReplicatedList.of(Integer.class),
            numbers("add(Object)", 1, 5),
            numbers("fastAdd(Object)", 1, 5),
            list("fastAddAll(List)"),
            numbers("addFirst(Object)", 1, 5),
            numbers("add(int,Object)", 2, 5),
            numbers("get(int)", 1, 5),
            numbers("get(int)", 1, 5),
            numbers("set(int,Object)", 2, 5),
            numbers("fastSet(int,Object)", 2, 5),
            numbers("fastSet(int,Object)", 2, 5),
            numbers("remove(int)", 1, 5),
            numbers("remove(Object)", 1, 5),
            none("removeFirst()"),
            none("removeLast()"),
            none("getFirst()"),
            none("getLast()"),
            none("size()"),
            none("isEmpty()"),
            numbers("indexOf(Object)", 1, 5),
            none("snapshot()"));
    assertThat(held).isGreaterThan(10);
  }

  @Example
  void ofQueues() {
    int held =
        check(
            ReplicatedQueue.of(Integer.class),
            numbers("offer(Object)", 1, 5),
            numbers("add(Object)", 1, 5),
            numbers("fastAdd(Object)", 1, 5),
            list("fastAddAll(List)"),
            none("poll()"),
            none("remove()"),
            numbers("poll(int)", 1, 4),
            none("peek()"),
            none("element()"),
            numbers("remove(Object)", 1, 5),
            none("size()"));
    assertThat(held).isGreaterThan(15);
  }

  @Example
  void ofStacks() {
    int held =
        check(
            ReplicatedStack.of(Integer.class),
            numbers("push(Object)", 1, 5),
            numbers("push(Object)", 1, 5),
            none("pop()"),
            none("peek()"),
            none("size()"),
            none("isEmpty()"));
    assertThat(held).isGreaterThan(10);
  }

  /** Other clients change the same stream through other types, by operations of those types. */
  @Example
  void ofQueuesWhoseStreamIsAlsoAListAndAStack() {
    checkViews(ReplicatedQueue.of(Integer.class), none("poll()"), none("peek()"), none("size()"));
    checkViews(
        ReplicatedList.of(Integer.class),
        numbers("get(int)", 1, 5),
        none("getFirst()"),
        numbers("set(int,Object)", 2, 5));
  }

  private <T> void checkViews(ObjectType<T> type, Option... options) {
    ObjectType<ReplicatedList<Integer>> list = ReplicatedList.of(Integer.class);
    ObjectType<ReplicatedStack<Integer>> stack = ReplicatedStack.of(Integer.class);
    for (int round = 0; round < ROUNDS; round++) {
      List<Call> adds = calls(list, 6, numbers("add(Object)", 1, 5));
      List<Call> calls = calls(type, 3, options);
      boolean isList = random.nextBoolean();
      List<Call> others =
          isList
              ? calls(
                  list,
                  2,
                  numbers("fastSet(int,Object)", 2, 5),
                  numbers("add(int,Object)", 2, 5),
                  numbers("addFirst(Object)", 1, 5),
                  none("removeLast()"))
              : calls(stack, 2, none("pop()"), numbers("push(Object)", 1, 5));
      Attempt<ReplicatedList<Integer>> start = new Attempt<>(list, list.create()).make(adds);
      var saved = History.bytesOf(list, start.state);
      Attempt<T> transaction = new Attempt<>(type, History.loaded(type, saved)).make(calls);
      Part written;
      List<ByteBuffer> after;
      if (isList) {
        var other = new Attempt<>(list, start.state).make(others);
        written = other.written;
        after = History.bytesOf(list, other.state);
      } else {
        var other = new Attempt<>(stack, History.loaded(stack, saved)).make(others);
        written = other.written;
        after = History.bytesOf(stack, other.state);
      }
      if (!transaction.read.meets(written)) {
        assertThat(new Attempt<>(type, History.loaded(type, after)).make(calls).seen)
            .describedAs(() -> named(type, calls) + " on " + start.state)
            .isEqualTo(transaction.seen);
      }
    }
  }

  private static final Option[] ON_MAPS = {
    numbers("put(Object,Object)", 2, 12),
    numbers("fastPut(Object,Object)", 2, 12),
    numbers("putIfAbsent(Object,Object)", 2, 12),
    numbers("replace(Object,Object)", 2, 12),
    numbers("replace(Object,Object,Object)", 3, 12),
    new Option("putAll(Map)", r -> new Object[] {Map.of(r.nextInt(12), 1, 20, 3)}),
    numbers("remove(Object)", 1, 12),
    numbers("fastRemove(Object)", 1, 12),
    numbers("remove(Object,Object)", 2, 12),
    numbers("get(Object)", 1, 12),
    numbers("containsKey(Object)", 1, 12)
  };

  private static Option[] onMapsAnd(Option... more) {
    List<Option> all = new ArrayList<>(List.of(ON_MAPS));
    all.addAll(List.of(more));
    all.addAll(List.of(more)); // as often as the others together
    return all.toArray(new Option[0]);
  }

  @Example
  void ofMaps() {
    int held =
        check(
            ReplicatedMap.of(Integer.class, Integer.class),
            onMapsAnd(none("size()"), none("clear()")));
    assertThat(held).isGreaterThan(30);
  }

  @Example
  void ofRangeMaps() {
    Option[] options =
        onMapsAnd(
            numbers("floorKey(Object)", 1, 14),
            numbers("lowerKey(Object)", 1, 14),
            numbers("ceilingKey(Object)", 1, 14),
            numbers("higherKey(Object)", 1, 14),
            numbers("floorEntry(Object)", 1, 14),
            numbers("ceilingEntry(Object)", 1, 14),
            new Option(
                "subMap(Object,boolean,Object,boolean)",
                r -> {
                  int from = r.nextInt(12);
                  return new Object[] {from, r.nextBoolean(), from + r.nextInt(4), r.nextBoolean()};
                }));
    int whole = check(ReplicatedRangeMap.of(Integer.class, Integer.class), options);
    ObjectType<ReplicatedRangeMap<Integer, Integer>> thirds =
        ReplicatedRangeMap.partitioned(Integer.class, Integer.class, key -> key / 3);
    assertThat(check(thirds, options)).isGreaterThan(whole + 3);
    var unused =
        check(
            thirds,
            onMapsAnd(
                numbers("subMap(Object,Object)", 2, 12),
                numbers("floorEntry(Object)", 1, 14),
                numbers("headMap(Object)", 1, 14),
                new Option("tailMap(Object,boolean)", r -> new Object[] {r.nextInt(14), true}),
                none("firstKey()"),
                none("pollFirstEntry()"),
                none("pollLastEntry()"),
                numbers("removeRange(Object,Object)", 2, 12)));
  }

  @Example
  void ofIndexedMaps() {
    Index<Integer, Integer> thirds = Index.of("third", (key, value) -> value % 3);
    Index<Integer, Integer> small =
        Index.ofMany("small", (key, value) -> value < 6 ? List.of(value, 0) : List.of());
    Option[] options =
        onMapsAnd(
            new Option("byIndex(String,Object)", r -> new Object[] {"third", r.nextInt(4)}),
            new Option("byIndex(String,Object)", r -> new Object[] {"small", r.nextInt(8)}),
            new Option("indexKeys(String)", r -> new Object[] {"small"}));
    int any = check(ReplicatedIndexedMap.of(Integer.class, Integer.class, thirds, small), options);
    int exclusive =
        check(ReplicatedIndexedMap.exclusive(Integer.class, Integer.class, thirds, small), options);
    assertThat(exclusive).isGreaterThan(any + 3);
  }

  @Example
  void ofCountersAndRegisters() {
    int counters =
        check(
            ReplicatedCounter.type(),
            new Option("count(long)", r -> new Object[] {r.nextLong(5)}),
            none("increment()"),
            none("incrementAndGet()"),
            none("get()"));
    assertThat(counters).isGreaterThan(10);
    int registers =
        check(
            ReplicatedRegister.of(Integer.class),
            numbers("set(Object)", 1, 5),
            numbers("set(Object)", 1, 5),
            numbers("compareAndSet(Object,Object)", 2, 5),
            none("get()"));
    assertThat(registers).isGreaterThan(10);
  }
}
