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
 * A replicated map in the order of its keys: their natural one, which agrees with their {@code
 * equals}.
 *
 * <pre>{@code
 * NavigableMap<Long, String> events =
 *     objects.open("events", ReplicatedRangeMap.of(Long.class, String.class));
 * NavigableMap<Long, String> lastHour = events.tailMap(now - 3600);
 * }</pre>
 *
 * Maps and sets that it gives are what it held at one moment, given at no cost; they can't be
 * changed. What looks up one key conflicts with changes of that key, as in a {@link ReplicatedMap}.
 * What is about a range, or about a neighbour in the order, conflicts with every change of the map,
 * unless the type is {@link #partitioned}. A stream that is opened as a range map may at the same
 * time be opened as other maps, if nobody uses {@link #pollFirstEntry}, {@link #pollLastEntry} or
 * {@link #removeRange}.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface ReplicatedRangeMap<K, V> extends ReplicatedMap<K, V>, NavigableMap<K, V> {

  /** The type of range maps with such keys and values. */
  static <K extends Comparable<? super K>, V> ObjectType<ReplicatedRangeMap<K, V>> of(
      Class<K> keys, Class<V> values) {
    return ofTypes(keys, values);
  }

  /** The same where keys or values have type parameters of their own, or are of several classes. */
  static <K extends Comparable<? super K>, V> ObjectType<ReplicatedRangeMap<K, V>> ofTypes(
      Type... keysAndValues) {
    return RangeMaps.<K, V>whole().holding(keysAndValues);
  }

  /**
   * The same for streams that nobody changes through another type. There, what is about a range
   * conflicts only with changes in the parts that it touches: up to 250 of them, otherwise with
   * all. It is a promise: where somebody changes the map through another type, or with other parts,
   * ranges that are read in transactions may miss it.
   *
   * @param part in which part a key is: a number that is no lower for a higher key. It gives the
   *     same wherever and whenever it is called; types are equal only if it is the same object
   */
  static <K extends Comparable<? super K>, V> ObjectType<ReplicatedRangeMap<K, V>> partitioned(
      Class<K> keys, Class<V> values, ToLongFunction<? super K> part) {
    return ReplicatedRangeMap.<K, V>partitionedOfTypes(part, keys, values);
  }

  /** The same where keys or values have type parameters of their own, or are of several classes. */
  static <K extends Comparable<? super K>, V>
      ObjectType<ReplicatedRangeMap<K, V>> partitionedOfTypes(
          ToLongFunction<? super K> part, Type... keysAndValues) {
    return RangeMaps.<K, V>partitioned(part).holding(keysAndValues);
  }

  /** What it holds now: given at no cost, and never changed. */
  @Accessor
  NavigableMap<K, V> snapshot();

  // ----------------------------------------------------------------------------- single entries

  /** Null: the natural order. */
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

  /** Removes all keys from one up to, not including, another; returns when it is durable. */
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

  /** What it holds now, in the order of keys. */
  @Override
  @Accessor
  Set<K> keySet();

  /** What it holds now, in the order of keys. */
  @Override
  @Accessor
  Collection<V> values();

  /** What it holds now, in the order of keys. */
  @Override
  @Accessor
  Set<Entry<K, V>> entrySet();

  /** What it holds now, downwards. */
  @Override
  @TransactionalMethod(readOnly = true)
  default NavigableMap<K, V> descendingMap() {
    return snapshot().descendingMap();
  }

  /** What it holds now, downwards. */
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

  /** Not supported: keys are where their order has them. */
  @Override
  @TransactionalMethod
  default V putFirst(K key, V value) {
    throw new UnsupportedOperationException("keys are where their order has them");
  }

  /** Not supported: keys are where their order has them. */
  @Override
  @TransactionalMethod
  default V putLast(K key, V value) {
    throw new UnsupportedOperationException("keys are where their order has them");
  }
}
