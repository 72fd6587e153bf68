package corfu.objects.collection.internal;

import corfu.objects.type.Snapshots;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the states of lists, queues and stacks: a sequence in a cell. Several states
 * may share one cell, so each type can apply the changes of the others to its own state.
 */
public abstract class SequenceState<E> extends AbstractCollection<E> {

  /** The state name in checkpoints of all these types. */
  public static final String SAVED_AS = "ReplicatedList";

  private final Cell<E> cell;

  /** Holds the current elements. */
  public static final class Cell<E> {
    private Sequence<E> elements = Sequence.empty();
  }

  public SequenceState(Cell<E> cell) {
    this.cell = cell;
  }

  public Cell<E> cell() {
    return cell;
  }

  public Sequence<E> elements() {
    return cell.elements;
  }

  public void become(Sequence<E> elements) {
    cell.elements = elements;
  }

  /** Forks share the whole structure. A checkpoint holds the elements, from first to last. */
  public record SequenceSnapshots<E, T>(Function<Cell<E>, T> over, Function<T, SequenceState<E>> as)
      implements Snapshots<T> {

    private T of(Sequence<E> elements) {
      Cell<E> cell = new Cell<>();
      cell.elements = elements;
      return over.apply(cell);
    }

    @Override
    public T fork(T state) {
      return of(as.apply(state).elements());
    }

    @Override
    public void save(T state, Consumer<@Nullable Object> values) {
      as.apply(state).elements().forEach(values);
    }

    @Override
    @SuppressWarnings("unchecked") // as they were saved
    public T load(Iterator<@Nullable Object> values) {
      return of(
          Sequence.copyOf(
              new MappedIterator<>(values, value -> (E) Objects.requireNonNull(value))));
    }
  }

  public List<E> snapshot() {
    return new SequenceList<>(elements());
  }

  @Override
  public int size() {
    return elements().size();
  }

  @Override
  public Iterator<E> iterator() {
    return elements().iterator();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return snapshot().contains(element);
  }

  @Override
  public void clear() {
    become(Sequence.empty());
  }

  @Override
  public boolean add(E element) {
    fastAdd(element);
    return true;
  }

  public void fastAdd(E element) {
    become(elements().added(element));
  }

  public void fastAddAll(List<E> all) {
    Sequence<E> changed = elements();
    for (E element : all) {
      changed = changed.added(element);
    }
    become(changed);
  }

  public E first() {
    return elements().get(checkNotEmpty(0));
  }

  public E last() {
    return elements().get(checkNotEmpty(size() - 1));
  }

  public E takeFirst() {
    E element = first();
    become(elements().without(0));
    return element;
  }

  public E takeLast() {
    E element = last();
    become(elements().without(size() - 1));
    return element;
  }

  private int checkNotEmpty(int index) {
    if (isEmpty()) {
      throw new NoSuchElementException("it is empty");
    }
    return index;
  }

  @Override
  public boolean remove(@Nullable Object element) {
    int index = snapshot().indexOf(element);
    if (index < 0) {
      return false;
    }
    become(elements().without(index));
    return true;
  }

  @Override
  public boolean removeAll(Collection<?> removed) {
    return keep(element -> !removed.contains(element));
  }

  @Override
  public boolean retainAll(Collection<?> retained) {
    return keep(retained::contains);
  }

  private boolean keep(Predicate<E> wanted) {
    List<E> kept = snapshot().stream().filter(wanted).toList();
    boolean isLess = kept.size() < size();
    if (isLess) {
      become(Sequence.copyOf(kept.iterator()));
    }
    return isLess;
  }
}
