package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A queue that all clients share. No two clients receive the same element.
 *
 * <pre>{@code
 * Queue<Job> jobs = objects.open("jobs", ReplicatedQueue.of(Job.class));
 * }</pre>
 *
 * Additions read nothing. Two transactions that remove elements conflict. A transaction that has
 * removed an element of another client does not conflict with concurrent additions. A transaction
 * that found the queue empty conflicts with them. A stream that is opened as a queue may at the
 * same time be opened as a {@link ReplicatedList} and a {@link ReplicatedStack}.
 *
 * @param <E> type of the elements
 */
public interface ReplicatedQueue<E> extends ReplicatedCollection<E>, Queue<E> {

  /** Returns the type of queues of this class of elements. */
  static <E> ObjectType<ReplicatedQueue<E>> of(Class<E> elements) {
    return ofTypes(elements);
  }

  /** Returns the same type for elements with type parameters, or of several classes. */
  static <E> ObjectType<ReplicatedQueue<E>> ofTypes(Type... elements) {
    return SequenceTypes.<E>queue().holding(elements);
  }

  /** Returns the current elements, from first to last. */
  @Override
  @Accessor
  List<E> snapshot();

  /** Adds the element. Returns true always: the capacity is unlimited. */
  @Override
  @MutatorAccessor
  boolean offer(E element);

  /** Adds the elements; returns once the change is durable. */
  @Mutator
  void fastAddAll(List<E> elements);

  @Override
  @TransactionalMethod
  default boolean addAll(Collection<? extends E> elements) {
    List<E> all = List.copyOf(elements);
    if (!all.isEmpty()) {
      fastAddAll(all);
    }
    return !all.isEmpty();
  }

  @Override
  @MutatorAccessor
  E remove();

  @Override
  @MutatorAccessor
  @Nullable E poll();

  /**
   * Removes and returns the first elements, in order: at most this many, fewer if the queue is
   * shorter.
   */
  @MutatorAccessor
  List<E> poll(int most);

  @Override
  @Accessor
  E element();

  @Override
  @Accessor
  @Nullable E peek();
}
