package corfu.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An immutable, ordered index from keys to the places of their values. A change returns another
 * index, which shares all but a few nodes. It is a treap whose priorities come from the keys, so
 * its shape depends on its content only.
 */
final class OrderedIndex implements Iterable<Map.Entry<String, ValueLocation>> {

  static final OrderedIndex EMPTY = new OrderedIndex(null, 0);

  private record Node(String key, ValueLocation slot, @Nullable Node left, @Nullable Node right) {
    int priority() { // spreads similar hash codes
      int hash = key.hashCode() * 0x9E3779B9;
      hash = (hash ^ (hash >>> 15)) * 0x85EBCA6B;
      return hash ^ (hash >>> 13);
    }

    boolean isAbove(Node other) {
      int mine = priority();
      int its = other.priority();
      return mine > its || (mine == its && key.compareTo(other.key) > 0);
    }

    Node withLeft(@Nullable Node node) {
      return new Node(key, slot, node, right);
    }

    Node withRight(@Nullable Node node) {
      return new Node(key, slot, left, node);
    }
  }

  private final @Nullable Node root;
  private final int size;

  private OrderedIndex(@Nullable Node root, int size) {
    this.root = root;
    this.size = size;
  }

  int size() {
    return size;
  }

  Optional<ValueLocation> find(String key) {
    Node node = root;
    while (node != null) {
      int order = key.compareTo(node.key);
      if (order == 0) {
        return Optional.of(node.slot);
      }
      node = order < 0 ? node.left : node.right;
    }
    return Optional.empty();
  }

  OrderedIndex with(String key, ValueLocation slot) {
    boolean isNew = find(key).isEmpty();
    return new OrderedIndex(put(root, key, slot), isNew ? size + 1 : size);
  }

  private static Node put(@Nullable Node node, String key, ValueLocation slot) {
    if (node == null) {
      return new Node(key, slot, null, null);
    }
    int order = key.compareTo(node.key);
    if (order == 0) {
      return new Node(key, slot, node.left, node.right);
    }
    if (order < 0) {
      Node left = put(node.left, key, slot);
      return left.isAbove(node) ? left.withRight(node.withLeft(left.right)) : node.withLeft(left);
    }
    Node right = put(node.right, key, slot);
    return right.isAbove(node) ? right.withLeft(node.withRight(right.left)) : node.withRight(right);
  }

  OrderedIndex without(String key) {
    return find(key).isEmpty() ? this : new OrderedIndex(remove(root, key), size - 1);
  }

  private static @Nullable Node remove(@Nullable Node node, String key) {
    if (node == null) {
      return null;
    }
    int order = key.compareTo(node.key);
    if (order < 0) {
      return node.withLeft(remove(node.left, key));
    }
    return order > 0 ? node.withRight(remove(node.right, key)) : merge(node.left, node.right);
  }

  /** Merges two trees; all keys of the left one precede those of the right one. */
  private static @Nullable Node merge(@Nullable Node left, @Nullable Node right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return left.isAbove(right)
        ? left.withRight(merge(left.right, right))
        : right.withLeft(merge(left, right.left));
  }

  @Override
  public Iterator<Map.Entry<String, ValueLocation>> iterator() {
    return from("");
  }

  /** Returns the entries from this key on. */
  Iterator<Map.Entry<String, ValueLocation>> from(String first) {
    return new Ascending(root, first);
  }

  private static final class Ascending implements Iterator<Map.Entry<String, ValueLocation>> {

    private final Deque<Node> path = new ArrayDeque<>();

    Ascending(@Nullable Node root, String first) {
      Node node = root;
      while (node != null) {
        if (node.key.compareTo(first) >= 0) {
          path.push(node);
          node = node.left;
        } else {
          node = node.right;
        }
      }
    }

    @Override
    public boolean hasNext() {
      return !path.isEmpty();
    }

    @Override
    public Map.Entry<String, ValueLocation> next() {
      if (path.isEmpty()) {
        throw new NoSuchElementException("behind the last key");
      }
      Node next = path.pop();
      for (Node node = next.right; node != null; node = node.left) {
        path.push(node);
      }
      return Map.entry(next.key, next.slot);
    }
  }
}
