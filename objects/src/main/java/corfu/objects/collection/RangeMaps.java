package corfu.objects.collection;

import corfu.objects.collection.RangeMapState.RangeMapSnapshots;
import corfu.objects.collection.internal.CollectionType;
import corfu.objects.type.Operation.Keys;
import corfu.objects.type.Operation.Made;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The types of range maps. In a partitioned type, a change has two conflict keys. Its key conflicts
 * with lookups of that key; its part conflicts with reads of a range. A neighbour query reads the
 * whole range from the requested key to the returned key.
 */
final class RangeMaps {

  private static final CollectionType<ReplicatedRangeMap<Object, Object>> WHOLE =
      CollectionType.of(
          CollectionOperations.FAMILIES,
          ReplicatedRangeMap.class,
          RangeMapState::new,
          new RangeMapSnapshots<>(),
          FixedEntry.class);

  /**
   * The most parts that one range read names as conflict keys. A range of more parts conflicts with
   * the whole map, so a call does not use up the conflict keys that it may name.
   */
  private static final int MOST_PARTS = 250;

  private static final List<@Nullable Object> ALL = List.of();

  private RangeMaps() {}

  /** The kind of a partitioned type. */
  private record Kind(Object part) {}

  /** The conflict key of a part: stands for all keys in it. */
  private record Part(long number) {
    @Override
    public String toString() {
      return "of part " + number;
    }
  }

  @SuppressWarnings("unchecked") // it looks at neither keys nor values
  static <K, V> CollectionType<ReplicatedRangeMap<K, V>> whole() {
    return (CollectionType<ReplicatedRangeMap<K, V>>) (Object) WHOLE;
  }

  @SuppressWarnings("unchecked") // only what is of their type is put in
  static <K, V> CollectionType<ReplicatedRangeMap<K, V>> partitioned(
      ToLongFunction<? super K> part) {
    ToLongFunction<Object> of = key -> part.applyAsLong((K) key);
    return RangeMaps.<K, V>whole()
        .withKeys(
            new Kind(part),
            Map.ofEntries(
                Map.entry("put(Object,Object)", changes(of, RangeMaps::first)),
                Map.entry("fastPut(Object,Object)", changes(of, RangeMaps::first)),
                Map.entry("putIfAbsent(Object,Object)", changes(of, RangeMaps::first)),
                Map.entry("putAll(Map)", changes(of, RangeMaps::all)),
                Map.entry("remove(Object)", changes(of, RangeMaps::first)),
                Map.entry("fastRemove(Object)", changes(of, RangeMaps::first)),
                Map.entry("remove(Object,Object)", changes(of, RangeMaps::first)),
                Map.entry("replace(Object,Object)", changes(of, RangeMaps::first)),
                Map.entry("replace(Object,Object,Object)", changes(of, RangeMaps::first)),
                Map.entry("subMap(Object,Object)", looks(call -> range(of, call, 1))),
                Map.entry(
                    "subMap(Object,boolean,Object,boolean)", looks(call -> range(of, call, 2))),
                Map.entry("lowerKey(Object)", looks(call -> neighbour(of, call))),
                Map.entry("floorKey(Object)", looks(call -> neighbour(of, call))),
                Map.entry("ceilingKey(Object)", looks(call -> neighbour(of, call))),
                Map.entry("higherKey(Object)", looks(call -> neighbour(of, call))),
                Map.entry("lowerEntry(Object)", looks(call -> neighbour(of, call))),
                Map.entry("floorEntry(Object)", looks(call -> neighbour(of, call))),
                Map.entry("ceilingEntry(Object)", looks(call -> neighbour(of, call))),
                Map.entry("higherEntry(Object)", looks(call -> neighbour(of, call)))));
  }

  private static List<@Nullable Object> first(@Nullable Object[] arguments) {
    List<@Nullable Object> one = new ArrayList<>();
    one.add(arguments[0]);
    return one;
  }

  private static List<@Nullable Object> all(@Nullable Object[] arguments) {
    return arguments[0] instanceof Map<?, ?> map ? new ArrayList<>(map.keySet()) : ALL;
  }

  private static Keys changes(
      ToLongFunction<Object> part, Function<@Nullable Object[], List<@Nullable Object>> keys) {
    return new Keys() {
      @Override
      public List<@Nullable Object> of(@Nullable Object[] arguments) {
        List<@Nullable Object> changed = new ArrayList<>();
        for (@Nullable Object key : keys.apply(arguments)) {
          if (key != null) { // the write of a null key is rejected later
            changed.add(key);
            changed.add(new Part(part.applyAsLong(key)));
          }
        }
        return changed;
      }

      @Override
      public List<@Nullable Object> read(Made call) {
        return keys.apply(call.arguments());
      }
    };
  }

  private static Keys looks(Function<Made, List<@Nullable Object>> read) {
    return new Keys() {
      @Override
      public List<@Nullable Object> of(@Nullable Object[] arguments) {
        return ALL;
      }

      @Override
      public List<@Nullable Object> read(Made call) {
        return read.apply(call);
      }
    };
  }

  private static List<@Nullable Object> range(
      ToLongFunction<Object> part, Made call, int placeOfLast) {
    @Nullable Object first = call.arguments()[0];
    @Nullable Object last = call.arguments()[placeOfLast];
    return first == null || last == null ? ALL : between(part, first, last);
  }

  private static List<@Nullable Object> neighbour(ToLongFunction<Object> part, Made call) {
    @Nullable Object key = call.arguments()[0];
    if (key == null || call.returned().isEmpty()) {
      return ALL; // no neighbour up to the end of the map
    }
    Object found = call.returned().get();
    return between(part, key, found instanceof Map.Entry<?, ?> entry ? entry.getKey() : found);
  }

  private static List<@Nullable Object> between(
      ToLongFunction<Object> part, Object one, Object other) {
    long from = Math.min(part.applyAsLong(one), part.applyAsLong(other));
    long to = Math.max(part.applyAsLong(one), part.applyAsLong(other));
    if (to - from < 0 || to - from >= MOST_PARTS) {
      return ALL;
    }
    List<@Nullable Object> parts = new ArrayList<>();
    for (long number = from; number <= to; number++) {
      parts.add(new Part(number));
    }
    return parts;
  }
}
