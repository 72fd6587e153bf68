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
 * A list that all clients share. All that is about one index, or about an end, takes time that
 * grows with the logarithm of the size.
 *
 * <pre>{@code
 * List<String> log = objects.open("log", ReplicatedList.of(String.class));
 * }</pre>
 *
 * What adds at the end reads nothing, so it never stands in the way of others that do; who has read
 * or set an index conflicts with who sets it, and with what moves it, but not with what is added
 * behind. {@link #subList} and {@link #reversed} are of one moment. A stream that is opened as a
 * list may at the same time be opened as a {@link ReplicatedQueue} and a {@link ReplicatedStack}.
 *
 * @param <E> elements
 */
public interface ReplicatedList<E> extends ReplicatedCollection<E>, List<E> {

  /** The type of lists of such elements. */
  static <E> ObjectType<ReplicatedList<E>> of(Class<E> elements) {
    return ofTypes(elements);
  }

  /** The same where elements have type parameters, or are of several classes. */
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

  /** What is in this part now. */
  @Override
  @Accessor
  List<E> subList(int from, int to);

  @Override
  @MutatorAccessor
  E set(int index, E element);

  /** Sets without learning what was there before: returns when it is durable. */
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

  /** Adds them at the end; returns when it is durable. */
  @Mutator
  void fastAddAll(List<E> elements);

  /** Inserts them, in their order. */
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

  /** Runs with its caller, in a transaction. */
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

  /** Runs with its caller, in a transaction. */
  @Override
  @TransactionalMethod
  default void replaceAll(UnaryOperator<E> change) {
    List<E> changed = snapshot().stream().map(change).toList();
    clear();
    fastAddAll(changed);
  }

  /** Runs with its caller, in a transaction. */
  @Override
  @TransactionalMethod
  default void sort(@Nullable Comparator<? super E> order) {
    List<E> sorted = new ArrayList<>(snapshot());
    sorted.sort(order);
    clear();
    fastAddAll(sorted);
  }

  /** Over what it holds now; changes nothing. */
  @Override
  @TransactionalMethod(readOnly = true)
  default ListIterator<E> listIterator() {
    return snapshot().listIterator();
  }

  /** Over what it holds now; changes nothing. */
  @Override
  @TransactionalMethod(readOnly = true)
  default ListIterator<E> listIterator(int index) {
    return snapshot().listIterator(index);
  }

  /** Over what it holds now; removes nothing. */
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

  /** Over what it holds now. */
  @Override
  @TransactionalMethod(readOnly = true)
  default Spliterator<E> spliterator() {
    return snapshot().spliterator();
  }

  /** What it holds now, backwards. */
  @Override
  @TransactionalMethod(readOnly = true)
  default List<E> reversed() {
    return snapshot().reversed();
  }
}
