package corfu.objects.collection;

import corfu.objects.collection.MapState.MapSnapshots;
import corfu.objects.collection.internal.CollectionType;
import corfu.objects.type.Operation.Keys;
import corfu.objects.type.Operation.Made;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The types of maps with indexes, and the conflict keys of exclusive types. All clients that change
 * a map of an exclusive type use the same indexes. A change reports the new index keys of its
 * entry. A lookup reports its index key, and the map keys of the entries that it found: a change
 * that removes an entry from the index reports only the map key.
 */
final class IndexedMaps {

  private IndexedMaps() {}

  /** The entries that a change of one entry, or of several, puts into the indexes. */
  private interface Puts {
    Map<?, ?> of(@Nullable Object[] arguments);
  }

  /** The kind of a type. Types with the same indexes and exclusiveness are of the same kind. */
  private record Kind(List<?> indexes, boolean isExclusive) {}

  /** The conflict key of a lookup: an index and a key in it. */
  private record IndexKey(String index, Object under) {
    @Override
    public String toString() {
      return index + " = " + under;
    }
  }

  static <K, V> CollectionType<ReplicatedIndexedMap<K, V>> of(List<Index<K, V>> indexes) {
    return declared(indexes).withKeys(new Kind(indexes, false), Map.of());
  }

  static <K, V> CollectionType<ReplicatedIndexedMap<K, V>> exclusive(List<Index<K, V>> indexes) {
    return declared(indexes)
        .withKeys(
            new Kind(indexes, true),
            Map.of(
                "put(Object,Object)", puts(indexes, IndexedMaps::one),
                "fastPut(Object,Object)", puts(indexes, IndexedMaps::one),
                "putIfAbsent(Object,Object)", puts(indexes, IndexedMaps::one),
                "replace(Object,Object)", puts(indexes, IndexedMaps::one),
                "replace(Object,Object,Object)", puts(indexes, IndexedMaps::third),
                "putAll(Map)", puts(indexes, IndexedMaps::all),
                "byIndex(String,Object)", looksUp()));
  }

  private static <K, V> CollectionType<ReplicatedIndexedMap<K, V>> declared(
      List<Index<K, V>> indexes) {
    Set<String> names = new HashSet<>();
    for (Index<K, V> index : indexes) {
      if (!names.add(index.name())) {
        throw new IllegalArgumentException("there are two indexes " + index.name());
      }
    }
    List<Index<K, V>> all = List.copyOf(indexes);
    return CollectionType.<ReplicatedIndexedMap<K, V>>of(
            CollectionOperations.FAMILIES,
            ReplicatedIndexedMap.class,
            () -> new MapState<>(all),
            new MapSnapshots<K, V, ReplicatedIndexedMap<K, V>>(all),
            FixedEntry.class)
        .savedAs(MapState.SAVED_AS);
  }

  private static Map<?, ?> one(@Nullable Object[] arguments) {
    return entry(arguments[0], arguments[1]);
  }

  private static Map<?, ?> third(@Nullable Object[] arguments) {
    return entry(arguments[0], arguments[2]);
  }

  private static Map<?, ?> entry(@Nullable Object key, @Nullable Object value) {
    return key == null || value == null
        ? Map.of()
        : Map.of(key, value); // the write is rejected later
  }

  private static Map<?, ?> all(@Nullable Object[] arguments) {
    return arguments[0] instanceof Map<?, ?> map ? map : Map.of();
  }

  @SuppressWarnings("unchecked") // only what is of their types is put in
  private static <K, V> Keys puts(List<Index<K, V>> indexes, Puts puts) {
    return new Keys() {
      @Override
      public List<@Nullable Object> of(@Nullable Object[] arguments) {
        List<@Nullable Object> keys = read(arguments);
        puts.of(arguments)
            .forEach(
                (key, value) -> {
                  for (Index<K, V> index : indexes) {
                    Collection<?> found = index.keys().apply((K) key, (V) value);
                    found.forEach(under -> keys.add(new IndexKey(index.name(), under)));
                  }
                });
        return keys;
      }

      @Override
      public List<@Nullable Object> read(Made call) {
        return read(call.arguments());
      }

      private List<@Nullable Object> read(@Nullable Object[] arguments) {
        return new ArrayList<>(puts.of(arguments).keySet());
      }
    };
  }

  private static Keys looksUp() {
    return new Keys() {
      @Override
      public List<@Nullable Object> of(@Nullable Object[] arguments) {
        return List.of();
      }

      @Override
      public List<@Nullable Object> read(Made call) {
        @Nullable Object index = call.arguments()[0];
        @Nullable Object under = call.arguments()[1];
        if (index instanceof String name
            && under != null
            && call.returned().orElse(List.of()) instanceof Map<?, ?> found) {
          List<@Nullable Object> keys = new ArrayList<>(found.keySet());
          keys.add(new IndexKey(name, under));
          return keys;
        }
        return List.of();
      }
    };
  }
}
