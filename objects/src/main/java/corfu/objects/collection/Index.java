package corfu.objects.collection;

import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A secondary index of a map: finds entries by keys that a function computes from each entry.
 *
 * <pre>{@code
 * Index.of("city", (name, user) -> user.city())
 * Index.ofMany("tag", (name, user) -> user.tags())
 * }</pre>
 *
 * The function is deterministic: it returns equal results for the same entry, at any time and in
 * any process. It does not throw, and never returns null. Its results have a value-based {@code
 * equals} and {@code hashCode}.
 *
 * @param name the name for lookups, unique among the indexes of a map
 * @param keys the function that returns the index keys of an entry: none, one or several
 * @param <K> type of the map's keys
 * @param <V> type of the map's values
 */
public record Index<K, V>(
    String name, BiFunction<? super K, ? super V, ? extends Collection<?>> keys) {

  /** Returns an index that has each entry under one index key. */
  public static <K, V> Index<K, V> of(
      String name, BiFunction<? super K, ? super V, ? extends Object> key) {
    return new Index<>(name, (k, v) -> List.of(key.apply(k, v)));
  }

  /** Returns an index that has each entry under every index key that the function returns. */
  public static <K, V> Index<K, V> ofMany(
      String name, BiFunction<? super K, ? super V, ? extends Collection<?>> keys) {
    return new Index<>(name, keys);
  }
}
