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
 * A queue that all clients share: no element is given to two of them.
 *
 * <pre>{@code
 * Queue<Job> jobs = objects.open("jobs", ReplicatedQueue.of(Job.class));
 * }</pre>
 *
 * What adds reads nothing. Two transactions that take elements stand in each other's way; but a
 * transaction that has taken one, left there by others, does not mind what is added meanwhile. One
 * that found the queue empty does. A stream that is opened as a queue may at the same time be
 * opened as a {@link ReplicatedList} and a {@link ReplicatedStack}.
 *
 * @param <E> elements
 */
public interface ReplicatedQueue<E> extends ReplicatedCollection<E>, Queue<E> {

  /** The type of queues of such elements. */
  static <E> ObjectType<ReplicatedQueue<E>> of(Class<E> elements) {
    return ofTypes(elements);
  }

  /** The same where elements have type parameters, or are of several classes. */
  static <E> ObjectType<ReplicatedQueue<E>> ofTypes(Type... elements) {
    return SequenceTypes.<E>queue().holding(elements);
  }

  /** What it holds now, the first one first. */
  @Override
  @Accessor
  List<E> snapshot();

  /** Always true: there is room for all. */
  @Override
  @MutatorAccessor
  boolean offer(E element);

  /** Adds them; returns when it is durable. */
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

  /** Takes the first ones, the first one first: as many as there are, but not more than this. */
  @MutatorAccessor
  List<E> poll(int most);

  @Override
  @Accessor
  E element();

  @Override
  @Accessor
  @Nullable E peek();
}
