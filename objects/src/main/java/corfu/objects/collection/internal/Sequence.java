package corfu.objects.collection.internal;

import corfu.objects.collection.internal.SequenceNode.Edge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.ToIntFunction;

/**
 * A persistent sequence: what changes it gives another one, which shares nearly all of this one. A
 * tree of nodes of up to 32 that count what is below them, so that everything but going through it
 * takes logarithmic time, at any place. Equal sequences need not have equal trees, but nobody can
 * see that. Immutable.
 *
 * @param <E> elements, not null
 */
public final class Sequence<E> implements Iterable<E> {

  private static final Sequence<?> EMPTY = new Sequence<>(SequenceNode.EMPTY);

  private final SequenceNode root;

  private Sequence(SequenceNode root) {
    this.root = root;
  }

  @SuppressWarnings("unchecked") // it has no elements
  public static <E> Sequence<E> empty() {
    return (Sequence<E>) EMPTY;
  }

  /** One with these elements; takes time in proportion to their number. */
  public static <E> Sequence<E> copyOf(Iterator<? extends E> elements) {
    List<SequenceNode> leaves = new ArrayList<>();
    while (elements.hasNext()) {
      leaves.add(SequenceNode.leafOf(elements));
    }
    return new Sequence<>(SequenceNode.above(leaves.toArray(new SequenceNode[0])));
  }

  public int size() {
    return root.size();
  }

  /** How many nodes there are one below the other. */
  public int depth() {
    return root.depth();
  }

  /**
   * The element at an index.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  @SuppressWarnings("unchecked") // only what is of their type is put in
  public E get(int index) {
    return (E) root.get(Objects.checkIndex(index, size()));
  }

  public Sequence<E> with(int index, E element) {
    Objects.requireNonNull(element);
    return new Sequence<>(root.with(Objects.checkIndex(index, size()), element));
  }

  /** Before what is at the index now; behind everything if that is the size. */
  public Sequence<E> inserted(int index, E element) {
    Objects.requireNonNull(element);
    Objects.checkIndex(index, size() + 1);
    Edge edge = index == size() ? Edge.END : index == 0 ? Edge.FRONT : Edge.MIDDLE;
    return new Sequence<>(SequenceNode.rooted(root.inserted(index, element, edge), edge));
  }

  public Sequence<E> added(E element) {
    return inserted(size(), element);
  }

  public Sequence<E> without(int index) {
    return new Sequence<>(SequenceNode.trimmed(root.without(Objects.checkIndex(index, size()))));
  }

  /**
   * How many elements come before the first one that does not compare as less than zero; for
   * sequences that are in the order of the comparison.
   */
  @SuppressWarnings("unchecked") // only what is of their type is put in
  public int search(ToIntFunction<? super E> comparison) {
    return root.search((ToIntFunction<Object>) comparison);
  }

  @Override
  public Iterator<E> iterator() {
    return iterator(0, size());
  }

  /** Over the elements from one index up to, not including, another. */
  Iterator<E> iterator(int from, int to) {
    return new Elements(Objects.checkFromToIndex(from, to, size()), to);
  }

  private final class Elements implements Iterator<E> {
    private Object[] leaf = new Object[0];
    private int place; // in the leaf
    private int next;
    private final int end;

    Elements(int first, int end) {
      this.next = first;
      this.end = end;
    }

    private void enter() {
      leaf = root.leaf(next);
      place = root.placeInLeaf(next);
    }

    @Override
    public boolean hasNext() {
      return next < end;
    }

    @Override
    @SuppressWarnings("unchecked") // only what is of their type is put in
    public E next() {
      if (next >= end) {
        throw new NoSuchElementException();
      }
      if (place == leaf.length) {
        enter();
      }
      next++;
      return (E) leaf[place++];
    }
  }
}
