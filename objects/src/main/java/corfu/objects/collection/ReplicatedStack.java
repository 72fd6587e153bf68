package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stack that all clients share. A transaction that has read the top conflicts with every change
 * of the stack. {@link #push} reads nothing. A stream that is opened as a stack may at the same
 * time be opened as a {@link ReplicatedList}, whose last element is the stack's top, and as a
 * {@link ReplicatedQueue}. Elements are not null. Thread-safe.
 *
 * @param <E> type of the elements
 */
public interface ReplicatedStack<E> {

  /** Returns the type of stacks of this class of elements. */
  static <E> ObjectType<ReplicatedStack<E>> of(Class<E> elements) {
    return ofTypes(elements);
  }

  /** Returns the same type for elements with type parameters, or of several classes. */
  static <E> ObjectType<ReplicatedStack<E>> ofTypes(Type... elements) {
    return SequenceTypes.<E>stack().holding(elements);
  }

  /** Returns the current elements, the top last, as an immutable view without a copy. */
  @Accessor
  List<E> snapshot();

  @Accessor
  int size();

  @Accessor
  boolean isEmpty();

  /** Pushes the element; returns once the change is durable. */
  @Mutator
  void push(E element);

  /** Removes and returns the top, or returns empty if the stack is empty. */
  @MutatorAccessor
  Optional<E> pop();

  /** Returns the top, or empty if the stack is empty. */
  @Accessor
  Optional<E> peek();

  @Mutator
  void clear();

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
