package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Spliterator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list that all clients share. An operation on one index, or on an end of the list, needs
 * logarithmic time in the size.
 *
 * <pre>{@code
 * List<String> log = objects.open("log", ReplicatedList.of(String.class));
 * }</pre>
 *
 * Additions at the end read nothing, so they never conflict with each other. A transaction that has
 * read or set an index conflicts with changes that set this index or shift it, but not with
 * additions at the end. {@link #subList} and {@link #reversed} return the elements at one moment. A
 * stream that is opened as a list may at the same time be opened as a {@link ReplicatedQueue} and a
 * {@link ReplicatedStack}.
 *
 * @param <E> type of the elements
 */
public interface ReplicatedList<E> extends ReplicatedCollection<E>, List<E> {

  /** Returns the type of lists of this class of elements. */
  static <E> ObjectType<ReplicatedList<E>> of(Class<E> elements) {
    return ofTypes(elements);
  }

  /** Returns the same type for elements with type parameters, or of several classes. */
  static <E> ObjectType<ReplicatedList<E>> ofTypes(Type... elements) {
    return SequenceTypes.<E>list().holding(elements);
  }

  @Override
  @Accessor
  List<E> snapshot();

  @Override
  @Accessor
  E get(int index);

  @Override
  @Accessor
  E getFirst();

  @Override
  @Accessor
  E getLast();

  @Override
  @Accessor
  int indexOf(Object element);

  @Override
  @Accessor
  int lastIndexOf(Object element);

  /** Returns an immutable view of the current elements in this range of indexes. */
  @Override
  @Accessor
  List<E> subList(int from, int to);

  @Override
  @MutatorAccessor
  E set(int index, E element);

  /** Sets the element without reading the previous one; returns once the change is durable. */
  @Mutator
  void fastSet(int index, E element);

  @Override
  @Mutator
  void add(int index, E element);

  @Override
  @Mutator
  void addFirst(E element);

  @Override
  @Mutator
  void addLast(E element);

  /** Adds the elements at the end; returns once the change is durable. */
  @Mutator
  void fastAddAll(List<E> elements);

  /** Inserts the elements, in their order. */
  @Mutator
  void insertAll(int index, List<E> elements);

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
  @TransactionalMethod
  default boolean addAll(int index, Collection<? extends E> elements) {
    List<E> all = List.copyOf(elements);
    if (index < 0 || index > size()) {
      throw new IndexOutOfBoundsException(index);
    }
    if (!all.isEmpty()) {
      insertAll(index, all);
    }
    return !all.isEmpty();
  }

  @Override
  @MutatorAccessor
  E remove(int index);

  @Override
  @MutatorAccessor
  E removeFirst();

  @Override
  @MutatorAccessor
  E removeLast();

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default boolean removeIf(Predicate<? super E> filter) {
    List<E> before = snapshot();
    List<E> kept = before.stream().filter(filter.negate()).toList();
    boolean isLess = kept.size() < before.size();
    if (isLess) {
      clear();
      fastAddAll(kept);
    }
    return isLess;
  }

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default void replaceAll(UnaryOperator<E> change) {
    List<E> changed = snapshot().stream().map(change).toList();
    clear();
    fastAddAll(changed);
  }

  /** Runs at the calling client, in a transaction. */
  @Override
  @TransactionalMethod
  default void sort(@Nullable Comparator<? super E> order) {
    List<E> sorted = new ArrayList<>(snapshot());
    sorted.sort(order);
    clear();
    fastAddAll(sorted);
  }

  /** Returns an iterator over the current elements that does not support changes. */
  @Override
  @TransactionalMethod(readOnly = true)
  default ListIterator<E> listIterator() {
    return snapshot().listIterator();
  }

  /** Returns an iterator over the current elements that does not support changes. */
  @Override
  @TransactionalMethod(readOnly = true)
  default ListIterator<E> listIterator(int index) {
    return snapshot().listIterator(index);
  }

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

  /** Returns an immutable view of the current elements in reverse order. */
  @Override
  @TransactionalMethod(readOnly = true)
  default List<E> reversed() {
    return snapshot().reversed();
  }
}
