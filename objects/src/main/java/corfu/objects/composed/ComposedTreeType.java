package corfu.objects.composed;

import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;

/**
 * The type of composed trees; see {@link ComposedTree#of}. Immutable.
 *
 * @param keyType what keys are
 * @param valueType what values are
 * @param leafSize a leaf with more entries is split. Clients look every now and then, so there may
 *     be more in it for a while; half of a full one has to fit into one entry of the log.
 * @param branchSize an inner node with more children is split
 */
public record ComposedTreeType<K extends Comparable<? super K>, V>(
    Type keyType, Type valueType, int leafSize, int branchSize)
    implements ComposedType<ComposedTree<K, V>> {

  private static final int LEAF_SIZE = 256;
  private static final int BRANCH_SIZE = 128;

  public ComposedTreeType {
    if (leafSize < 2 || branchSize < 3) {
      throw new IllegalArgumentException(
          "a leaf has room for 2 entries, a branch for 3 children at least, not %d and %d"
              .formatted(leafSize, branchSize));
    }
  }

  ComposedTreeType(Type keyType, Type valueType) {
    this(keyType, valueType, LEAF_SIZE, BRANCH_SIZE);
  }

  /** The same with nodes of such sizes. */
  public ComposedTreeType<K, V> withNodes(int entriesOfLeaf, int childrenOfBranch) {
    return new ComposedTreeType<>(keyType, valueType, entriesOfLeaf, childrenOfBranch);
  }

  ObjectType<ReplicatedRangeMap<K, V>> leafType() {
    return ReplicatedRangeMap.ofTypes(keyType, valueType);
  }

  ObjectType<Branch<K>> branchType() {
    return BranchState.type(keyType);
  }

  @Override
  public String name() {
    return "ComposedTree";
  }

  @Override
  public ComposedTree<K, V> replica(Invoker invoker) {
    return new NodeTree<>(invoker, this);
  }
}
