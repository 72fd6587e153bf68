package corfu.objects.composed;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;

/**
 * The type of composed maps; see {@link ComposedMap#of}. Immutable.
 *
 * @param keyType what keys are
 * @param valueType what values are
 * @param firstBuckets how many buckets a map has in the beginning: who puts something into it first
 *     decides
 * @param bucketSize a bucket with more entries is full: somebody adds one to the map. Clients look
 *     every now and then, so there may be more in it for a while. A bucket is moved in one entry of
 *     the log: half of a full one has to fit.
 */
public record ComposedMapType<K, V>(Type keyType, Type valueType, int firstBuckets, int bucketSize)
    implements ComposedType<ComposedMap<K, V>> {

  private static final int FIRST_BUCKETS = 16;
  private static final int BUCKET_SIZE = 512;

  /** No map has more. */
  static final int MOST_BUCKETS = 1 << 24;

  public ComposedMapType {
    if (firstBuckets < 1 || firstBuckets > MOST_BUCKETS) {
      throw new IllegalArgumentException(
          "a map has 1 to %d buckets, not %d".formatted(MOST_BUCKETS, firstBuckets));
    }
    if (bucketSize < 2) {
      throw new IllegalArgumentException(
          "a bucket has room for two entries or more, not " + bucketSize);
    }
  }

  ComposedMapType(Type keyType, Type valueType) {
    this(keyType, valueType, FIRST_BUCKETS, BUCKET_SIZE);
  }

  /** The same for maps with as many buckets in the beginning. */
  public ComposedMapType<K, V> withBuckets(int first) {
    return new ComposedMapType<>(keyType, valueType, first, bucketSize);
  }

  /** The same for maps with as large buckets. */
  public ComposedMapType<K, V> withBucketSize(int entries) {
    return new ComposedMapType<>(keyType, valueType, firstBuckets, entries);
  }

  ObjectType<ReplicatedMap<K, V>> bucketType() {
    return ReplicatedMap.ofTypes(keyType, valueType);
  }

  @Override
  public String name() {
    return "ComposedMap";
  }

  @Override
  public ComposedMap<K, V> replica(Invoker invoker) {
    return new BucketMap<>(invoker, this);
  }
}
