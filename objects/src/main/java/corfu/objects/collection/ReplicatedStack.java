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
 * A stack that all clients share. A transaction that has looked at its top conflicts with every
 * change of it; {@link #push} reads nothing. A stream that is opened as a stack may at the same
 * time be opened as a {@link ReplicatedList}, whose last element is the stack's top, and as a
 * {@link ReplicatedQueue}. No element is null. Thread-safe.
 *
 * @param <E> elements
 */
public interface ReplicatedStack<E> {

  /** The type of stacks of such elements. */
  static <E> ObjectType<ReplicatedStack<E>> of(Class<E> elements) {
    return ofTypes(elements);
  }

  /** The same where elements have type parameters, or are of several classes. */
  static <E> ObjectType<ReplicatedStack<E>> ofTypes(Type... elements) {
    return SequenceTypes.<E>stack().holding(elements);
  }

  /** What it holds now, the top last: given at no cost, and never changed. */
  @Accessor
  List<E> snapshot();

  @Accessor
  int size();

  @Accessor
  boolean isEmpty();

  /** Puts it on top; returns when it is durable. */
  @Mutator
  void push(E element);

  /** Takes the top; empty if there is none. */
  @MutatorAccessor
  Optional<E> pop();

  /** The top; empty if there is none. */
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
