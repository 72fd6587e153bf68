package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Key;
import corfu.objects.annotation.Keys;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.serial.InLog;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A map that all clients share. Neither keys nor values are null. Transactions that touch different
 * keys do not conflict. {@code size} and every other operation on the whole map conflict with every
 * change of the map.
 *
 * <pre>{@code
 * Map<String, Long> stock = objects.open("stock", ReplicatedMap.of(String.class, Long.class));
 * }</pre>
 *
 * {@link #keySet}, {@link #values} and {@link #entrySet} return immutable views of the map at one
 * moment, without a copy. The caller must not change the values in them either. {@link #fastPut}
 * and {@link #fastRemove} do not wait for the previous value. Keys have a value-based {@code
 * equals} and {@code hashCode}, not an identity-based one. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface ReplicatedMap<K, V> extends Map<K, V> {

  /** Returns the type of maps with these classes of keys and values. */
  static <K, V> ObjectType<ReplicatedMap<K, V>> of(Class<K> keys, Class<V> values) {
    return ofTypes(keys, values);
  }

  /** Returns the same type for keys or values with type parameters, or of several classes. */
  static <K, V> ObjectType<ReplicatedMap<K, V>> ofTypes(Type... keysAndValues) {
    return MapState.<K, V>type().holding(keysAndValues);
  }

  /**
   * Returns the type of maps whose values stay in the log. The memory holds only the location of
   * each key's value, and {@link InLog#get} reads the value.
   */
  static <K, V> ObjectType<ReplicatedMap<K, InLog<V>>> inLog(Class<K> keys, Class<V> values) {
    return ofTypes(keys, InLog.type(values));
  }

  @Override
  @Accessor
  int size();

  @Override
  @Accessor
  boolean isEmpty();

  @Override
  @Accessor
  boolean containsKey(@Key Object key);

  @Override
  @Accessor
  boolean containsValue(Object value);

  @Override
  @Accessor
  @Nullable V get(@Key Object key);

  @Override
  @Accessor
  V getOrDefault(@Key Object key, V other);

  /** Returns the current keys. Their order has no meaning, but is the same at all clients. */
  @Override
  @Accessor
  Set<K> keySet();

  /** Returns the current values, in the order of {@link #keySet}. */
  @Override
  @Accessor
  Collection<V> values();

  /** Returns the current entries, in the order of {@link #keySet}. */
  @Override
  @Accessor
  Set<Entry<K, V>> entrySet();

  @Override
  @MutatorAccessor
  @Nullable V put(@Key K key, V value);

  /** Puts the value without reading the previous one; returns once the change is durable. */
  @Mutator
  void fastPut(@Key K key, V value);

  @Override
  @Mutator
  void putAll(@Keys Map<? extends K, ? extends V> map);

  @Override
  @MutatorAccessor
  @Nullable V putIfAbsent(@Key K key, V value);

  @Override
  @MutatorAccessor
  @Nullable V remove(@Key Object key);

  /** Removes the key without reading its value; returns once the change is durable. */
  @Mutator
  void fastRemove(@Key K key);

  @Override
  @MutatorAccessor
  boolean remove(@Key Object key, Object value);

  @Override
  @MutatorAccessor
  @Nullable V replace(@Key K key, V value);

  @Override
  @MutatorAccessor
  boolean replace(@Key K key, V before, V after);

  @Override
  @Mutator
  void clear();

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> make) {
    return Map.super.computeIfAbsent(key, make);
  }

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> change) {
    return Map.super.computeIfPresent(key, change);
  }

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> change) {
    return Map.super.compute(key, change);
  }

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> change) {
    return Map.super.merge(key, value, change);
  }

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default void replaceAll(BiFunction<? super K, ? super V, ? extends V> change) {
    for (Entry<K, V> entry : entrySet()) {
      fastPut(entry.getKey(), change.apply(entry.getKey(), entry.getValue()));
    }
  }

  /** Applies the action to each current entry. */
  @Override
  @TransactionalMethod(readOnly = true)
  default void forEach(BiConsumer<? super K, ? super V> action) {
    entrySet().forEach(entry -> action.accept(entry.getKey(), entry.getValue()));
  }

  @Override
  @Accessor
  boolean equals(@Nullable Object other);

  @Override
  @Accessor
  int hashCode();

  @Override
  @Accessor
  String toString();
}
