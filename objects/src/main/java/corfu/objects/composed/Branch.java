package corfu.objects.composed;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Key;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.type.Shared;
import corfu.protocol.StreamId;
import java.util.List;
import java.util.Optional;

/**
 * An inner node of a tree: which of its children has which keys. As conflicts go, its keys are the
 * children's ids.
 *
 * @param <K> keys
 */
interface Branch<K> {

  /** The child that a key belongs to. */
  @Accessor
  Found find(K key);

  /** All of it. */
  @Accessor
  Children<K> children();

  /** Gives a tree that is empty its first leaf, unless it has one. */
  @MutatorAccessor
  Found begin(StreamId leaf);

  /**
   * Makes a node of it that has these children.
   *
   * @param separators the lowest key of each child but the first
   */
  @Mutator
  void become(int level, List<StreamId> children, List<K> separators);

  /** A child has given its keys from this one on to a new child. */
  @Mutator
  void adopt(@Key StreamId split, K separator, StreamId child);

  /** A child, which is empty, is none any more: its neighbour has its keys. */
  @Mutator
  void disown(@Key StreamId child);

  /** Makes an empty tree of it. */
  @Mutator
  void clear();

  /**
   * A child that was found.
   *
   * @param level 1: children are leaves; 0: the tree is empty
   * @param child empty: the tree is empty
   */
  record Found(int level, Optional<StreamId> child) implements Shared {}

  /**
   * The children, the lowest keys first.
   *
   * @param separators the lowest key of each but the first
   */
  record Children<K>(int level, List<StreamId> ids, List<K> separators) implements Shared {
    public Children {
      ids = List.copyOf(ids);
      separators = List.copyOf(separators);
    }
  }
}
