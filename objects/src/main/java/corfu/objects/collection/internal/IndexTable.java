package corfu.objects.collection.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The contents of a map's indexes: for each index, the entries by their index keys. Immutable. */
public final class IndexTable<K, V> {

  private final List<String> names;
  private final List<BiFunction<? super K, ? super V, ? extends Collection<?>>> keys;
  private final List<TrieMap<Object, TrieMap<K, V>>> contents;

  private IndexTable(
      List<String> names,
      List<BiFunction<? super K, ? super V, ? extends Collection<?>>> keys,
      List<TrieMap<Object, TrieMap<K, V>>> contents) {
    this.names = names;
    this.keys = keys;
    this.contents = contents;
  }

  /**
   * Returns the table of a map without entries.
   *
   * @param names the indexes' names
   * @param keys for each index, the keys under which it has an entry
   */
  public static <K, V> IndexTable<K, V> of(
      List<String> names, List<BiFunction<? super K, ? super V, ? extends Collection<?>>> keys) {
    List<TrieMap<Object, TrieMap<K, V>>> contents = new ArrayList<>();
    names.forEach(name -> contents.add(TrieMap.empty()));
    return new IndexTable<>(names, keys, contents);
  }

  /** Returns whether the table has no indexes. */
  public boolean isEmpty() {
    return names.isEmpty();
  }

  public IndexTable<K, V> cleared() {
    return of(names, keys);
  }

  /**
   * Returns the table after a change of one entry.
   *
   * @param before the previous value, or null if the key was absent
   * @param after the new value, or null if the key was removed
   */
  public IndexTable<K, V> changed(K key, @Nullable V before, @Nullable V after) {
    List<TrieMap<Object, TrieMap<K, V>>> changed = new ArrayList<>(contents);
    for (int i = 0; i < changed.size(); i++) {
      TrieMap<Object, TrieMap<K, V>> content = changed.get(i);
      if (before != null) {
        for (Object under : keys.get(i).apply(key, before)) {
          content = without(content, under, key);
        }
      }
      if (after != null) {
        for (Object under : keys.get(i).apply(key, after)) {
          content = content.with(under, at(content, under).with(key, after));
        }
      }
      changed.set(i, content);
    }
    return new IndexTable<>(names, keys, changed);
  }

  private static <K, V> TrieMap<Object, TrieMap<K, V>> without(
      TrieMap<Object, TrieMap<K, V>> content, Object under, K key) {
    TrieMap<K, V> fewer = at(content, under).without(key);
    return fewer.size() == 0 ? content.without(under) : content.with(under, fewer);
  }

  private static <K, V> TrieMap<K, V> at(TrieMap<Object, TrieMap<K, V>> content, Object under) {
    return content.find(Objects.requireNonNull(under)).orElse(TrieMap.empty());
  }

  /** Returns the entries under a key of an index. */
  public TrieMap<K, V> find(String index, Object under) {
    return at(content(index), under);
  }

  /** Returns the whole content of an index: the entries by their index keys. */
  public TrieMap<Object, TrieMap<K, V>> content(String index) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equals(index)) {
        return contents.get(i);
      }
    }
    throw new IllegalArgumentException(
        "the map was opened without an index %s; it has these: %s".formatted(index, names));
  }
}
