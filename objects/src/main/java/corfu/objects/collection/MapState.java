package corfu.objects.collection;

import corfu.objects.collection.internal.CollectionType;
import corfu.objects.collection.internal.IndexTable;
import corfu.objects.collection.internal.MapChanges;
import corfu.objects.collection.internal.TrieMap;
import corfu.objects.collection.internal.TrieViews;
import corfu.objects.type.Snapshots;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The local state of a {@link ReplicatedMap}, with or without indexes. */
final class MapState<K, V> extends MapChanges<K, V> implements ReplicatedIndexedMap<K, V> {

  /** The state name in checkpoints of all maps. */
  static final String SAVED_AS = "ReplicatedMap";

  private static final CollectionType<ReplicatedMap<Object, Object>> TYPE =
      CollectionType.<ReplicatedMap<Object, Object>>of(
              CollectionOperations.FAMILIES,
              ReplicatedMap.class,
              () -> new MapState<>(List.of()),
              new MapSnapshots<>(List.of()),
              FixedEntry.class)
          .savedAs(SAVED_AS);

  private TrieMap<K, V> entries;
  private IndexTable<K, V> table;

  MapState(List<Index<K, V>> indexes) {
    this(TrieMap.empty(), tableOf(indexes));
  }

  private static <K, V> IndexTable<K, V> tableOf(List<Index<K, V>> indexes) {
    List<BiFunction<? super K, ? super V, ? extends Collection<?>>> keys = new ArrayList<>();
    indexes.forEach(index -> keys.add(index.keys()));
    return IndexTable.of(indexes.stream().map(Index::name).toList(), keys);
  }

  private MapState(TrieMap<K, V> entries, IndexTable<K, V> table) {
    this.entries = entries;
    this.table = table;
  }

  @SuppressWarnings("unchecked") // it looks at neither keys nor values
  static <K, V> CollectionType<ReplicatedMap<K, V>> type() {
    return (CollectionType<ReplicatedMap<K, V>>) (Object) TYPE;
  }

  /**
   * Forks share the whole structure. A checkpoint holds alternating keys and values, without
   * indexes.
   */
  record MapSnapshots<K, V, T extends Map<K, V>>(List<Index<K, V>> indexes)
      implements Snapshots<T> {

    @Override
    public T fork(T state) {
      MapState<K, V> forked = as(state);
      return of(new MapState<>(forked.entries, forked.table));
    }

    @Override
    public void save(T state, Consumer<@Nullable Object> values) {
      for (Map.Entry<K, V> entry : as(state).entries) {
        values.accept(entry.getKey());
        values.accept(entry.getValue());
      }
    }

    @Override
    @SuppressWarnings("unchecked") // as they were saved
    public T load(Iterator<@Nullable Object> values) {
      MapState<K, V> state = new MapState<>(indexes);
      while (values.hasNext()) {
        K key = (K) Objects.requireNonNull(values.next());
        state.fastPut(key, (V) Objects.requireNonNull(values.next()));
      }
      return of(state);
    }

    private MapState<K, V> as(T state) {
      return (MapState<K, V>) (Map<K, V>) state;
    }

    @SuppressWarnings("unchecked") // all maps' interfaces that are hashed
    private T of(MapState<K, V> state) {
      return (T) (Object) state;
    }
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public @Nullable V get(Object key) {
    return entries.get(key);
  }

  @Override
  public void fastPut(K key, V value) {
    Objects.requireNonNull(value);
    if (!table.isEmpty()) {
      table = table.changed(key, entries.get(key), value);
    }
    entries = entries.with(Objects.requireNonNull(key), value);
  }

  @Override
  @SuppressWarnings("unchecked") // indexes hold no entry for an absent key
  protected void erase(Object key) {
    if (!table.isEmpty()) {
      table = table.changed((K) key, entries.get(key), null);
    }
    entries = entries.without(key);
  }

  @Override
  public void clear() {
    entries = TrieMap.empty();
    table = table.cleared();
  }

  @Override
  public Map<K, V> byIndex(String index, Object key) {
    return TrieViews.map(table.find(index, key));
  }

  @Override
  public Set<Object> indexKeys(String index) {
    return TrieViews.keys(table.content(index));
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return TrieViews.entries(entries);
  }

  @Override
  public Set<K> keySet() {
    return TrieViews.keys(entries);
  }

  @Override
  public Collection<V> values() {
    return TrieViews.values(entries);
  }
}
