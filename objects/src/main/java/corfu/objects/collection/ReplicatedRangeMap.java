package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SequencedCollection;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A replicated map sorted by its keys, in their natural order. This order is consistent with the
 * keys' {@code equals}.
 *
 * <pre>{@code
 * NavigableMap<Long, String> events =
 *     objects.open("events", ReplicatedRangeMap.of(Long.class, String.class));
 * NavigableMap<Long, String> lastHour = events.tailMap(now - 3600);
 * }</pre>
 *
 * The returned maps and sets are immutable views of the map at one moment, without a copy. A lookup
 * of one key conflicts with changes of that key, as in a {@link ReplicatedMap}. A read of a range,
 * or of a neighbour in the order, conflicts with every change of the map, unless the type is {@link
 * #partitioned}. A stream that is opened as a range map may at the same time be opened as other
 * maps, provided that no client uses {@link #pollFirstEntry}, {@link #pollLastEntry} or {@link
 * #removeRange}.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface ReplicatedRangeMap<K, V> extends ReplicatedMap<K, V>, NavigableMap<K, V> {

  /** Returns the type of range maps with these classes of keys and values. */
  static <K extends Comparable<? super K>, V> ObjectType<ReplicatedRangeMap<K, V>> of(
      Class<K> keys, Class<V> values) {
    return ofTypes(keys, values);
  }

  /** Returns the same type for keys or values with type parameters, or of several classes. */
  static <K extends Comparable<? super K>, V> ObjectType<ReplicatedRangeMap<K, V>> ofTypes(
      Type... keysAndValues) {
    return RangeMaps.<K, V>whole().holding(keysAndValues);
  }

  /**
   * Returns the same type for streams that no client changes through another type. With this type,
   * a read of a range conflicts only with changes in the parts that the range touches. If the range
   * touches more than 250 parts, the read conflicts with every change. The caller promises this: if
   * a client changes the map through another type, or with other parts, range reads in transactions
   * may miss the conflict.
   *
   * @param part the function from a key to the number of its part; a higher key has the same number
   *     or a higher one. It is deterministic, at any time and in any process. Types are equal only
   *     if they have the same function object
   */
  static <K extends Comparable<? super K>, V> ObjectType<ReplicatedRangeMap<K, V>> partitioned(
      Class<K> keys, Class<V> values, ToLongFunction<? super K> part) {
    return ReplicatedRangeMap.<K, V>partitionedOfTypes(part, keys, values);
  }

  /** Returns the same type for keys or values with type parameters, or of several classes. */
  static <K extends Comparable<? super K>, V>
      ObjectType<ReplicatedRangeMap<K, V>> partitionedOfTypes(
          ToLongFunction<? super K> part, Type... keysAndValues) {
    return RangeMaps.<K, V>partitioned(part).holding(keysAndValues);
  }

  /** Returns the current entries as an immutable view, without a copy. */
  @Accessor
  NavigableMap<K, V> snapshot();

  // ----------------------------------------------------------------------------- single entries

  /** Returns null: the order is the natural one. */
  @Override
  @Accessor
  @Nullable Comparator<? super K> comparator();

  @Override
  @Accessor
  K firstKey();

  @Override
  @Accessor
  K lastKey();

  @Override
  @Accessor
  @Nullable K lowerKey(K key);

  @Override
  @Accessor
  @Nullable K floorKey(K key);

  @Override
  @Accessor
  @Nullable K ceilingKey(K key);

  @Override
  @Accessor
  @Nullable K higherKey(K key);

  @Override
  @Accessor
  @Nullable Entry<K, V> firstEntry();

  @Override
  @Accessor
  @Nullable Entry<K, V> lastEntry();

  @Override
  @Accessor
  @Nullable Entry<K, V> lowerEntry(K key);

  @Override
  @Accessor
  @Nullable Entry<K, V> floorEntry(K key);

  @Override
  @Accessor
  @Nullable Entry<K, V> ceilingEntry(K key);

  @Override
  @Accessor
  @Nullable Entry<K, V> higherEntry(K key);

  @Override
  @MutatorAccessor
  @Nullable Entry<K, V> pollFirstEntry();

  @Override
  @MutatorAccessor
  @Nullable Entry<K, V> pollLastEntry();

  /**
   * Removes all keys from {@code from}, inclusive, to {@code to}, exclusive; returns once the
   * change is durable.
   */
  @Mutator
  void removeRange(K from, K to);

  // -------------------------------------------------------------------------------------- ranges

  @Override
  @Accessor
  NavigableMap<K, V> subMap(K from, boolean withFrom, K to, boolean withTo);

  @Override
  @Accessor
  NavigableMap<K, V> headMap(K to, boolean withTo);

  @Override
  @Accessor
  NavigableMap<K, V> tailMap(K from, boolean withFrom);

  @Override
  @Accessor
  NavigableMap<K, V> subMap(K from, K to);

  @Override
  @Accessor
  NavigableMap<K, V> headMap(K to);

  @Override
  @Accessor
  NavigableMap<K, V> tailMap(K from);

  /** Returns the current keys, in key order. */
  @Override
  @Accessor
  Set<K> keySet();

  /** Returns the current values, in key order. */
  @Override
  @Accessor
  Collection<V> values();

  /** Returns the current entries, in key order. */
  @Override
  @Accessor
  Set<Entry<K, V>> entrySet();

  /** Returns an immutable view of the current entries, in descending key order. */
  @Override
  @TransactionalMethod(readOnly = true)
  default NavigableMap<K, V> descendingMap() {
    return snapshot().descendingMap();
  }

  /** Returns an immutable view of the current entries, in descending key order. */
  @Override
  @TransactionalMethod(readOnly = true)
  default NavigableMap<K, V> reversed() {
    return snapshot().descendingMap();
  }

  @Override
  @TransactionalMethod(readOnly = true)
  default NavigableSet<K> navigableKeySet() {
    return snapshot().navigableKeySet();
  }

  @Override
  @TransactionalMethod(readOnly = true)
  default NavigableSet<K> descendingKeySet() {
    return snapshot().descendingKeySet();
  }

  @Override
  @TransactionalMethod(readOnly = true)
  default SequencedSet<K> sequencedKeySet() {
    return snapshot().sequencedKeySet();
  }

  @Override
  @TransactionalMethod(readOnly = true)
  default SequencedCollection<V> sequencedValues() {
    return snapshot().sequencedValues();
  }

  @Override
  @TransactionalMethod(readOnly = true)
  default SequencedSet<Entry<K, V>> sequencedEntrySet() {
    return snapshot().sequencedEntrySet();
  }

  /** Not supported: the key order determines the position of an entry. */
  @Override
  @TransactionalMethod
  default V putFirst(K key, V value) {
    throw new UnsupportedOperationException("keys are where their order has them");
  }

  /** Not supported: the key order determines the position of an entry. */
  @Override
  @TransactionalMethod
  default V putLast(K key, V value) {
    throw new UnsupportedOperationException("keys are where their order has them");
  }
}
