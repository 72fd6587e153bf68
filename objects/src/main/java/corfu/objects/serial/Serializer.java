package corfu.objects.serial;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into bytes, and back. Thread-safe.
 *
 * <p>A serializer can read its own bytes for ever, also after the values' classes have gained
 * fields.
 */
public interface Serializer {

  /** The highest {@link #id}. */
  int MOST_ID = 127;

  /**
   * Says in the log who wrote a value: 0 is the standard one, 1 to {@link #MOST_ID} are the
   * application's to give.
   */
  int id();

  /**
   * One that also writes and reads values of these types, and of those that these lead to: their
   * fields', elements', permitted subclasses'.
   */
  Serializer knowing(Collection<? extends Type> types);

  /** Why values that are declared as this can never be written; empty: they may well be. */
  default Optional<String> objectionTo(Type declared) {
    return Optional.empty();
  }

  /**
   * Writes values one after the other.
   *
   * @throws SerializationException if one of them, or what it holds, can't be written
   */
  void write(@Nullable Object[] values, ValueOutput out);

  /**
   * Reads what {@link #write} has written, as many values as there were.
   *
   * @throws SerializationException if the bytes are damaged, or of a class that is not known
   */
  @Nullable Object[] read(ValueInput in);

  /**
   * Writes the same for somebody who reads it soon, or only digests it: of values that are {@link
   * InLog} it says where they are, and does not read them.
   */
  default void writePointing(@Nullable Object[] values, ValueOutput out) {
    write(values, out);
  }

  /**
   * Reads what {@link #write} or {@link #writePointing} has written, and leaves values that are
   * {@link InLog} where they are.
   *
   * @param places where that is
   * @throws SerializationException if the bytes are damaged, or of a class that is not known
   */
  default @Nullable Object[] read(ValueInput in, ValueLocator places) {
    return read(in);
  }

  /**
   * Digests what {@link #write} has written; empty: that can't be done, and nobody will notice
   * where states of replicas differ.
   */
  default Optional<Digester> digester() {
    return Optional.empty();
  }

  /** An equal value that shares nothing with this one that can be changed. */
  @Nullable Object copy(@Nullable Object value);
}
