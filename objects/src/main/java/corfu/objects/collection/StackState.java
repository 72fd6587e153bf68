package corfu.objects.collection;

import corfu.objects.collection.internal.SequenceState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The local state of a {@link ReplicatedStack}. The top is the end of the sequence. */
final class StackState<E> extends SequenceState<E> implements ReplicatedStack<E> {

  StackState(Cell<E> cell) {
    super(cell);
  }

  @Override
  public void push(E element) {
    fastAdd(element);
  }

  @Override
  public Optional<E> pop() {
    return isEmpty() ? Optional.empty() : Optional.of(takeLast());
  }

  @Override
  public Optional<E> peek() {
    return isEmpty() ? Optional.empty() : Optional.of(last());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReplicatedStack<?> stack && stack.snapshot().equals(snapshot());
  }

  @Override
  public int hashCode() {
    return snapshot().hashCode();
  }
}
