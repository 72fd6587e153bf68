package corfu.objects.composed;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that all clients share: a B-tree in which each node is an object with its own
 * stream. Nodes refer to each other by their streams' ids, not by versions. So a change of a leaf
 * changes no node above it, and a reader of a snapshot finds the nodes of that snapshot. A client
 * plays the nodes on its way, and nothing else. Full nodes are split while other clients read and
 * write.
 *
 * <pre>{@code
 * ComposedTree<Long, String> events =
 *     objects.open("events", ComposedTree.of(Long.class, String.class));
 * NavigableMap<Long, String> hour = events.subMap(from, true, to, false);
 * }</pre>
 *
 * Single calls, transactions and {@link #putAll} behave as on a {@link ComposedMap}. A range is
 * read at one moment; in a transaction it conflicts with changes of the leaves that it lies in. The
 * tree now and then drops leaves that have become empty. Other leaves may stay sparse.
 *
 * <p>Keys have a natural order that agrees with {@code equals}; neither they nor values are null.
 * Thread-safe.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface ComposedTree<K, V> extends Map<K, V> {

  /** The type of trees with such keys and values. */
  static <K extends Comparable<? super K>, V> ComposedTreeType<K, V> of(
      Class<K> keys, Class<V> values) {
    return ofTypes(keys, values);
  }

  /** The same where keys or values have type parameters of their own. */
  static <K extends Comparable<? super K>, V> ComposedTreeType<K, V> ofTypes(
      Type keys, Type values) {
    return new ComposedTreeType<>(keys, values);
  }

  /** Puts without learning what was there before: returns when it is durable. */
  void fastPut(K key, V value);

  /** Removes without learning what was there: returns when it is durable. */
  void fastRemove(K key);

  /** The entry with the lowest key, or null. */
  @Nullable Entry<K, V> firstEntry();

  /** The entry with the highest key, or null. */
  @Nullable Entry<K, V> lastEntry();

  /** The entry with the highest key below this one, or null. */
  @Nullable Entry<K, V> lowerEntry(K key);

  /** The entry with this key or the highest one below, or null. */
  @Nullable Entry<K, V> floorEntry(K key);

  /** The entry with this key or the lowest one above, or null. */
  @Nullable Entry<K, V> ceilingEntry(K key);

  /** The entry with the lowest key above this one, or null. */
  @Nullable Entry<K, V> higherEntry(K key);

  /** Returns the entries between two keys, as an immutable copy. */
  NavigableMap<K, V> subMap(K from, boolean withFrom, K to, boolean withTo);

  /** Returns the entries up to a key, as an immutable copy. */
  NavigableMap<K, V> headMap(K to, boolean withTo);

  /** Returns the entries from a key on, as an immutable copy. */
  NavigableMap<K, V> tailMap(K from, boolean withFrom);

  /** Returns all entries, as an immutable copy. */
  NavigableMap<K, V> copy();

  /** How many levels of branches there are; 0: it is empty, and has never been otherwise. */
  int depth();

  /** Takes one entry, however large the tree is; what was in it stays in its history. */
  @Override
  void clear();

  /** Returns the tree's current keys, in their order. */
  @Override
  Set<K> keySet();

  /** Returns the tree's current values, in the order of keys. */
  @Override
  Collection<V> values();

  /** Returns the tree's current entries, in the order of keys. */
  @Override
  Set<Entry<K, V>> entrySet();
}
