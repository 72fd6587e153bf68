package corfu.objects.composed;

import corfu.objects.Parts;
import corfu.objects.ResultUnknownException;
import corfu.objects.TransactionAbortedException;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.composed.Directory.Extent;
import corfu.objects.composed.Directory.Place;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.runtime.CorfuException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The object that users of a composed map hold. A {@link Directory} in the map's own stream says
 * how many buckets exist. Each bucket is a map in its own stream. A change of a bucket is
 * conditional: the directory must have nothing new about that bucket. A split of a bucket is
 * conditional on the bucket being unchanged. So the log orders changes and splits one after the
 * other, and no change lands in a bucket where no reader looks for it.
 */
final class BucketMap<K, V> extends PartedMap<K, V> implements ComposedMap<K, V> {

  private final Parts parts;
  private final ComposedMapType<K, V> type;
  private final ObjectType<ReplicatedMap<K, V>> bucketType;
  private final Directory directory;
  private final Map<Place, ReplicatedMap<K, V>> buckets = new ConcurrentHashMap<>();
  private final Fullness<Place> fullness;
  private volatile Extent known = new Extent(0, 0); // as it was found last

  BucketMap(Invoker invoker, ComposedMapType<K, V> type) {
    super(invoker);
    this.type = type;
    this.parts = parts();
    this.bucketType = type.bucketType();
    this.directory = parts.openHere(parts.id(), parts.name(), DirectoryState.TYPE);
    this.fullness = new Fullness<>(Math.max(1, type.bucketSize() / 4));
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

  @Override
  <R> @Nullable R reading(Object key, Call<ReplicatedMap<K, V>, R> call) {
    long spread = Spread.of(key);
    boolean isAlone = !parts.isInTransaction(); // there, looking up the extent would be a read
    return parts.<@Nullable R>read(
        () -> {
          prepare(spread);
          Optional<Place> place = find(spread);
          if (place.isEmpty()) {
            return null;
          }
          if (isAlone && !isWhereKnown(place.get(), spread)) {
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

  @Override
  <R> @Nullable R changingIn(Object key, Call<ReplicatedMap<K, V>, R> call) {
    long spread = Spread.of(key);
    return parts.<@Nullable R>route(
        () -> {
          Place place = find(spread).orElseThrow();
          wrote(place, 1);
          return call.on(bucket(place));
        });
  }

  @Override
  void beginUnlessBegun() {
    while (find(0).isEmpty()) {
      try {
        var unused = directory.begin(type.firstBuckets());
      } catch (ResultUnknownException made) {
        // our caller's change has not been made: what came of this one, it would take for its own
      }
    }
  }

  // ------------------------------------------------------------------------------- all of the map

  @Override
  Set<K> putTogether(Map<K, V> left) {
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

  @Override
  Map<K, V> snapshot() {
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

  // -------------------------------------------------------------------------------------- growing

  @Override
  public int buckets() {
    return parts.read(this::extent).buckets();
  }

  @Override
  public void addBucket() {
    boolean unused =
        parts.inOneCall(
            deadline -> {
              begin();
              return parts.transact(this::splitNext);
            });
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
    } catch (TransactionAbortedException | CorfuException notNow) {
      // it is written faster than it can be read, or can't be reached; who writes it looks again
    }
  }
}
