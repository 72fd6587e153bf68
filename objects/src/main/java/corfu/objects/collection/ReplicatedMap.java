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
 * keys do not stand in each other's way; {@code size} and what else is about the whole map
 * conflicts with every change of it.
 *
 * <pre>{@code
 * Map<String, Long> stock = objects.open("stock", ReplicatedMap.of(String.class, Long.class));
 * }</pre>
 *
 * {@link #keySet}, {@link #values} and {@link #entrySet} are what the map held at one moment, given
 * at no cost, and can't be changed; nor must values in them be. {@link #fastPut} and {@link
 * #fastRemove} do not wait to learn what was there before. Keys have an {@code equals} and {@code
 * hashCode} of their values, not of their identities. Thread-safe.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface ReplicatedMap<K, V> extends Map<K, V> {

  /** The type of maps with such keys and values. */
  static <K, V> ObjectType<ReplicatedMap<K, V>> of(Class<K> keys, Class<V> values) {
    return ofTypes(keys, values);
  }

  /** The same where keys or values have type parameters of their own, or are of several classes. */
  static <K, V> ObjectType<ReplicatedMap<K, V>> ofTypes(Type... keysAndValues) {
    return MapState.<K, V>type().holding(keysAndValues);
  }

  /**
   * The type of maps whose values stay in the log: in memory there is for each key where its value
   * is, and {@link InLog#get} reads it.
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

  /** What it holds now, in no order that means anything, but in the same one everywhere. */
  @Override
  @Accessor
  Set<K> keySet();

  /** What it holds now, in the order of {@link #keySet}. */
  @Override
  @Accessor
  Collection<V> values();

  /** What it holds now, in the order of {@link #keySet}. */
  @Override
  @Accessor
  Set<Entry<K, V>> entrySet();

  @Override
  @MutatorAccessor
  @Nullable V put(@Key K key, V value);

  /** Puts without learning what was there before: returns when it is durable. */
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

  /** Removes without learning what was there: returns when it is durable. */
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

  /** Runs with its caller, in a transaction. */
  @Override
  @TransactionalMethod
  default @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> make) {
    return Map.super.computeIfAbsent(key, make);
  }

  /** Runs with its caller, in a transaction. */
  @Override
  @TransactionalMethod
  default @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> change) {
    return Map.super.computeIfPresent(key, change);
  }

  /** Runs with its caller, in a transaction. */
  @Override
  @TransactionalMethod
  default @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> change) {
    return Map.super.compute(key, change);
  }

  /** Runs with its caller, in a transaction. */
  @Override
  @TransactionalMethod
  default @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> change) {
    return Map.super.merge(key, value, change);
  }

  /** Runs with its caller, in a transaction. */
  @Override
  @TransactionalMethod
  default void replaceAll(BiFunction<? super K, ? super V, ? extends V> change) {
    for (Entry<K, V> entry : entrySet()) {
      fastPut(entry.getKey(), change.apply(entry.getKey(), entry.getValue()));
    }
  }

  /** With what it holds now. */
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
