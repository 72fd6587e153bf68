package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operations common to replicated collections. Elements are not null. Iterators, streams and
 * {@code forEach} traverse a {@link #snapshot} of the collection at one moment, and cannot change
 * the collection. Elements have a value-based {@code equals} and {@code hashCode}, not an
 * identity-based one. Thread-safe.
 *
 * @param <E> type of the elements
 */
public interface ReplicatedCollection<E> extends Collection<E> {

  /**
   * Returns the current elements as an immutable view, without a copy. The caller must not change
   * the elements either.
   */
  @Accessor
  Collection<E> snapshot();

  @Override
  @Accessor
  int size();

  @Override
  @Accessor
  boolean isEmpty();

  @Override
  @Accessor
  boolean contains(Object element);

  @Override
  @Accessor
  boolean containsAll(Collection<?> elements);

  @Override
  @MutatorAccessor
  boolean add(E element);

  /** Adds the element without waiting for the result; returns once the change is durable. */
  @Mutator
  void fastAdd(E element);

  @Override
  @MutatorAccessor
  boolean remove(Object element);

  @Override
  @MutatorAccessor
  boolean removeAll(Collection<?> elements);

  @Override
  @MutatorAccessor
  boolean retainAll(Collection<?> elements);

  @Override
  @Mutator
  void clear();

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default boolean removeIf(Predicate<? super E> filter) {
    Collection<E> removed = new ArrayList<>();
    for (E element : snapshot()) {
      if (filter.test(element)) {
        removed.add(element);
      }
    }
    return !removed.isEmpty() && removeAll(removed);
  }

  /** Returns an iterator over the current elements that does not support removal. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Iterator<E> iterator() {
    return snapshot().iterator();
  }

  /** Returns a spliterator over the current elements. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Spliterator<E> spliterator() {
    return snapshot().spliterator();
  }

  /** Returns a stream of the current elements. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Stream<E> stream() {
    return snapshot().stream();
  }

  /** Returns a parallel stream of the current elements. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Stream<E> parallelStream() {
    return snapshot().parallelStream();
  }

  /** Applies the action to each current element. */
  @Override
  @TransactionalMethod(readOnly = true)
  default void forEach(Consumer<? super E> action) {
    snapshot().forEach(action);
  }

  @Override
  @TransactionalMethod(readOnly = true)
  default Object[] toArray() {
    return snapshot().toArray();
  }

  @Override
  @TransactionalMethod(readOnly = true)
  default <A> A[] toArray(A[] array) {
    return snapshot().toArray(array);
  }

  @Override
  @TransactionalMethod(readOnly = true)
  default <A> A[] toArray(IntFunction<A[]> maker) {
    return snapshot().toArray(maker);
  }

  @Override
  @Accessor
  boolean equals(@Nullable Object other);

  @Override
  @Accessor
  int hashCode();

  @Override
  @Accessor
  String toString();
}
