package corfu.objects.collection;

import corfu.objects.collection.internal.CollectionType;
import corfu.objects.collection.internal.TrieMap;
import corfu.objects.collection.internal.TrieViews;
import corfu.objects.type.Snapshots;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The local state of a {@link ReplicatedSet}. */
final class SetState<E> extends AbstractSet<E> implements ReplicatedSet<E> {

  private static final CollectionType<ReplicatedSet<Object>> TYPE =
      CollectionType.of(
          CollectionOperations.FAMILIES, ReplicatedSet.class, SetState::new, new SetSnapshots<>());

  private TrieMap<E, Boolean> elements;

  SetState() {
    this(TrieMap.empty());
  }

  private SetState(TrieMap<E, Boolean> elements) {
    this.elements = elements;
  }

  @SuppressWarnings("unchecked") // it does not look at elements
  static <E> CollectionType<ReplicatedSet<E>> type() {
    return (CollectionType<ReplicatedSet<E>>) (Object) TYPE;
  }

  /** Forks share the whole structure. A checkpoint holds the elements. */
  static final class SetSnapshots<E> implements Snapshots<ReplicatedSet<E>> {

    @Override
    public ReplicatedSet<E> fork(ReplicatedSet<E> state) {
      return new SetState<>(elementsOf(state));
    }

    @Override
    public void save(ReplicatedSet<E> state, Consumer<@Nullable Object> values) {
      for (Map.Entry<E, Boolean> entry : elementsOf(state)) {
        values.accept(entry.getKey());
      }
    }

    @Override
    @SuppressWarnings("unchecked") // as they were saved
    public ReplicatedSet<E> load(Iterator<@Nullable Object> values) {
      SetState<E> state = new SetState<>();
      while (values.hasNext()) {
        state.fastAdd((E) Objects.requireNonNull(values.next()));
      }
      return state;
    }

    private static <E> TrieMap<E, Boolean> elementsOf(ReplicatedSet<E> state) {
      return ((SetState<E>) state).elements;
    }
  }

  @Override
  public Set<E> snapshot() {
    return TrieViews.keys(elements);
  }

  @Override
  public int size() {
    return elements.size();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return element != null && elements.get(element) != null;
  }

  @Override
  public Iterator<E> iterator() {
    return snapshot().iterator();
  }

  @Override
  public boolean add(E element) {
    int before = elements.size();
    fastAdd(element);
    return elements.size() > before;
  }

  @Override
  public void fastAdd(E element) {
    elements = elements.with(Objects.requireNonNull(element), true);
  }

  @Override
  public boolean remove(@Nullable Object element) {
    int before = elements.size();
    elements = elements.without(Objects.requireNonNull(element));
    return elements.size() < before;
  }

  @Override
  public void fastRemove(E element) {
    elements = elements.without(element);
  }

  @Override
  public boolean removeAll(Collection<?> removed) {
    int before = elements.size();
    removed.forEach(this::remove);
    return elements.size() < before;
  }

  @Override
  public boolean retainAll(Collection<?> retained) {
    int before = elements.size();
    for (E element : snapshot()) {
      if (!retained.contains(element)) {
        fastRemove(element);
      }
    }
    return elements.size() < before;
  }

  @Override
  public void clear() {
    elements = TrieMap.empty();
  }
}
