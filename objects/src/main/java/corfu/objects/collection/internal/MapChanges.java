package corfu.objects.collection.internal;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The common part of the states of maps: every change is a change of single keys. */
public abstract class MapChanges<K, V> extends AbstractMap<K, V> {

  /** Returns the current value of the key, or null if the key is absent. */
  @Override
  public abstract @Nullable V get(Object key);

  /** Puts a value without reading the previous one. */
  public abstract void fastPut(K key, V value);

  /** Removes the key, if it is present. */
  protected abstract void erase(Object key);

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  public V getOrDefault(Object key, V other) {
    @Nullable V there = get(key);
    return there == null ? other : there;
  }

  @Override
  public @Nullable V put(K key, V value) {
    @Nullable V before = get(key);
    fastPut(key, value);
    return before;
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    map.forEach(this::fastPut);
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    @Nullable V before = get(key);
    if (before == null) {
      fastPut(key, value);
    }
    return before;
  }

  @Override
  public @Nullable V remove(Object key) {
    @Nullable V before = get(key);
    erase(key);
    return before;
  }

  /** Removes a key without reading its value. */
  public void fastRemove(K key) {
    erase(Objects.requireNonNull(key));
  }

  @Override
  public boolean remove(Object key, Object value) {
    boolean is = value.equals(get(key));
    if (is) {
      erase(key);
    }
    return is;
  }

  @Override
  public @Nullable V replace(K key, V value) {
    @Nullable V before = get(key);
    if (before != null) {
      fastPut(key, value);
    }
    return before;
  }

  @Override
  public boolean replace(K key, V before, V after) {
    boolean is = before.equals(get(key));
    if (is) {
      fastPut(key, after);
    }
    return is;
  }
}
