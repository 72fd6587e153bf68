package corfu.objects.composed;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * A map that all clients share, made of as many buckets as it needs. Each bucket is a map, and an
 * object with its own stream. A client plays the buckets that it reads, and nothing else. Clients
 * that write different buckets share nothing. The map grows while it is in use: one bucket at a
 * time moves half of its keys to a new bucket.
 *
 * <pre>{@code
 * ObjectType<ComposedMap<String, Order>> type = ComposedMap.of(String.class, Order.class);
 * ComposedMap<String, Order> orders = objects.open("orders", type);
 * }</pre>
 *
 * Single calls are linearizable, and cost the same as on a {@link
 * corfu.objects.collection.ReplicatedMap}. Calls about the whole map ({@link #size}, {@link
 * #entrySet} and others) read one moment, and play all buckets. In transactions, too, it behaves
 * like that map: different keys do not conflict.
 *
 * <p>Outside of transactions, {@link #putAll} is atomic for each bucket. In a transaction it is
 * atomic as a whole, as long as an entry can be in that many streams (64 by default). Otherwise it
 * throws a {@link corfu.runtime.TooManyStreamsException}.
 *
 * <p>Neither keys nor values are null. Keys are texts, numbers, other simple values of the JDK,
 * enums, and lists and records of such; keys of other classes are all in one bucket. Returned
 * collections are immutable, and show the map at one moment.
 *
 * <p>Clients write checkpoints of the buckets by themselves, as of any object. It can't be rolled
 * back as a whole. Thread-safe.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface ComposedMap<K, V> extends Map<K, V> {

  /** The type of maps with such keys and values; it begins with a few buckets. */
  static <K, V> ComposedMapType<K, V> of(Class<K> keys, Class<V> values) {
    return ofTypes(keys, values);
  }

  /** The same where keys or values have type parameters of their own. */
  static <K, V> ComposedMapType<K, V> ofTypes(Type keys, Type values) {
    return new ComposedMapType<>(keys, values);
  }

  /** Puts without learning what was there before: returns when it is durable. */
  void fastPut(K key, V value);

  /** Removes without learning what was there: returns when it is durable. */
  void fastRemove(K key);

  /** How many buckets there are now; 0: nothing has ever been put into the map. */
  int buckets();

  /**
   * Adds a bucket, which one of the others gives half of its keys to. Clients do so by themselves
   * when buckets are full. All of it happens, or nothing; others read and write meanwhile.
   *
   * @throws corfu.objects.TransactionAbortedException if the bucket that is to be split is changed
   *     all the time
   */
  void addBucket();

  /** Takes one entry, however large the map is; what was in it stays in its history. */
  @Override
  void clear();

  /** Returns the map's current keys, bucket after bucket. */
  @Override
  Set<K> keySet();

  /** Returns the map's current values, in the order of {@link #keySet}. */
  @Override
  Collection<V> values();

  /** Returns the map's current entries, in the order of {@link #keySet}. */
  @Override
  Set<Entry<K, V>> entrySet();
}
