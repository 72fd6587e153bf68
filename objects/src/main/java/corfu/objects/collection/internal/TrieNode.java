package corfu.objects.collection.internal;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link TrieMap}: entries, then nodes below it.
 *
 * <pre>
 *   content   k0 v0 k1 v1 ... | node n ... node 1 node 0
 *   entryMap  a bit for each of the 32 branches that holds one entry; nodeMap: a node
 * </pre>
 *
 * Where all bits of the hash are used up it holds entries of one hash, one behind the other: in
 * their order if they have one, otherwise as they came. It is never changed.
 */
final class TrieNode {

  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;
  private static final int HASH_BITS = Integer.SIZE;

  static final TrieNode EMPTY = new TrieNode(0, 0, new Object[0]);

  private final int entryMap;
  private final int nodeMap;
  private final Object[] content;

  /** Tells what a change has met. */
  static final class Change {
    private @Nullable Object before;

    Optional<Object> before() {
      return Optional.ofNullable(before);
    }
  }

  private TrieNode(int entryMap, int nodeMap, Object[] content) {
    this.entryMap = entryMap;
    this.nodeMap = nodeMap;
    this.content = content;
  }

  // --------------------------------------------------------------------------------------- reading

  int entries() {
    return (content.length - nodes()) / 2;
  }

  int nodes() {
    return Integer.bitCount(nodeMap);
  }

  Object key(int place) {
    return content[2 * place];
  }

  Object value(int place) {
    return content[2 * place + 1];
  }

  TrieNode node(int place) {
    return (TrieNode) content[content.length - 1 - place];
  }

  @Nullable Object get(Object key, int hash, int shift) {
    TrieNode node = this;
    int level = shift;
    while (level < HASH_BITS) {
      int bit = bit(hash, level);
      if ((node.entryMap & bit) != 0) {
        int place = place(node.entryMap, bit);
        return node.key(place).equals(key) ? node.value(place) : null;
      }
      if ((node.nodeMap & bit) == 0) {
        return null;
      }
      node = node.node(place(node.nodeMap, bit));
      level += BITS;
    }
    int place = node.find(key);
    return place < 0 ? null : node.value(place);
  }

  private int find(Object key) {
    for (int i = 0; i < entries(); i++) {
      if (key(i).equals(key)) {
        return i;
      }
    }
    return -1;
  }

  /** Where, among those of one hash: in their own order if they have one. */
  private int placeFor(Object key) {
    int place = entries();
    while (place > 0 && isLess(key, key(place - 1))) {
      place--;
    }
    return place;
  }

  @SuppressWarnings("unchecked") // of one class
  private static boolean isLess(Object one, Object other) {
    return one instanceof Comparable<?> ordered
        && one.getClass() == other.getClass()
        && ((Comparable<Object>) ordered).compareTo(other) < 0;
  }

  private static int bit(int hash, int shift) {
    return 1 << (hash >>> shift & MASK);
  }

  private static int place(int map, int bit) {
    return Integer.bitCount(map & bit - 1);
  }

  // -------------------------------------------------------------------------------------- changing

  TrieNode with(Object key, Object value, int hash, int shift, Change change) {
    if (shift >= HASH_BITS) {
      int place = find(key);
      return place < 0 ? withEntry(0, placeFor(key), key, value) : withValue(place, value, change);
    }
    int bit = bit(hash, shift);
    if ((entryMap & bit) != 0) {
      int place = place(entryMap, bit);
      Object there = key(place);
      if (there.equals(key)) {
        return withValue(place, value, change);
      }
      TrieNode both =
          pair(there, value(place), StableHash.of(there), key, value, hash, shift + BITS);
      return pushedDown(bit, both);
    }
    if ((nodeMap & bit) != 0) {
      int place = place(nodeMap, bit);
      TrieNode below = node(place);
      TrieNode changed = below.with(key, value, hash, shift + BITS, change);
      return changed == below ? this : withNode(place, changed);
    }
    return withEntry(bit, place(entryMap, bit), key, value);
  }

  TrieNode without(Object key, int hash, int shift, Change change) {
    if (shift >= HASH_BITS) {
      int place = find(key);
      return place < 0 ? this : withoutEntry(0, place, change);
    }
    int bit = bit(hash, shift);
    if ((entryMap & bit) != 0) {
      int place = place(entryMap, bit);
      return key(place).equals(key) ? withoutEntry(bit, place, change) : this;
    }
    if ((nodeMap & bit) == 0) {
      return this;
    }
    int place = place(nodeMap, bit);
    TrieNode below = node(place);
    TrieNode changed = below.without(key, hash, shift + BITS, change);
    if (changed == below) {
      return this;
    }
    return changed.nodeMap == 0 && changed.entries() == 1
        ? pulledUp(bit, changed)
        : withNode(place, changed);
  }

  /** Two entries whose hashes were equal up to here. */
  private static TrieNode pair(
      Object key1, Object value1, int hash1, Object key2, Object value2, int hash2, int shift) {
    if (shift >= HASH_BITS) {
      return new TrieNode(0, 0, new Object[] {key1, value1})
          .with(key2, value2, hash2, shift, new Change());
    }
    int bit1 = bit(hash1, shift);
    int bit2 = bit(hash2, shift);
    if (bit1 == bit2) {
      TrieNode below = pair(key1, value1, hash1, key2, value2, hash2, shift + BITS);
      return new TrieNode(0, bit1, new Object[] {below});
    }
    Object[] entries =
        Integer.compareUnsigned(bit1, bit2) < 0
            ? new Object[] {key1, value1, key2, value2}
            : new Object[] {key2, value2, key1, value1};
    return new TrieNode(bit1 | bit2, 0, entries);
  }

  private TrieNode withValue(int place, Object value, Change change) {
    change.before = value(place);
    if (change.before == value) {
      return this;
    }
    Object[] changed = content.clone();
    changed[2 * place + 1] = value;
    return new TrieNode(entryMap, nodeMap, changed);
  }

  private TrieNode withNode(int place, TrieNode node) {
    Object[] changed = content.clone();
    changed[changed.length - 1 - place] = node;
    return new TrieNode(entryMap, nodeMap, changed);
  }

  private TrieNode withEntry(int bit, int place, Object key, Object value) {
    Object[] changed = new Object[content.length + 2];
    System.arraycopy(content, 0, changed, 0, 2 * place);
    changed[2 * place] = key;
    changed[2 * place + 1] = value;
    System.arraycopy(content, 2 * place, changed, 2 * place + 2, content.length - 2 * place);
    return new TrieNode(entryMap | bit, nodeMap, changed);
  }

  private TrieNode withoutEntry(int bit, int place, Change change) {
    change.before = value(place);
    Object[] changed = new Object[content.length - 2];
    System.arraycopy(content, 0, changed, 0, 2 * place);
    System.arraycopy(content, 2 * place + 2, changed, 2 * place, changed.length - 2 * place);
    return new TrieNode(entryMap & ~bit, nodeMap, changed);
  }

  /** The entry of this branch becomes a node with two. */
  private TrieNode pushedDown(int bit, TrieNode both) {
    TrieNode rest = withoutEntry(bit, place(entryMap, bit), new Change());
    int place = place(nodeMap, bit);
    Object[] changed = Arrays.copyOf(rest.content, rest.content.length + 1);
    int at = rest.content.length - place;
    System.arraycopy(rest.content, at, changed, at + 1, place);
    changed[at] = both;
    return new TrieNode(rest.entryMap, nodeMap | bit, changed);
  }

  /** The node of this branch has one entry left, which belongs here. */
  private TrieNode pulledUp(int bit, TrieNode last) {
    int at = content.length - 1 - place(nodeMap, bit);
    Object[] fewer = new Object[content.length - 1];
    System.arraycopy(content, 0, fewer, 0, at);
    System.arraycopy(content, at + 1, fewer, at, fewer.length - at);
    return new TrieNode(entryMap, nodeMap & ~bit, fewer)
        .withEntry(bit, place(entryMap, bit), last.key(0), last.value(0));
  }
}
