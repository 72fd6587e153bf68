package corfu.objects.serial;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;

/**
 * A value that stays in the log: an object that holds this has in memory where the value is, a few
 * dozen bytes, and it is read from there when somebody wants it (dissertation, section 5.1.1).
 *
 * <pre>{@code
 * Map<String, InLog<byte[]>> pages =
 *     objects.open("pages", ReplicatedMap.inLog(String.class, byte[].class));
 * pages.put("front", InLog.of(bytes)); // in the log, and not in memory
 * byte[] front = pages.get("front").get(); // read from the log
 * }</pre>
 *
 * It is an argument, an element, a key's value or a field like any other. Two are equal if the
 * bytes are that were written. All have the same hash code, so that they are no good keys.
 * Immutable, and thread-safe. Written by the {@link StandardSerializer}.
 *
 * @param <V> the value, not null
 */
public interface InLog<V> {

  /**
   * The value, as the caller's own; read through the client's cache of entries. What has moved, as
   * its entry was forgotten, is read from the checkpoint that has it.
   *
   * <p>Ends like the calls of {@link corfu.runtime.Log}, or as a {@code HistoryTrimmedException}:
   * since this was read, the object has been given another value in its place, and the history in
   * between has been forgotten.
   */
  V get();

  /**
   * One that is about to be written.
   *
   * @param value it must not change
   */
  static <V> InLog<V> of(V value) {
    return new UnwrittenValue<>(value);
  }

  /** The type of those that have such values, where types are named that a collection holds. */
  static Type type(Type value) {
    return new InLogOf(value);
  }

  /** The values of all these, in their order: entries are fetched together. */
  static <V> List<V> getAll(Collection<? extends InLog<V>> wanted) {
    return ValueFetcher.all(wanted);
  }
}
