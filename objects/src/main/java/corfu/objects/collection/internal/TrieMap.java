package corfu.objects.collection.internal;

import corfu.objects.collection.internal.TrieNode.Change;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A persistent hash map: {@link #with} and {@link #without} give another one, which shares nearly
 * all of this one. A compressed trie of 32 branches a node (CHAMP: Steindorfer and Vinju, 2015), of
 * which equal maps have equal ones, however they came about; so two replicas iterate in the same
 * order. Immutable.
 *
 * @param <K> keys, not null
 * @param <V> values, not null
 */
public final class TrieMap<K, V> implements Iterable<Map.Entry<K, V>> {

  private static final TrieMap<?, ?> EMPTY = new TrieMap<>(TrieNode.EMPTY, 0);

  private final TrieNode root;
  private final int size;

  private TrieMap(TrieNode root, int size) {
    this.root = root;
    this.size = size;
  }

  @SuppressWarnings("unchecked") // it has neither keys nor values
  public static <K, V> TrieMap<K, V> empty() {
    return (TrieMap<K, V>) EMPTY;
  }

  public int size() {
    return size;
  }

  @SuppressWarnings("unchecked") // only what is of their types is put in
  public @Nullable V get(Object key) {
    return (V) root.get(key, StableHash.of(key), 0);
  }

  public TrieMap<K, V> with(K key, V value) {
    Change change = new Change();
    TrieNode changed = root.with(key, value, StableHash.of(key), 0, change);
    return changed == root
        ? this
        : new TrieMap<>(changed, change.before().isPresent() ? size : size + 1);
  }

  public TrieMap<K, V> without(Object key) {
    Change change = new Change();
    TrieNode changed = root.without(key, StableHash.of(key), 0, change);
    return changed == root ? this : new TrieMap<>(changed, size - 1);
  }

  /** In an order that depends on nothing but the keys. */
  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return new TrieIterator<>(root);
  }

  /** For those who want to know the value that was there before. */
  Optional<V> find(Object key) {
    return Optional.ofNullable(get(key));
  }
}
