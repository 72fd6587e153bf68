package corfu.objects.composed;

import corfu.objects.Parts;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.Invoker;
import corfu.objects.type.Replica;
import corfu.runtime.Deadline;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The common base of maps that are made of maps; each key is in exactly one of these. */
abstract class PartedMap<K, V> implements Map<K, V>, Replica {

  private final Invoker invoker;
  private final Parts parts;
  private volatile boolean isBegun; // as far as it is known here

  PartedMap(Invoker invoker) {
    this.invoker = invoker;
    this.parts = Parts.of(this);
  }

  @Override
  public Invoker corfuInvoker() {
    return invoker;
  }

  final Parts parts() {
    return parts;
  }

  /** A call of a part. */
  interface Call<M, R> {
    @Nullable R on(M part);
  }

  /** Reads the part that a key is in, as of one moment; null where there is none. */
  abstract <R> @Nullable R reading(Object key, Call<ReplicatedMap<K, V>, R> call);

  /** Changes the part that a key is in. */
  abstract <R> @Nullable R changingIn(Object key, Call<ReplicatedMap<K, V>, R> call);

  /** Makes sure that there are parts. */
  abstract void beginUnlessBegun();

  /** Puts those that are in the part of the first one; tells which; none: there is no part. */
  abstract Set<K> putTogether(Map<K, V> left);

  /** All of it at one moment. */
  abstract Map<K, V> snapshot();

  final void begin() {
    if (parts.isPast()) {
      throw new UnsupportedOperationException(
          "nothing can change %s as it was at an address of the log".formatted(parts.name()));
    }
    if (!isBegun) {
      boolean isOfATransaction = parts.isInTransaction(); // which may be given up
      beginUnlessBegun();
      isBegun = !isOfATransaction;
    }
  }

  private <R> @Nullable R changing(Object key, Call<ReplicatedMap<K, V>, R> call) {
    Objects.requireNonNull(key);
    return parts.<@Nullable R>inOneCall(
        deadline -> {
          begin();
          return changingIn(key, call);
        });
  }

  // ---------------------------------------------------------------------------------- single keys

  @Override
  public @Nullable V get(Object key) {
    return reading(key, part -> part.get(key));
  }

  @Override
  public boolean containsKey(Object key) {
    return Boolean.TRUE.equals(reading(key, part -> part.containsKey(key)));
  }

  @Override
  public V getOrDefault(Object key, V other) {
    @Nullable V there = get(key);
    return there == null ? other : there;
  }

  @Override
  public @Nullable V put(K key, V value) {
    return changing(key, part -> part.put(key, value));
  }

  public void fastPut(K key, V value) {
    changingBlindly(key, part -> part.fastPut(key, value));
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return changing(key, part -> part.putIfAbsent(key, value));
  }

  @Override
  public @Nullable V remove(Object key) {
    return changing(key, part -> part.remove(key));
  }

  @Override
  public boolean remove(Object key, Object value) {
    return Boolean.TRUE.equals(changing(key, part -> part.remove(key, value)));
  }

  public void fastRemove(K key) {
    changingBlindly(key, part -> part.fastRemove(key));
  }

  private interface Blindly<M> {
    void change(M bucket);
  }

  private void changingBlindly(K key, Blindly<ReplicatedMap<K, V>> what) {
    @Nullable Boolean unused =
        changing(
            key,
            part -> {
              what.change(part);
              return true;
            });
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return changing(key, part -> part.replace(key, value));
  }

  @Override
  public boolean replace(K key, V before, V after) {
    return Boolean.TRUE.equals(changing(key, part -> part.replace(key, before, after)));
  }

  // ------------------------------------------------------------------------- with the caller's
  // code

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> make) {
    return parts.transact(() -> Map.super.computeIfAbsent(key, make));
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> change) {
    return parts.transact(() -> Map.super.computeIfPresent(key, change));
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> change) {
    return parts.transact(() -> Map.super.compute(key, change));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> change) {
    return parts.transact(() -> Map.super.merge(key, value, change));
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> change) {
    boolean unused =
        parts.transact(
            () -> {
              entrySet()
                  .forEach(
                      entry ->
                          fastPut(entry.getKey(), change.apply(entry.getKey(), entry.getValue())));
              return true;
            });
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    snapshot().forEach(action);
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    Map<K, V> left = new LinkedHashMap<>(map);
    left.forEach(
        (key, value) -> {
          Objects.requireNonNull(key);
          Objects.requireNonNull(value);
        });
    if (left.isEmpty()) {
      return;
    }
    boolean unused = parts.inOneCall(deadline -> putAll(left, deadline));
  }

  private boolean putAll(Map<K, V> left, Deadline deadline) {
    int renewedAt = left.size();
    begin();
    while (!left.isEmpty()) {
      Set<K> put = parts.route(() -> putTogether(left));
      if (put.isEmpty()) {
        beginUnlessBegun(); // somebody has cleared it
      }
      left.keySet().removeAll(put);
      if (renewedAt - left.size() >= Deadline.ENTRIES) {
        renewedAt = left.size();
        deadline.renew();
      }
    }
    return true;
  }

  @Override
  public Set<K> keySet() {
    return snapshot().keySet();
  }

  @Override
  public Collection<V> values() {
    return snapshot().values();
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return snapshot().entrySet();
  }

  @Override
  public boolean containsValue(Object value) {
    return snapshot().containsValue(value);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof Map<?, ?> map && snapshot().equals(map));
  }

  @Override
  public int hashCode() {
    return snapshot().hashCode();
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}
