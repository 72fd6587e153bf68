package corfu.objects.composed;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The content of all buckets of a map at one moment; immutable. */
final class BucketsView<K, V> extends AbstractMap<K, V> {

  private final List<Set<Map.Entry<K, V>>> entries;
  private final List<Set<K>> keys;

  /**
   * @param entries of each bucket
   * @param keys of each bucket, too
   */
  BucketsView(List<Set<Map.Entry<K, V>>> entries, List<Set<K>> keys) {
    this.entries = entries;
    this.keys = keys;
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new Joined<>(entries);
  }

  @Override
  public Set<K> keySet() {
    return new Joined<>(keys) {
      @Override
      public boolean contains(@Nullable Object key) {
        return containsKey(key);
      }
    };
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return key != null
        && !keys.isEmpty()
        && keys.get(Spread.bucket(Spread.of(key), keys.size())).contains(key);
  }

  /** Sets that have nothing in common, as one. */
  private static class Joined<E> extends AbstractSet<E> {
    private final List<Set<E>> sets;

    Joined(List<Set<E>> sets) {
      this.sets = sets;
    }

    @Override
    public Iterator<E> iterator() {
      return sets.stream().flatMap(Set::stream).iterator();
    }

    @Override
    public int size() {
      return (int) Math.min(Integer.MAX_VALUE, sets.stream().mapToLong(Set::size).sum());
    }

    @Override
    public boolean contains(@Nullable Object element) {
      return sets.stream().anyMatch(set -> set.contains(element));
    }
  }
}
