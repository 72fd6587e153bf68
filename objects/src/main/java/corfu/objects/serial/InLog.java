package corfu.objects.serial;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;

/**
 * A value that stays in the log (dissertation, section 5.1.1). An object that holds this has only
 * the value's place in memory: a few dozen bytes. A call of {@link #get} reads the value from the
 * log.
 *
 * <pre>{@code
 * Map<String, InLog<byte[]>> pages =
 *     objects.open("pages", ReplicatedMap.inLog(String.class, byte[].class));
 * pages.put("front", InLog.of(bytes)); // in the log, and not in memory
 * byte[] front = pages.get("front").get(); // read from the log
 * }</pre>
 *
 * It can be an argument, an element, a key's value or a field, like any other value. Two are equal
 * if their written bytes are equal. All have the same hash code, so they are no good keys.
 * Immutable, and thread-safe. Written by the {@link StandardSerializer}.
 *
 * @param <V> the value, not null
 */
public interface InLog<V> {

  /**
   * Returns the value, which then belongs to the caller; reads it through the client's cache of
   * entries. If the value has moved because its entry was forgotten, it is read from the checkpoint
   * that has it.
   *
   * <p>Fails like the calls of {@link corfu.runtime.Log}, or with a {@code
   * HistoryTrimmedException}. The latter means that since this was read, another value has replaced
   * it in the object, and the history in between has been forgotten.
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
