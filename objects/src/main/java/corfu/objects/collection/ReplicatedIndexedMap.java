package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A replicated map with indexes, by which its entries are found under something else than their
 * keys.
 *
 * <pre>{@code
 * ObjectType<ReplicatedIndexedMap<String, User>> USERS =
 *     ReplicatedIndexedMap.of(
 *         String.class, User.class, Index.of("city", (name, user) -> user.city()));
 * Map<String, User> inParis = objects.open("users", USERS).byIndex("city", "Paris");
 * }</pre>
 *
 * Indexes are kept by each client out of what the map holds, so they are always of the same moment
 * as the map, and nothing of them is in the log or in checkpoints: the same stream may be opened
 * with these indexes, with others, or as a {@link ReplicatedMap} without any. A lookup in a
 * transaction conflicts with every change of the map, unless the type is {@link #exclusive}.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface ReplicatedIndexedMap<K, V> extends ReplicatedMap<K, V> {

  /** The type of maps with such keys, values and indexes. */
  @SafeVarargs
  @SuppressWarnings("varargs") // they are only read
  static <K, V> ObjectType<ReplicatedIndexedMap<K, V>> of(
      Class<K> keys, Class<V> values, Index<K, V>... indexes) {
    return ofTypes(Arrays.asList(indexes), keys, values);
  }

  /** The same where keys or values have type parameters of their own, or are of several classes. */
  static <K, V> ObjectType<ReplicatedIndexedMap<K, V>> ofTypes(
      List<Index<K, V>> indexes, Type... keysAndValues) {
    return IndexedMaps.of(indexes).holding(keysAndValues);
  }

  /**
   * The same for streams that nobody changes through another type, of other indexes or of none.
   * There, a lookup in a transaction conflicts only with changes of entries that it has found, and
   * with new ones that it would find. It is a promise: where somebody changes the map through
   * another type, lookups in transactions may miss it.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // they are only read
  static <K, V> ObjectType<ReplicatedIndexedMap<K, V>> exclusive(
      Class<K> keys, Class<V> values, Index<K, V>... indexes) {
    return exclusiveOfTypes(Arrays.asList(indexes), keys, values);
  }

  /** The same where keys or values have type parameters of their own, or are of several classes. */
  static <K, V> ObjectType<ReplicatedIndexedMap<K, V>> exclusiveOfTypes(
      List<Index<K, V>> indexes, Type... keysAndValues) {
    return IndexedMaps.exclusive(indexes).holding(keysAndValues);
  }

  /**
   * The entries that an index has under a key now, in no order that means anything, but in the same
   * one everywhere; given at no cost, and never changed.
   *
   * @param index its name
   * @throws IllegalArgumentException if the map was opened without such an index
   */
  @Accessor
  Map<K, V> byIndex(String index, Object key);

  /**
   * All keys under which an index has entries now.
   *
   * @param index its name
   * @throws IllegalArgumentException if the map was opened without such an index
   */
  @Accessor
  Set<Object> indexKeys(String index);
}
