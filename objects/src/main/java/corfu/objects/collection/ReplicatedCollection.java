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
 * What replicated collections have in common. No element is null. Whatever goes through a
 * collection, as iterators, streams and {@code forEach} do, goes through what it held at one moment
 * ({@link #snapshot}), and changes nothing. Elements have an {@code equals} and {@code hashCode} of
 * their values, not of their identities. Thread-safe.
 *
 * @param <E> elements
 */
public interface ReplicatedCollection<E> extends Collection<E> {

  /** What it holds now: given at no cost, and never changed; nor must its elements be. */
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

  /** Adds, and does not wait to learn what came of it: returns when it is durable. */
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

  /** Runs with its caller, in a transaction. */
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

  /** Over what it holds now; removes nothing. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Iterator<E> iterator() {
    return snapshot().iterator();
  }

  /** Over what it holds now. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Spliterator<E> spliterator() {
    return snapshot().spliterator();
  }

  /** Of what it holds now. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Stream<E> stream() {
    return snapshot().stream();
  }

  /** Of what it holds now. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Stream<E> parallelStream() {
    return snapshot().parallelStream();
  }

  /** With what it holds now. */
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
