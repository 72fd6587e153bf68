package corfu.objects.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the indexes of a map hold: for each, the entries by what they are found under. Immutable.
 */
final class IndexTable<K, V> {

  private final List<Index<K, V>> indexes;
  private final List<TrieMap<Object, TrieMap<K, V>>> contents;

  private IndexTable(List<Index<K, V>> indexes, List<TrieMap<Object, TrieMap<K, V>>> contents) {
    this.indexes = indexes;
    this.contents = contents;
  }

  /** One of a map without entries. */
  static <K, V> IndexTable<K, V> of(List<Index<K, V>> indexes) {
    List<TrieMap<Object, TrieMap<K, V>>> contents = new ArrayList<>();
    indexes.forEach(index -> contents.add(TrieMap.empty()));
    return new IndexTable<>(indexes, contents);
  }

  /** Whether there are no indexes. */
  boolean isEmpty() {
    return indexes.isEmpty();
  }

  IndexTable<K, V> cleared() {
    return of(indexes);
  }

  /**
   * What it is once an entry has changed.
   *
   * @param before null if there was none
   * @param after null if there is none any more
   */
  IndexTable<K, V> changed(K key, @Nullable V before, @Nullable V after) {
    List<TrieMap<Object, TrieMap<K, V>>> changed = new ArrayList<>(contents);
    for (int i = 0; i < changed.size(); i++) {
      TrieMap<Object, TrieMap<K, V>> content = changed.get(i);
      if (before != null) {
        for (Object under : indexes.get(i).keys().apply(key, before)) {
          content = without(content, under, key);
        }
      }
      if (after != null) {
        for (Object under : indexes.get(i).keys().apply(key, after)) {
          content = content.with(under, at(content, under).with(key, after));
        }
      }
      changed.set(i, content);
    }
    return new IndexTable<>(indexes, changed);
  }

  private static <K, V> TrieMap<Object, TrieMap<K, V>> without(
      TrieMap<Object, TrieMap<K, V>> content, Object under, K key) {
    TrieMap<K, V> fewer = at(content, under).without(key);
    return fewer.size() == 0 ? content.without(under) : content.with(under, fewer);
  }

  private static <K, V> TrieMap<K, V> at(TrieMap<Object, TrieMap<K, V>> content, Object under) {
    return content.find(Objects.requireNonNull(under)).orElse(TrieMap.empty());
  }

  /** The entries that an index has under this. */
  TrieMap<K, V> find(String index, Object under) {
    return at(content(index), under);
  }

  /** All under which an index has something. */
  TrieMap<Object, TrieMap<K, V>> content(String index) {
    for (int i = 0; i < indexes.size(); i++) {
      if (indexes.get(i).name().equals(index)) {
        return contents.get(i);
      }
    }
    throw new IllegalArgumentException(
        "the map was opened without an index %s; it has these: %s"
            .formatted(index, indexes.stream().map(Index::name).collect(Collectors.toList())));
  }
}
