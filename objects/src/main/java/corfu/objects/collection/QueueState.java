package corfu.objects.collection;

import corfu.objects.collection.internal.SequenceState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The local state of a {@link ReplicatedQueue}. */
final class QueueState<E> extends SequenceState<E> implements ReplicatedQueue<E> {

  QueueState(Cell<E> cell) {
    super(cell);
  }

  @Override
  public boolean offer(E element) {
    return add(element);
  }

  @Override
  public E remove() {
    return takeFirst();
  }

  @Override
  public @Nullable E poll() {
    return isEmpty() ? null : takeFirst();
  }

  @Override
  public List<E> poll(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("can't take " + most + " elements");
    }
    List<E> taken = List.copyOf(snapshot().subList(0, Math.min(most, size())));
    for (int i = 0; i < taken.size(); i++) {
      var unused = takeFirst();
    }
    return taken;
  }

  @Override
  public E element() {
    return first();
  }

  @Override
  public @Nullable E peek() {
    return isEmpty() ? null : first();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReplicatedQueue<?> queue && queue.snapshot().equals(snapshot());
  }

  @Override
  public int hashCode() {
    return snapshot().hashCode();
  }
}
