package corfu.objects.composed;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * A map that all clients share, made of as many maps as it needs: buckets, each an object with a
 * stream of its own. A client plays the buckets that it reads, and nothing else; those who write
 * different ones have nothing in common. It grows while it is used: a bucket at a time gives half
 * of its keys to a new one.
 *
 * <pre>{@code
 * ObjectType<ComposedMap<String, Order>> type = ComposedMap.of(String.class, Order.class);
 * ComposedMap<String, Order> orders = objects.open("orders", type);
 * }</pre>
 *
 * Single calls are linearizable, and cost what they cost on a {@link
 * corfu.objects.collection.ReplicatedMap}; what is about all of the map ({@link #size}, {@link
 * #entrySet} and others) is read at one moment, and plays all buckets. In transactions it is like
 * that map: different keys do not conflict. {@link #putAll} is atomic for each bucket; in a
 * transaction it is atomic, as long as an entry can be in as many streams ({@link
 * corfu.runtime.TooManyStreamsException} otherwise; 64 by default).
 *
 * <p>Neither keys nor values are null. Keys are texts, numbers, other simple values of the JDK,
 * enums, and lists and records of such; keys of other classes are all in one bucket. What is
 * returned of its content can't be changed, and is of one moment.
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

  /** What it holds now, bucket after bucket. */
  @Override
  Set<K> keySet();

  /** What it holds now, in the order of {@link #keySet}. */
  @Override
  Collection<V> values();

  /** What it holds now, in the order of {@link #keySet}. */
  @Override
  Set<Entry<K, V>> entrySet();
}
