package corfu.objects.collection;

import corfu.objects.collection.internal.Sequence;
import corfu.objects.collection.internal.SequenceList;
import corfu.objects.collection.internal.SequenceState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The local state of a {@link ReplicatedList}. */
final class ListState<E> extends SequenceState<E> implements ReplicatedList<E> {

  ListState(Cell<E> cell) {
    super(cell);
  }

  @Override
  public E get(int index) {
    return elements().get(index);
  }

  @Override
  public E getFirst() {
    return first();
  }

  @Override
  public E getLast() {
    return last();
  }

  @Override
  public int indexOf(@Nullable Object element) {
    return snapshot().indexOf(element);
  }

  @Override
  public int lastIndexOf(@Nullable Object element) {
    return snapshot().lastIndexOf(element);
  }

  @Override
  public List<E> subList(int from, int to) {
    return new SequenceList<>(elements(), from, to);
  }

  @Override
  public E set(int index, E element) {
    E before = get(index);
    fastSet(index, element);
    return before;
  }

  @Override
  public void fastSet(int index, E element) {
    become(elements().with(index, element));
  }

  @Override
  public void add(int index, E element) {
    become(elements().inserted(index, element));
  }

  @Override
  public void addFirst(E element) {
    add(0, element);
  }

  @Override
  public void addLast(E element) {
    fastAdd(element);
  }

  @Override
  public void insertAll(int index, List<E> inserted) {
    Sequence<E> changed = elements();
    for (int i = 0; i < inserted.size(); i++) {
      changed = changed.inserted(index + i, inserted.get(i));
    }
    become(changed);
  }

  @Override
  public E remove(int index) {
    E element = get(index);
    become(elements().without(index));
    return element;
  }

  @Override
  public E removeFirst() {
    return takeFirst();
  }

  @Override
  public E removeLast() {
    return takeLast();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return snapshot().equals(other);
  }

  @Override
  public int hashCode() {
    return snapshot().hashCode();
  }
}
