package corfu.objects.collection.internal;

import corfu.objects.collection.FixedEntry;
import corfu.objects.type.Shared;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** The immutable set of a sorted view's keys. */
final class SortedKeys<K> extends AbstractSet<K> implements NavigableSet<K>, Shared {

  private final SortedView<K, ?> view;

  SortedKeys(SortedView<K, ?> view) {
    this.view = view;
  }

  @Override
  public int size() {
    return view.size();
  }

  @Override
  public boolean contains(@Nullable Object key) {
    return view.containsKey(key);
  }

  @Override
  public Iterator<K> iterator() {
    return keys(view);
  }

  private static <K, V> Iterator<K> keys(SortedView<K, V> view) {
    return new MappedIterator<>(view.iterator(), FixedEntry::key);
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return view.comparator();
  }

  @Override
  public K first() {
    return view.firstKey();
  }

  @Override
  public K last() {
    return view.lastKey();
  }

  @Override
  public @Nullable K lower(K key) {
    return view.lowerKey(key);
  }

  @Override
  public @Nullable K floor(K key) {
    return view.floorKey(key);
  }

  @Override
  public @Nullable K ceiling(K key) {
    return view.ceilingKey(key);
  }

  @Override
  public @Nullable K higher(K key) {
    return view.higherKey(key);
  }

  @Override
  public @Nullable K pollFirst() {
    throw new UnsupportedOperationException("this is what the map held at one moment");
  }

  @Override
  public @Nullable K pollLast() {
    return pollFirst();
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return view.descendingKeySet();
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> subSet(K first, boolean withFirst, K last, boolean withLast) {
    return view.subMap(first, withFirst, last, withLast).navigableKeySet();
  }

  @Override
  public NavigableSet<K> headSet(K last, boolean withLast) {
    return view.headMap(last, withLast).navigableKeySet();
  }

  @Override
  public NavigableSet<K> tailSet(K first, boolean withFirst) {
    return view.tailMap(first, withFirst).navigableKeySet();
  }

  @Override
  public NavigableSet<K> subSet(K first, K last) {
    return subSet(first, true, last, false);
  }

  @Override
  public NavigableSet<K> headSet(K last) {
    return headSet(last, false);
  }

  @Override
  public NavigableSet<K> tailSet(K first) {
    return tailSet(first, true);
  }
}
