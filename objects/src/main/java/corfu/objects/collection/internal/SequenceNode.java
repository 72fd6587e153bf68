package corfu.objects.collection.internal;

import java.util.Arrays;
import java.util.Iterator;
import java.util.function.ToIntFunction;

/**
 * A node of a {@link Sequence}. All leaves are equally deep. Immutable. A node that {@link
 * #inserted} returns may be too wide by one; its caller then {@link #split splits} it. A node that
 * {@link #without} returns may be empty; its caller then drops it.
 */
abstract sealed class SequenceNode {

  /** The maximum number of elements, or of child nodes, in a node. */
  static final int WIDTH = 32;

  static final SequenceNode EMPTY = new Leaf(new Object[0]);

  /** At which end of the whole sequence something is inserted; there, nodes are kept full. */
  enum Edge {
    FRONT,
    MIDDLE,
    END
  }

  /** How many elements there are in it. */
  abstract int size();

  /** How many elements or nodes it holds itself. */
  abstract int width();

  /** How many nodes there are one below the other. */
  abstract int depth();

  abstract Object get(int index);

  abstract Object first();

  abstract SequenceNode with(int index, Object element);

  abstract SequenceNode inserted(int index, Object element, Edge edge);

  abstract SequenceNode without(int index);

  /** One with what this holds, and then what its neighbour to the right does. */
  abstract SequenceNode joined(SequenceNode right);

  /** One with some of what it holds itself. */
  abstract SequenceNode part(int from, int to);

  /** How many elements come before the first one that does not compare as less than zero. */
  abstract int search(ToIntFunction<Object> comparison);

  /** The elements of the leaf in which one is. */
  abstract Object[] leaf(int index);

  /** Where in its leaf an element is. */
  abstract int placeInLeaf(int index);

  /** Two of one that is too wide. */
  SequenceNode[] split(Edge edge) {
    int at =
        switch (edge) {
          case FRONT -> 1;
          case MIDDLE -> width() / 2;
          case END -> width() - 1;
        };
    return new SequenceNode[] {part(0, at), part(at, width())};
  }

  /** One of all of these, which are of one depth; the nodes in it are as full as can be. */
  static SequenceNode above(SequenceNode[] nodes) {
    SequenceNode[] level = nodes;
    while (level.length > 1) {
      SequenceNode[] next = new SequenceNode[(level.length + WIDTH - 1) / WIDTH];
      for (int i = 0; i < next.length; i++) {
        int end = Math.min(level.length, (i + 1) * WIDTH);
        next[i] = new Inner(Arrays.copyOfRange(level, i * WIDTH, end));
      }
      level = next;
    }
    return level.length == 0 ? EMPTY : level[0];
  }

  /** The next leaf of what is to come. */
  static SequenceNode leafOf(Iterator<?> elements) {
    Object[] filled = new Object[WIDTH];
    int count = 0;
    while (count < WIDTH && elements.hasNext()) {
      filled[count++] = elements.next();
    }
    return new Leaf(count == WIDTH ? filled : Arrays.copyOf(filled, count));
  }

  private static final class Leaf extends SequenceNode {
    private final Object[] elements;

    Leaf(Object[] elements) {
      this.elements = elements;
    }

    @Override
    int size() {
      return elements.length;
    }

    @Override
    int width() {
      return elements.length;
    }

    @Override
    Object get(int index) {
      return elements[index];
    }

    @Override
    int depth() {
      return 1;
    }

    @Override
    Object first() {
      return elements[0];
    }

    @Override
    SequenceNode with(int index, Object element) {
      Object[] changed = elements.clone();
      changed[index] = element;
      return new Leaf(changed);
    }

    @Override
    SequenceNode inserted(int index, Object element, Edge edge) {
      Object[] changed = new Object[elements.length + 1];
      System.arraycopy(elements, 0, changed, 0, index);
      changed[index] = element;
      System.arraycopy(elements, index, changed, index + 1, elements.length - index);
      return new Leaf(changed);
    }

    @Override
    SequenceNode without(int index) {
      Object[] changed = new Object[elements.length - 1];
      System.arraycopy(elements, 0, changed, 0, index);
      System.arraycopy(elements, index + 1, changed, index, changed.length - index);
      return new Leaf(changed);
    }

    @Override
    SequenceNode joined(SequenceNode right) {
      Object[] more = ((Leaf) right).elements;
      Object[] all = Arrays.copyOf(elements, elements.length + more.length);
      System.arraycopy(more, 0, all, elements.length, more.length);
      return new Leaf(all);
    }

    @Override
    SequenceNode part(int from, int to) {
      return new Leaf(Arrays.copyOfRange(elements, from, to));
    }

    @Override
    int search(ToIntFunction<Object> comparison) {
      int low = 0;
      int high = elements.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (comparison.applyAsInt(elements[middle]) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    @Override
    Object[] leaf(int index) {
      return elements;
    }

    @Override
    int placeInLeaf(int index) {
      return index;
    }
  }

  private static final class Inner extends SequenceNode {
    private final SequenceNode[] nodes;
    private final int[] ends; // how many elements there are in a node and those before it

    private Inner(SequenceNode[] nodes, int[] ends) {
      this.nodes = nodes;
      this.ends = ends;
    }

    Inner(SequenceNode[] nodes) {
      this(nodes, new int[nodes.length]);
      int end = 0;
      for (int i = 0; i < nodes.length; i++) {
        end += nodes[i].size();
        ends[i] = end;
      }
    }

    @Override
    int size() {
      return ends[ends.length - 1];
    }

    @Override
    int width() {
      return nodes.length;
    }

    /** In which node the element is. */
    private int placeOf(int index) {
      int low = 0;
      int high = ends.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (ends[middle] <= index) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private int start(int place) {
      return place == 0 ? 0 : ends[place - 1];
    }

    @Override
    Object get(int index) {
      int place = placeOf(index);
      return nodes[place].get(index - start(place));
    }

    @Override
    int depth() {
      return 1 + nodes[0].depth();
    }

    @Override
    Object first() {
      return nodes[0].first();
    }

    @Override
    SequenceNode with(int index, Object element) {
      int place = placeOf(index);
      return withNode(place, nodes[place].with(index - start(place), element));
    }

    private SequenceNode withNode(int place, SequenceNode node) {
      SequenceNode[] changed = nodes.clone();
      changed[place] = node;
      int more = node.size() - nodes[place].size();
      if (more == 0) {
        return new Inner(changed, ends);
      }
      int[] shifted = ends.clone();
      for (int i = place; i < shifted.length; i++) {
        shifted[i] += more;
      }
      return new Inner(changed, shifted);
    }

    /** Some nodes are replaced by others. */
    private SequenceNode exchanged(int from, int to, SequenceNode... others) {
      SequenceNode[] changed = new SequenceNode[nodes.length - (to - from) + others.length];
      System.arraycopy(nodes, 0, changed, 0, from);
      System.arraycopy(others, 0, changed, from, others.length);
      System.arraycopy(nodes, to, changed, from + others.length, nodes.length - to);
      return new Inner(changed);
    }

    @Override
    SequenceNode inserted(int index, Object element, Edge edge) {
      int place = index == 0 ? 0 : placeOf(index - 1); // behind the one before it
      SequenceNode node = nodes[place].inserted(index - start(place), element, edge);
      return node.width() <= WIDTH
          ? withNode(place, node)
          : exchanged(place, place + 1, node.split(edge));
    }

    @Override
    SequenceNode without(int index) {
      int place = placeOf(index);
      SequenceNode node = nodes[place].without(index - start(place));
      if (node.width() == 0) {
        return exchanged(place, place + 1);
      }
      if (place + 1 < nodes.length && node.width() + nodes[place + 1].width() <= WIDTH) {
        return exchanged(place, place + 2, node.joined(nodes[place + 1]));
      }
      if (place > 0 && nodes[place - 1].width() + node.width() <= WIDTH) {
        return exchanged(place - 1, place + 1, nodes[place - 1].joined(node));
      }
      return withNode(place, node);
    }

    @Override
    SequenceNode joined(SequenceNode right) {
      SequenceNode[] more = ((Inner) right).nodes;
      SequenceNode[] all = Arrays.copyOf(nodes, nodes.length + more.length);
      System.arraycopy(more, 0, all, nodes.length, more.length);
      return new Inner(all);
    }

    @Override
    SequenceNode part(int from, int to) {
      return new Inner(Arrays.copyOfRange(nodes, from, to));
    }

    @Override
    int search(ToIntFunction<Object> comparison) {
      int low = 0; // the last node whose first element compares as less, or the first node
      int high = nodes.length;
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (comparison.applyAsInt(nodes[middle].first()) < 0) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return start(low) + nodes[low].search(comparison);
    }

    @Override
    Object[] leaf(int index) {
      int place = placeOf(index);
      return nodes[place].leaf(index - start(place));
    }

    @Override
    int placeInLeaf(int index) {
      int place = placeOf(index);
      return nodes[place].placeInLeaf(index - start(place));
    }
  }

  /** Without the nodes on top that hold one other only. */
  static SequenceNode trimmed(SequenceNode root) {
    SequenceNode top = root;
    while (top instanceof Inner inner && inner.nodes.length <= 1) {
      top = inner.nodes.length == 0 ? EMPTY : inner.nodes[0];
    }
    return top;
  }

  /** A root that is not too wide. */
  static SequenceNode rooted(SequenceNode root, Edge edge) {
    return root.width() <= WIDTH ? root : new Inner(root.split(edge));
  }
}
