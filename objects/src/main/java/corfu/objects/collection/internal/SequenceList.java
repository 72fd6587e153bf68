package corfu.objects.collection.internal;

import corfu.objects.type.Shared;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/** Part of a sequence, as a list that can't be changed. */
public final class SequenceList<E> extends AbstractList<E> implements RandomAccess, Shared {

  private final Sequence<E> elements;
  private final int from;
  private final int to;

  public SequenceList(Sequence<E> elements) {
    this(elements, 0, elements.size());
  }

  public SequenceList(Sequence<E> elements, int from, int to) {
    this.elements = elements;
    this.from = Objects.checkFromToIndex(from, to, elements.size());
    this.to = to;
  }

  @Override
  public int size() {
    return to - from;
  }

  @Override
  public E get(int index) {
    return elements.get(from + Objects.checkIndex(index, size()));
  }

  @Override
  public Iterator<E> iterator() {
    return elements.iterator(from, to);
  }

  @Override
  public List<E> subList(int first, int end) {
    Objects.checkFromToIndex(first, end, size());
    return new SequenceList<>(elements, from + first, from + end);
  }
}
