package corfu.objects.collection;

import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A second way to find the entries of a map: by something that is worked out of each.
 *
 * <pre>{@code
 * Index.of("city", (name, user) -> user.city())
 * Index.ofMany("tag", (name, user) -> user.tags())
 * }</pre>
 *
 * The function gives the same for the same entry wherever and whenever it is called, does not
 * throw, and gives no null. What it gives has an {@code equals} and {@code hashCode} of its value.
 *
 * @param name what lookups call it; no two indexes of a map have the same
 * @param keys under what an entry is found: none, one or several
 * @param <K> keys of the map
 * @param <V> values of the map
 */
public record Index<K, V>(
    String name, BiFunction<? super K, ? super V, ? extends Collection<?>> keys) {

  /** An index that has each entry once. */
  public static <K, V> Index<K, V> of(
      String name, BiFunction<? super K, ? super V, ? extends Object> key) {
    return new Index<>(name, (k, v) -> List.of(key.apply(k, v)));
  }

  /** An index that has each entry as often as its function gives something for it. */
  public static <K, V> Index<K, V> ofMany(
      String name, BiFunction<? super K, ? super V, ? extends Collection<?>> keys) {
    return new Index<>(name, keys);
  }
}
