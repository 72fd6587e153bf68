package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Key;
import corfu.objects.annotation.Keys;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Iterator;
import java.util.Set;
import java.util.Spliterator;

/**
 * A set that all clients share. Transactions that touch different elements do not conflict. {@code
 * size} and every other operation on the whole set conflict with every change of the set.
 *
 * <pre>{@code
 * Set<String> members = objects.open("members", ReplicatedSet.of(String.class));
 * }</pre>
 *
 * {@link #fastAdd} and {@link #fastRemove} do not wait to learn whether the set contained the
 * element.
 *
 * @param <E> type of the elements
 */
public interface ReplicatedSet<E> extends ReplicatedCollection<E>, Set<E> {

  /** Returns the type of sets of this class of elements. */
  static <E> ObjectType<ReplicatedSet<E>> of(Class<E> elements) {
    return ofTypes(elements);
  }

  /** Returns the same type for elements with type parameters, or of several classes. */
  static <E> ObjectType<ReplicatedSet<E>> ofTypes(Type... elements) {
    return SetState.<E>type().holding(elements);
  }

  /** Returns the current elements. Their order has no meaning, but is the same at all clients. */
  @Override
  @Accessor
  Set<E> snapshot();

  @Override
  @Accessor
  boolean contains(@Key Object element);

  @Override
  @Accessor
  boolean containsAll(@Keys Collection<?> elements);

  @Override
  @MutatorAccessor("add member(Object)")
  boolean add(@Key E element);

  @Override
  @Mutator("fast add member(Object)")
  void fastAdd(@Key E element);

  @Override
  @MutatorAccessor("add members(Collection)")
  boolean addAll(@Keys Collection<? extends E> elements);

  @Override
  @MutatorAccessor("remove member(Object)")
  boolean remove(@Key Object element);

  /**
   * Removes the element without reading whether the set contains it; returns once the change is
   * durable.
   */
  @Mutator("fast remove member(Object)")
  void fastRemove(@Key E element);

  @Override
  @MutatorAccessor("remove members(Collection)")
  boolean removeAll(@Keys Collection<?> elements);

  @Override
  @MutatorAccessor("retain members(Collection)")
  boolean retainAll(Collection<?> elements);

  @Override
  @Mutator("clear members()")
  void clear();

  /** Returns an iterator over the current elements that does not support removal. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Iterator<E> iterator() {
    return snapshot().iterator();
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

  /** Returns a spliterator over the current elements. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Spliterator<E> spliterator() {
    return snapshot().spliterator();
  }
}
