package corfu.objects.composed;

import corfu.objects.Parts;
import corfu.objects.TransactionAbortedException;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.composed.Directory.Extent;
import corfu.objects.composed.Directory.Place;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Replica;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A composed map as its users hold it. A {@link Directory} in the map's own stream tells how many
 * buckets there are; these are maps in streams of their own. Whoever changes a bucket relies on the
 * directory having nothing new about it, and who splits one on nothing being new in the bucket; so
 * the log has them one after the other, and no change lands where nobody looks for it.
 */
final class BucketMap<K, V> implements ComposedMap<K, V>, Replica {

  private final Invoker invoker;
  private final Parts parts;
  private final ComposedMapType<K, V> type;
  private final ObjectType<ReplicatedMap<K, V>> bucketType;
  private final Directory directory;
  private final Map<Place, ReplicatedMap<K, V>> buckets = new ConcurrentHashMap<>();
  private final Fullness fullness;
  private volatile boolean isBegun; // as far as it is known here
  private volatile Extent known = new Extent(0, 0); // as it was found last

  BucketMap(Invoker invoker, ComposedMapType<K, V> type) {
    this.invoker = invoker;
    this.type = type;
    this.parts = Parts.of(this);
    this.bucketType = type.bucketType();
    this.directory = parts.open(parts.id(), parts.name(), DirectoryState.TYPE);
    this.fullness = new Fullness(Math.max(1, type.bucketSize() / 4));
  }

  @Override
  public Invoker corfuInvoker() {
    return invoker;
  }

  // ----------------------------------------------------------------------------------------
  // finding

  private ReplicatedMap<K, V> bucket(Place place) {
    return buckets.computeIfAbsent(
        place, missing -> parts.open(missing.generation() + "/" + missing.bucket(), bucketType));
  }

  private Extent extent() {
    Extent now = directory.extent();
    if (known.generation() != now.generation()) {
      buckets.keySet().removeIf(place -> place.generation() != now.generation());
    }
    known = now;
    return now;
  }

  /** Where the key is, in the directory of the moment that the caller reads. */
  private Optional<Place> find(long spread) {
    return directory.find(spread).place();
  }

  /** Asks for the ends of the directory and the bucket together, if it is still that one. */
  private void prepare(long spread) {
    Extent guessed = known;
    if (guessed.buckets() > 0) {
      var place = new Place(guessed.generation(), Spread.bucket(spread, guessed.buckets()));
      parts.prepare(List.of(directory, bucket(place)));
    }
  }

  /** A call of a bucket. */
  private interface Call<M, R> {
    @Nullable R on(M bucket);
  }

  /** Reads the bucket of a key; null where there are none. */
  private <R> @Nullable R reading(Object key, Call<ReplicatedMap<K, V>, R> call) {
    long spread = Spread.of(key);
    return parts.<@Nullable R>read(
        () -> {
          prepare(spread);
          Optional<Place> place = find(spread);
          if (place.isEmpty()) {
            return null;
          }
          if (!isWhereKnown(place.get(), spread)) {
            var unused = extent();
          }
          return call.on(bucket(place.get()));
        });
  }

  private boolean isWhereKnown(Place place, long spread) {
    Extent guessed = known;
    return guessed.buckets() > 0
        && place.generation() == guessed.generation()
        && place.bucket() == Spread.bucket(spread, guessed.buckets());
  }

  /** Changes the bucket of a key. */
  private <R> @Nullable R changing(Object key, Call<ReplicatedMap<K, V>, R> call) {
    long spread = Spread.of(key);
    begin();
    return parts.<@Nullable R>route(
        () -> {
          Place place = find(spread).orElseThrow();
          wrote(place, 1);
          return call.on(bucket(place));
        });
  }

  /** Makes sure that there are buckets. */
  private void begin() {
    if (parts.isPast()) {
      throw new UnsupportedOperationException(
          "nothing can change %s as it was at an address of the log".formatted(parts.name()));
    }
    if (!isBegun) {
      boolean isOfATransaction = parts.isInTransaction(); // which may be given up
      if (find(0).isEmpty()) {
        var unused = directory.begin(type.firstBuckets());
      }
      isBegun = !isOfATransaction;
    }
  }

  // ---------------------------------------------------------------------------------- single keys

  @Override
  public @Nullable V get(Object key) {
    return reading(key, bucket -> bucket.get(key));
  }

  @Override
  public boolean containsKey(Object key) {
    return Boolean.TRUE.equals(reading(key, bucket -> bucket.containsKey(key)));
  }

  @Override
  public V getOrDefault(Object key, V other) {
    @Nullable V there = get(key);
    return there == null ? other : there;
  }

  @Override
  public @Nullable V put(K key, V value) {
    return changing(key, bucket -> bucket.put(key, value));
  }

  @Override
  public void fastPut(K key, V value) {
    changingBlindly(key, bucket -> bucket.fastPut(key, value));
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return changing(key, bucket -> bucket.putIfAbsent(key, value));
  }

  @Override
  public @Nullable V remove(Object key) {
    return changing(key, bucket -> bucket.remove(key));
  }

  @Override
  public boolean remove(Object key, Object value) {
    return Boolean.TRUE.equals(changing(key, bucket -> bucket.remove(key, value)));
  }

  @Override
  public void fastRemove(K key) {
    changingBlindly(key, bucket -> bucket.fastRemove(key));
  }

  private interface Blindly<M> {
    void change(M bucket);
  }

  private void changingBlindly(K key, Blindly<ReplicatedMap<K, V>> what) {
    @Nullable Boolean unused =
        changing(
            key,
            bucket -> {
              what.change(bucket);
              return true;
            });
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return changing(key, bucket -> bucket.replace(key, value));
  }

  @Override
  public boolean replace(K key, V before, V after) {
    return Boolean.TRUE.equals(changing(key, bucket -> bucket.replace(key, before, after)));
  }

  // ------------------------------------------------------------------------- with the caller's
  // code

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> make) {
    return parts.transact(() -> ComposedMap.super.computeIfAbsent(key, make));
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> change) {
    return parts.transact(() -> ComposedMap.super.computeIfPresent(key, change));
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> change) {
    return parts.transact(() -> ComposedMap.super.compute(key, change));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> change) {
    return parts.transact(() -> ComposedMap.super.merge(key, value, change));
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

  // ------------------------------------------------------------------------------- all of the map

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
    begin();
    while (!left.isEmpty()) {
      left.keySet().removeAll(parts.route(() -> putTogether(left)));
    }
  }

  /** Puts those that are in the bucket of the first one. */
  private Set<K> putTogether(Map<K, V> left) {
    Map<K, V> together = new LinkedHashMap<>();
    long first = Spread.of(left.keySet().iterator().next());
    Place place = find(first).orElseThrow();
    left.forEach(
        (key, value) -> {
          if (find(Spread.of(key)).filter(place::equals).isPresent()) {
            together.put(key, value);
          }
        });
    wrote(place, together.size());
    bucket(place).putAll(together);
    return together.keySet();
  }

  @Override
  public void clear() {
    directory.clear();
  }

  /** All buckets of the moment that the caller reads, after one question for all of them. */
  private List<ReplicatedMap<K, V>> allBuckets() {
    Extent extent = extent();
    List<ReplicatedMap<K, V>> all = new ArrayList<>(extent.buckets());
    for (int i = 0; i < extent.buckets(); i++) {
      all.add(bucket(new Place(extent.generation(), i)));
    }
    parts.prepare(all);
    return all;
  }

  @Override
  public int size() {
    return parts.read(
        () -> {
          long size = 0;
          for (ReplicatedMap<K, V> bucket : allBuckets()) {
            size += bucket.size();
          }
          return (int) Math.min(size, Integer.MAX_VALUE);
        });
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  private Map<K, V> snapshot() {
    return parts.read(
        () -> {
          List<Set<Entry<K, V>>> entries = new ArrayList<>();
          List<Set<K>> keys = new ArrayList<>();
          for (ReplicatedMap<K, V> bucket : allBuckets()) {
            entries.add(bucket.entrySet());
            keys.add(bucket.keySet());
          }
          return new BucketsView<>(entries, keys);
        });
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

  // -------------------------------------------------------------------------------------- growing

  @Override
  public int buckets() {
    return parts.read(this::extent).buckets();
  }

  @Override
  public void addBucket() {
    begin();
    boolean unused = parts.transact(this::splitNext);
  }

  /** One transaction: it has read all of the bucket that it splits, and all of the directory. */
  private boolean splitNext() {
    Extent extent = directory.extent();
    if (extent.buckets() == ComposedMapType.MOST_BUCKETS) {
      return false;
    }
    int from = Spread.nextToSplit(extent.buckets());
    int to = extent.buckets();
    ReplicatedMap<K, V> full = bucket(new Place(extent.generation(), from));
    Map<K, V> moved = new LinkedHashMap<>();
    full.forEach(
        (key, value) -> {
          if (Spread.bucket(Spread.of(key), to + 1) == to) {
            moved.put(key, value);
          }
        });
    directory.split(from);
    if (!moved.isEmpty()) {
      bucket(new Place(extent.generation(), to)).putAll(moved);
      moved.keySet().forEach(full::fastRemove);
    }
    return true;
  }

  /** Looks now and then whether a bucket is full that this client writes. */
  private void wrote(Place place, int entries) {
    if (fullness.isToBeLookedAt(place, entries)) {
      boolean unused = parts.later(() -> relieve(place)); // no room: next time
    }
  }

  /** Each full bucket that is met adds one bucket; in its turn it is split itself. */
  private void relieve(Place place) {
    try {
      if (place.generation() == extent().generation() && bucket(place).size() > type.bucketSize()) {
        addBucket();
      }
    } catch (TransactionAbortedException busy) {
      // it is written faster than it can be read; who writes it looks again
    }
  }
}
