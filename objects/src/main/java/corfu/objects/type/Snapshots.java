package corfu.objects.type;

import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a type's states are forked, saved and loaded. It is for types with persistent structures
 * inside, in which a fork shares everything that does not change. {@link #fork} needs constant time
 * and space. Different threads may read and change two forks, and neither fork sees the other's
 * changes.
 *
 * @param <T> states
 */
public interface Snapshots<T> {

  /** A state that is equal now, and goes its own way from here. */
  T fork(T state);

  /**
   * Hands over values from which {@link #load} can make an equal state. Each is serialized by
   * itself, so that a large state needs little memory beside its own.
   */
  void save(T state, Consumer<@Nullable Object> values);

  /** Makes the state whose values these are, in the order in which {@link #save} gave them. */
  T load(Iterator<@Nullable Object> values);
}
