package corfu.objects.collection;

import corfu.objects.type.Shared;
import corfu.objects.type.Snapshots;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is behind a {@link ReplicatedMap}. */
final class MapState<K, V> extends AbstractMap<K, V> implements ReplicatedMap<K, V> {

  private TrieMap<K, V> entries;

  MapState() {
    this(TrieMap.empty());
  }

  private MapState(TrieMap<K, V> entries) {
    this.entries = entries;
  }

  /** Forks share everything; saved are keys and values in turns. */
  static final class MapSnapshots<K, V> implements Snapshots<ReplicatedMap<K, V>> {

    @Override
    public ReplicatedMap<K, V> fork(ReplicatedMap<K, V> state) {
      return new MapState<>(entriesOf(state));
    }

    @Override
    public void save(ReplicatedMap<K, V> state, Consumer<@Nullable Object> values) {
      for (Map.Entry<K, V> entry : entriesOf(state)) {
        values.accept(entry.getKey());
        values.accept(entry.getValue());
      }
    }

    @Override
    @SuppressWarnings("unchecked") // as they were saved
    public ReplicatedMap<K, V> load(Iterator<@Nullable Object> values) {
      TrieMap<K, V> entries = TrieMap.empty();
      while (values.hasNext()) {
        K key = (K) Objects.requireNonNull(values.next());
        entries = entries.with(key, (V) Objects.requireNonNull(values.next()));
      }
      return new MapState<>(entries);
    }

    private static <K, V> TrieMap<K, V> entriesOf(ReplicatedMap<K, V> state) {
      return ((MapState<K, V>) state).entries;
    }
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public boolean containsKey(Object key) {
    return entries.get(key) != null;
  }

  @Override
  public @Nullable V get(Object key) {
    return entries.get(key);
  }

  @Override
  public V getOrDefault(Object key, V other) {
    return entries.find(key).orElse(other);
  }

  @Override
  public @Nullable V put(K key, V value) {
    @Nullable V before = entries.get(key);
    fastPut(key, value);
    return before;
  }

  @Override
  public void fastPut(K key, V value) {
    entries = entries.with(Objects.requireNonNull(key), Objects.requireNonNull(value));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    map.forEach(this::fastPut);
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    @Nullable V before = entries.get(key);
    if (before == null) {
      fastPut(key, value);
    }
    return before;
  }

  @Override
  public @Nullable V remove(Object key) {
    @Nullable V before = entries.get(key);
    entries = entries.without(key);
    return before;
  }

  @Override
  public void fastRemove(K key) {
    entries = entries.without(key);
  }

  @Override
  public boolean remove(Object key, Object value) {
    if (!value.equals(entries.get(key))) {
      return false;
    }
    entries = entries.without(key);
    return true;
  }

  @Override
  public @Nullable V replace(K key, V value) {
    @Nullable V before = entries.get(key);
    if (before != null) {
      fastPut(key, value);
    }
    return before;
  }

  @Override
  public boolean replace(K key, V before, V after) {
    if (!before.equals(entries.get(key))) {
      return false;
    }
    fastPut(key, after);
    return true;
  }

  @Override
  public void clear() {
    entries = TrieMap.empty();
  }

  // ---------------------------------------------------------------------------- what others are
  // given

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new Entries<>(entries);
  }

  @Override
  public Set<K> keySet() {
    return new KeysView<>(entries);
  }

  @Override
  public Collection<V> values() {
    return new ValuesView<>(entries);
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

  private static final class KeysView<K> extends AbstractSet<K> implements Shared {
    private final TrieMap<K, ?> entries;

    KeysView(TrieMap<K, ?> entries) {
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
      return new Mapped<>(entries.iterator(), Entry::getKey);
    }
  }

  private static final class ValuesView<V> extends AbstractCollection<V> implements Shared {
    private final TrieMap<?, V> entries;

    ValuesView(TrieMap<?, V> entries) {
      this.entries = entries;
    }

    @Override
    public int size() {
      return entries.size();
    }

    @Override
    public Iterator<V> iterator() {
      return new Mapped<>(entries.iterator(), Entry::getValue);
    }
  }
}
