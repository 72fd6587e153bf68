package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A replicated map with secondary indexes, which find entries by other values than their keys.
 *
 * <pre>{@code
 * ObjectType<ReplicatedIndexedMap<String, User>> USERS =
 *     ReplicatedIndexedMap.of(
 *         String.class, User.class, Index.of("city", (name, user) -> user.city()));
 * Map<String, User> inParis = objects.open("users", USERS).byIndex("city", "Paris");
 * }</pre>
 *
 * Each client computes the indexes from the map's entries, so the indexes always reflect the same
 * moment as the map. Neither the log nor checkpoints contain the indexes. Therefore the same stream
 * may be opened with these indexes, with others, or as a {@link ReplicatedMap} without indexes. A
 * lookup in a transaction conflicts with every change of the map, unless the type is {@link
 * #exclusive}.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface ReplicatedIndexedMap<K, V> extends ReplicatedMap<K, V> {

  /** Returns the type of maps with these classes of keys and values, and these indexes. */
  @SafeVarargs
  @SuppressWarnings("varargs") // they are only read
  static <K, V> ObjectType<ReplicatedIndexedMap<K, V>> of(
      Class<K> keys, Class<V> values, Index<K, V>... indexes) {
    return ofTypes(Arrays.asList(indexes), keys, values);
  }

  /** Returns the same type for keys or values with type parameters, or of several classes. */
  static <K, V> ObjectType<ReplicatedIndexedMap<K, V>> ofTypes(
      List<Index<K, V>> indexes, Type... keysAndValues) {
    return IndexedMaps.of(indexes).holding(keysAndValues);
  }

  /**
   * Returns the same type for streams that no client changes through another type: one with other
   * indexes, or with none. With this type, a lookup in a transaction conflicts only with changes of
   * entries that it found, and with new entries that it would find. The caller promises this: if a
   * client changes the map through another type, lookups in transactions may miss the conflict.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // they are only read
  static <K, V> ObjectType<ReplicatedIndexedMap<K, V>> exclusive(
      Class<K> keys, Class<V> values, Index<K, V>... indexes) {
    return exclusiveOfTypes(Arrays.asList(indexes), keys, values);
  }

  /** Returns the same type for keys or values with type parameters, or of several classes. */
  static <K, V> ObjectType<ReplicatedIndexedMap<K, V>> exclusiveOfTypes(
      List<Index<K, V>> indexes, Type... keysAndValues) {
    return IndexedMaps.exclusive(indexes).holding(keysAndValues);
  }

  /**
   * Returns the current entries under a key of an index, as an immutable view without a copy. The
   * order has no meaning, but is the same at all clients.
   *
   * @param index the name of the index
   * @throws IllegalArgumentException if the map was opened without such an index
   */
  @Accessor
  Map<K, V> byIndex(String index, Object key);

  /**
   * Returns all keys under which an index has entries now.
   *
   * @param index the name of the index
   * @throws IllegalArgumentException if the map was opened without such an index
   */
  @Accessor
  Set<Object> indexKeys(String index);
}
