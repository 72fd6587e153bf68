package corfu.objects.collection;

import corfu.objects.collection.internal.MapChanges;
import corfu.objects.collection.internal.MappedIterator;
import corfu.objects.collection.internal.Sequence;
import corfu.objects.collection.internal.SortedView;
import corfu.objects.type.Snapshots;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The local state of a {@link ReplicatedRangeMap}: a sequence of entries in key order. */
final class RangeMapState<K, V> extends MapChanges<K, V> implements ReplicatedRangeMap<K, V> {

  private Sequence<FixedEntry<K, V>> entries;

  RangeMapState() {
    this(Sequence.empty());
  }

  private RangeMapState(Sequence<FixedEntry<K, V>> entries) {
    this.entries = entries;
  }

  /** Forks share the whole structure. A checkpoint holds alternating keys and values. */
  static final class RangeMapSnapshots<K, V> implements Snapshots<ReplicatedRangeMap<K, V>> {

    @Override
    public ReplicatedRangeMap<K, V> fork(ReplicatedRangeMap<K, V> state) {
      return new RangeMapState<>(((RangeMapState<K, V>) state).entries);
    }

    @Override
    public void save(ReplicatedRangeMap<K, V> state, Consumer<@Nullable Object> values) {
      for (FixedEntry<K, V> entry : ((RangeMapState<K, V>) state).entries) {
        values.accept(entry.key());
        values.accept(entry.value());
      }
    }

    @Override
    @SuppressWarnings("unchecked") // as they were saved
    public ReplicatedRangeMap<K, V> load(Iterator<@Nullable Object> values) {
      Iterator<FixedEntry<K, V>> loaded =
          new MappedIterator<>(
              values,
              key ->
                  new FixedEntry<>(
                      (K) Objects.requireNonNull(key), (V) Objects.requireNonNull(values.next())));
      return new RangeMapState<>(Sequence.copyOf(loaded)); // saved in key order
    }
  }

  // ------------------------------------------------------------------------------------- changes

  /** Returns whether the entry at this place has the key. */
  private boolean isAt(int place, Object key) {
    return place < entries.size() && SortedView.compare(entries.get(place).key(), key) == 0;
  }

  @Override
  public @Nullable V get(Object key) {
    int place = SortedView.placeOf(entries, key);
    return isAt(place, key) ? entries.get(place).value() : null;
  }

  @Override
  public void fastPut(K key, V value) {
    var entry = new FixedEntry<>(Objects.requireNonNull(key), Objects.requireNonNull(value));
    int place = SortedView.placeOf(entries, key);
    entries = isAt(place, key) ? entries.with(place, entry) : entries.inserted(place, entry);
  }

  @Override
  protected void erase(Object key) {
    int place = SortedView.placeOf(entries, key);
    if (isAt(place, key)) {
      entries = entries.without(place);
    }
  }

  @Override
  public void removeRange(K from, K to) {
    int place = SortedView.placeOf(entries, from);
    for (int i = SortedView.placeOf(entries, to); i > place; i--) {
      entries = entries.without(i - 1);
    }
  }

  @Override
  public @Nullable Entry<K, V> pollFirstEntry() {
    return poll(0);
  }

  @Override
  public @Nullable Entry<K, V> pollLastEntry() {
    return poll(entries.size() - 1);
  }

  private @Nullable Entry<K, V> poll(int place) {
    if (isEmpty()) {
      return null;
    }
    Entry<K, V> entry = entries.get(place);
    entries = entries.without(place);
    return entry;
  }

  @Override
  public void clear() {
    entries = Sequence.empty();
  }

  // --------------------------------------------------------------------------------- what is there

  @Override
  public SortedView<K, V> snapshot() {
    return new SortedView<>(entries);
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return snapshot().entrySet();
  }

  @Override
  public NavigableSet<K> keySet() {
    return snapshot().keySet();
  }

  @Override
  public Collection<V> values() {
    return snapshot().values();
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return null;
  }

  @Override
  public K firstKey() {
    return snapshot().firstKey();
  }

  @Override
  public K lastKey() {
    return snapshot().lastKey();
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return snapshot().lowerKey(key);
  }

  @Override
  public @Nullable K floorKey(K key) {
    return snapshot().floorKey(key);
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return snapshot().ceilingKey(key);
  }

  @Override
  public @Nullable K higherKey(K key) {
    return snapshot().higherKey(key);
  }

  @Override
  public @Nullable Entry<K, V> firstEntry() {
    return snapshot().firstEntry();
  }

  @Override
  public @Nullable Entry<K, V> lastEntry() {
    return snapshot().lastEntry();
  }

  @Override
  public @Nullable Entry<K, V> lowerEntry(K key) {
    return snapshot().lowerEntry(key);
  }

  @Override
  public @Nullable Entry<K, V> floorEntry(K key) {
    return snapshot().floorEntry(key);
  }

  @Override
  public @Nullable Entry<K, V> ceilingEntry(K key) {
    return snapshot().ceilingEntry(key);
  }

  @Override
  public @Nullable Entry<K, V> higherEntry(K key) {
    return snapshot().higherEntry(key);
  }

  @Override
  public NavigableMap<K, V> subMap(K first, boolean withFirst, K last, boolean withLast) {
    return snapshot().subMap(first, withFirst, last, withLast);
  }

  @Override
  public NavigableMap<K, V> headMap(K last, boolean withLast) {
    return snapshot().headMap(last, withLast);
  }

  @Override
  public NavigableMap<K, V> tailMap(K first, boolean withFirst) {
    return snapshot().tailMap(first, withFirst);
  }

  @Override
  public NavigableMap<K, V> subMap(K first, K last) {
    return snapshot().subMap(first, last);
  }

  @Override
  public NavigableMap<K, V> headMap(K last) {
    return snapshot().headMap(last);
  }

  @Override
  public NavigableMap<K, V> tailMap(K first) {
    return snapshot().tailMap(first);
  }
}
