package corfu.objects.collection.internal;

import corfu.objects.collection.FixedEntry;
import corfu.objects.type.Shared;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A range of a sorted sequence of entries as an immutable map, ascending or descending. Keys beyond
 * its bounds are absent.
 */
public final class SortedView<K, V> extends AbstractMap<K, V>
    implements NavigableMap<K, V>, Shared {

  /** The direction in which the view traverses the sequence. */
  private enum Direction {
    UP,
    DOWN
  }

  private final Sequence<FixedEntry<K, V>> entries;
  private final int from;
  private final int to;
  private final Direction direction;

  private SortedView(Sequence<FixedEntry<K, V>> entries, int from, int to, Direction direction) {
    this.entries = entries;
    this.from = from;
    this.to = to;
    this.direction = direction;
  }

  /** Creates a view of the whole sequence, ascending. */
  public SortedView(Sequence<FixedEntry<K, V>> entries) {
    this(entries, 0, entries.size(), Direction.UP);
  }

  /** Returns the place in the sequence of the first entry whose key is not lower than this one. */
  public static <K> int placeOf(Sequence<? extends FixedEntry<K, ?>> entries, Object key) {
    return entries.search(entry -> compare(entry.key(), key));
  }

  @SuppressWarnings("unchecked") // the keys of a range map are comparable
  public static int compare(Object one, Object other) {
    return ((Comparable<Object>) one).compareTo(other);
  }

  // ----------------------------------------------------------------------------------- where

  /** Returns how many entries of the view come before a key. */
  private int before(Object key) {
    return direction == Direction.UP ? lower(key) : size() - lowerOrEqual(key);
  }

  /** Returns how many entries of the view come before a key or have this key. */
  private int through(Object key) {
    return direction == Direction.UP ? lowerOrEqual(key) : size() - lower(key);
  }

  private int lower(Object key) {
    return inside(placeOf(entries, key));
  }

  private int lowerOrEqual(Object key) {
    return inside(entries.search(entry -> compare(entry.key(), key) <= 0 ? -1 : 1));
  }

  private int inside(int place) {
    return Math.clamp(place, from, to) - from;
  }

  /** Returns the entry at a place in the view's order. */
  private FixedEntry<K, V> entry(int place) {
    return entries.get(direction == Direction.UP ? from + place : to - 1 - place);
  }

  private @Nullable FixedEntry<K, V> entryOrNull(int place) {
    return place < 0 || place >= size() ? null : entry(place);
  }

  private static <K> @Nullable K keyOf(@Nullable FixedEntry<K, ?> entry) {
    return entry == null ? null : entry.key();
  }

  // --------------------------------------------------------------------------------- single ones

  @Override
  public int size() {
    return to - from;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    if (key == null) {
      return null;
    }
    @Nullable FixedEntry<K, V> found = entryOrNull(before(key));
    return found != null && compare(found.key(), key) == 0 ? found.value() : null;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public @Nullable FixedEntry<K, V> lowerEntry(K key) {
    return entryOrNull(before(key) - 1);
  }

  @Override
  public @Nullable FixedEntry<K, V> floorEntry(K key) {
    return entryOrNull(through(key) - 1);
  }

  @Override
  public @Nullable FixedEntry<K, V> ceilingEntry(K key) {
    return entryOrNull(before(key));
  }

  @Override
  public @Nullable FixedEntry<K, V> higherEntry(K key) {
    return entryOrNull(through(key));
  }

  @Override
  public @Nullable FixedEntry<K, V> firstEntry() {
    return entryOrNull(0);
  }

  @Override
  public @Nullable FixedEntry<K, V> lastEntry() {
    return entryOrNull(size() - 1);
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return keyOf(lowerEntry(key));
  }

  @Override
  public @Nullable K floorKey(K key) {
    return keyOf(floorEntry(key));
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return keyOf(ceilingEntry(key));
  }

  @Override
  public @Nullable K higherKey(K key) {
    return keyOf(higherEntry(key));
  }

  @Override
  public K firstKey() {
    return existing(firstEntry());
  }

  @Override
  public K lastKey() {
    return existing(lastEntry());
  }

  private static <K> K existing(@Nullable FixedEntry<K, ?> entry) {
    if (entry == null) {
      throw new NoSuchElementException("it is empty");
    }
    return entry.key();
  }

  @Override
  public @Nullable FixedEntry<K, V> pollFirstEntry() {
    throw new UnsupportedOperationException("this is what the map held at one moment");
  }

  @Override
  public @Nullable FixedEntry<K, V> pollLastEntry() {
    return pollFirstEntry();
  }

  // --------------------------------------------------------------------------------------- ranges

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return direction == Direction.UP ? null : Collections.reverseOrder();
  }

  private SortedView<K, V> view(int start, int end) {
    return direction == Direction.UP
        ? new SortedView<>(entries, from + start, from + end, direction)
        : new SortedView<>(entries, to - end, to - start, direction);
  }

  @Override
  public SortedView<K, V> subMap(K first, boolean withFirst, K last, boolean withLast) {
    int order = compare(first, last);
    if (direction == Direction.UP ? order > 0 : order < 0) {
      throw new IllegalArgumentException(
          "the range from %s to %s is upside down".formatted(first, last));
    }
    int start = withFirst ? before(first) : through(first);
    return view(start, Math.max(start, withLast ? through(last) : before(last)));
  }

  @Override
  public SortedView<K, V> headMap(K last, boolean withLast) {
    return view(0, withLast ? through(last) : before(last));
  }

  @Override
  public SortedView<K, V> tailMap(K first, boolean withFirst) {
    return view(withFirst ? before(first) : through(first), size());
  }

  @Override
  public SortedView<K, V> subMap(K first, K last) {
    return subMap(first, true, last, false);
  }

  @Override
  public SortedView<K, V> headMap(K last) {
    return headMap(last, false);
  }

  @Override
  public SortedView<K, V> tailMap(K first) {
    return tailMap(first, true);
  }

  @Override
  public SortedView<K, V> descendingMap() {
    Direction other = direction == Direction.UP ? Direction.DOWN : Direction.UP;
    return new SortedView<>(entries, from, to, other);
  }

  // ----------------------------------------------------------------------------------- going
  // through

  Iterator<FixedEntry<K, V>> iterator() {
    if (direction == Direction.UP) {
      return entries.iterator(from, to);
    }
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < size();
      }

      @Override
      public FixedEntry<K, V> next() {
        if (next >= size()) {
          throw new NoSuchElementException();
        }
        return entry(next++);
      }
    };
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new Entries<>(this);
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return new SortedKeys<>(this);
  }

  @Override
  public NavigableSet<K> keySet() {
    return navigableKeySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return descendingMap().navigableKeySet();
  }

  @Override
  public Collection<V> values() {
    return new Values<>(this);
  }

  private static final class Entries<K, V> extends AbstractSet<Entry<K, V>> implements Shared {
    private final SortedView<K, V> view;

    Entries(SortedView<K, V> view) {
      this.view = view;
    }

    @Override
    public int size() {
      return view.size();
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
      return new MappedIterator<>(view.iterator(), entry -> entry);
    }

    @Override
    public boolean contains(@Nullable Object other) {
      return other instanceof Entry<?, ?> entry
          && entry.getValue() != null
          && entry.getValue().equals(view.get(entry.getKey()));
    }
  }

  private static final class Values<V> extends AbstractCollection<V> implements Shared {
    private final SortedView<?, V> view;

    Values(SortedView<?, V> view) {
      this.view = view;
    }

    @Override
    public int size() {
      return view.size();
    }

    @Override
    public Iterator<V> iterator() {
      return values(view);
    }

    private static <K, V> Iterator<V> values(SortedView<K, V> view) {
      return new MappedIterator<>(view.iterator(), FixedEntry::value);
    }
  }
}
