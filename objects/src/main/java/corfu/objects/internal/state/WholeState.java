package corfu.objects.internal.state;

import corfu.objects.serial.Serializer;
import corfu.objects.type.Snapshots;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Snapshots of a plain class: its state is one value. */
public record WholeState<T>(Serializer serializer) implements Snapshots<T> {

  @Override
  @SuppressWarnings("unchecked") // a copy is of its original's class
  public T fork(T state) {
    return (T) Objects.requireNonNull(serializer.copy(state));
  }

  @Override
  public void save(T state, Consumer<@Nullable Object> values) {
    values.accept(state);
  }

  @Override
  @SuppressWarnings("unchecked") // checkpoints are marked with what can load them
  public T load(Iterator<@Nullable Object> values) {
    return (T) Objects.requireNonNull(values.next());
  }
}
