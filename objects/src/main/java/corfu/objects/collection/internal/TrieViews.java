package corfu.objects.collection.internal;

import corfu.objects.type.Shared;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Immutable collection views of a persistent hash map. */
public final class TrieViews {

  private TrieViews() {}

  public static <K, V> Map<K, V> map(TrieMap<K, V> entries) {
    return new Entire<>(entries);
  }

  public static <K, V> Set<Entry<K, V>> entries(TrieMap<K, V> entries) {
    return new Entries<>(entries);
  }

  public static <K> Set<K> keys(TrieMap<K, ?> entries) {
    return new Keys<>(entries);
  }

  public static <V> Collection<V> values(TrieMap<?, V> entries) {
    return new Values<>(entries);
  }

  private static final class Entire<K, V> extends AbstractMap<K, V> implements Shared {
    private final TrieMap<K, V> entries;

    Entire(TrieMap<K, V> entries) {
      this.entries = entries;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
      return key == null ? null : entries.get(key);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return get(key) != null;
    }

    @Override
    public Set<K> keySet() {
      return TrieViews.keys(entries);
    }

    @Override
    public Collection<V> values() {
      return TrieViews.values(entries);
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
      return TrieViews.entries(entries);
    }
  }

  private static final class Entries<K, V> extends AbstractSet<Entry<K, V>> implements Shared {
    private final TrieMap<K, V> entries;

    Entries(TrieMap<K, V> entries) {
      this.entries = entries;
    }

    @Override
    public int size() {
      return entries.size();
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
      return entries.iterator();
    }

    @Override
    public boolean contains(@Nullable Object other) {
      return other instanceof Entry<?, ?> entry
          && entry.getKey() != null
          && Objects.equals(entries.get(entry.getKey()), entry.getValue());
    }
  }

  private static final class Keys<K> extends AbstractSet<K> implements Shared {
    private final TrieMap<K, ?> entries;

    Keys(TrieMap<K, ?> entries) {
      this.entries = entries;
    }

    @Override
    public int size() {
      return entries.size();
    }

    @Override
    public boolean contains(@Nullable Object key) {
      return key != null && entries.get(key) != null;
    }

    @Override
    public Iterator<K> iterator() {
      return new MappedIterator<>(entries.iterator(), Entry::getKey);
    }
  }

  private static final class Values<V> extends AbstractCollection<V> implements Shared {
    private final TrieMap<?, V> entries;

    Values(TrieMap<?, V> entries) {
      this.entries = entries;
    }

    @Override
    public int size() {
      return entries.size();
    }

    @Override
    public Iterator<V> iterator() {
      return new MappedIterator<>(entries.iterator(), Entry::getValue);
    }
  }
}
