package corfu.bytes.internal.extent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The extents of one version of a byte array, in the order of their offsets. Extents do not
 * overlap; a range without an extent reads as zeros. Immutable: a change returns a new map, which
 * shares all but a few nodes with the old one. So a map for each version costs little memory.
 *
 * <p>The map is a treap: a search tree by offsets that is a heap by pseudo-random priorities. Its
 * depth is logarithmic in the number of extents, whatever offsets a writer chooses, because the
 * priorities depend on a secret seed.
 */
public final class ExtentMap {

  /** An extent in the tree. Its children have lower priorities. */
  private static final class Node {

    private final @Nullable Node left;
    private final @Nullable Node right;
    private final long offset;
    private final long length;
    private final long address;
    private final long position;

    Node(
        @Nullable Node left,
        @Nullable Node right,
        long offset,
        long length,
        long address,
        long position) {
      this.left = left;
      this.right = right;
      this.offset = offset;
      this.length = length;
      this.address = address;
      this.position = position;
    }

    static Node of(Extent extent) {
      return new Node(
          null, null, extent.offset(), extent.length(), extent.address(), extent.position());
    }

    Node with(@Nullable Node newLeft, @Nullable Node newRight) {
      return newLeft == left && newRight == right
          ? this
          : new Node(newLeft, newRight, offset, length, address, position);
    }

    long end() {
      return offset + length;
    }

    Extent extent() {
      return new Extent(offset, length, address, position);
    }
  }

  /** The parts of a tree below and from an offset on. */
  private record Split(@Nullable Node below, @Nullable Node from) {}

  private final long seed;
  private final @Nullable Node root;

  private ExtentMap(long seed, @Nullable Node root) {
    this.seed = seed;
    this.root = root;
  }

  /**
   * Returns a map without extents.
   *
   * @param seed a number that writers do not know
   */
  public static ExtentMap empty(long seed) {
    return new ExtentMap(seed, null);
  }

  /** Returns this map with another extent in place of all that overlaps it. */
  public ExtentMap with(Extent extent) {
    return replace(extent.offset(), extent.end(), Node.of(extent));
  }

  /** Returns this map without the bytes from {@code from}, inclusive, to {@code to}, exclusive. */
  public ExtentMap without(long from, long to) {
    return from >= to ? this : replace(from, to, null);
  }

  /** Extents that reach over an end of the range are taken out whole, and their rests put back. */
  private ExtentMap replace(long from, long to, @Nullable Node middle) {
    Node first = across(from);
    Node last = across(to);
    Split low = split(root, first == null ? from : first.offset);
    Split high = split(low.from(), last == null ? to : last.end());
    Node tree = low.below();
    if (first != null) {
      tree = merge(tree, Node.of(first.extent().within(0, from)));
    }
    tree = merge(tree, middle);
    if (last != null) {
      tree = merge(tree, Node.of(last.extent().within(to, Long.MAX_VALUE)));
    }
    return new ExtentMap(seed, merge(tree, high.from()));
  }

  /** Returns the extent that holds bytes on both sides of an offset, or null if none does. */
  private @Nullable Node across(long offset) {
    Node node = find(offset);
    return node == null || node.offset == offset ? null : node;
  }

  /** Returns the parts of extents in a range, in the order of their offsets. */
  public List<Extent> in(long from, long to) {
    List<Extent> found = new ArrayList<>();
    visit(root, from, to, extent -> found.add(extent.within(from, to)));
    return found;
  }

  /** Calls the visitor with each extent, in the order of their offsets. */
  public void forEach(Consumer<Extent> visitor) {
    visit(root, 0, Long.MAX_VALUE, visitor);
  }

  /** Returns the first offset at or behind this one that an extent holds, or -1 if none does. */
  public long nextData(long offset) {
    Node node = root;
    long best = -1;
    while (node != null) {
      if (node.end() <= offset) {
        node = node.right;
      } else {
        best = Math.max(node.offset, offset);
        node = node.left;
      }
    }
    return best;
  }

  /** Returns the first offset at or behind this one that no extent holds. */
  public long nextHole(long offset) {
    long at = offset;
    while (true) {
      Node node = find(at);
      if (node == null) {
        return at;
      }
      at = node.end();
    }
  }

  private @Nullable Node find(long offset) {
    Node node = root;
    while (node != null && !(node.offset <= offset && offset < node.end())) {
      node = offset < node.offset ? node.left : node.right;
    }
    return node;
  }

  private static void visit(@Nullable Node node, long from, long to, Consumer<Extent> visitor) {
    Node at = node;
    while (at != null) {
      if (at.end() > from) {
        if (at.offset > from) {
          visit(at.left, from, to, visitor);
        }
        if (at.offset >= to) {
          return;
        }
        visitor.accept(at.extent());
      }
      at = at.right;
    }
  }

  private Split split(@Nullable Node node, long at) {
    if (node == null) {
      return new Split(null, null);
    }
    if (node.end() <= at) {
      Split right = split(node.right, at);
      return new Split(node.with(node.left, right.below()), right.from());
    }
    if (node.offset >= at) {
      Split left = split(node.left, at);
      return new Split(left.below(), node.with(left.from(), node.right));
    }
    throw new IllegalStateException("the extent at " + node.offset + " is across " + at);
  }

  /** Returns a tree of both; all offsets of the first are below those of the second. */
  private @Nullable Node merge(@Nullable Node below, @Nullable Node from) {
    if (below == null || from == null) {
      return below == null ? from : below;
    }
    return priority(below) >= priority(from)
        ? below.with(below.left, merge(below.right, from))
        : from.with(merge(below, from.left), from.right);
  }

  private long priority(Node node) {
    long mixed = (node.offset ^ seed) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 32);
  }
}
