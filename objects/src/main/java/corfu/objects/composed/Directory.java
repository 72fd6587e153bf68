package corfu.objects.composed;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Key;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.type.Shared;
import java.util.Optional;

/** The list of a composed map's buckets. Its keys are the buckets' numbers. */
interface Directory {

  /** How many buckets there are now. */
  @Accessor
  Extent extent();

  /** Where a key is; empty: nothing has ever been put into the map. */
  @Accessor
  Found find(long spread);

  /** Fixes how many buckets there are in the beginning, unless somebody has; tells how many. */
  @MutatorAccessor
  Extent begin(int buckets);

  /** A bucket has given some of its keys to a new one. */
  @Mutator
  void split(@Key int bucket);

  /** From now on all buckets are new ones. */
  @Mutator
  void clear();

  /**
   * Which buckets there are.
   *
   * @param generation how often the map was cleared
   * @param buckets how many; 0: nothing has ever been put into the map
   */
  record Extent(long generation, int buckets) implements Shared {}

  /** A bucket of a generation. */
  record Place(long generation, int bucket) {}

  /** The result of {@link Directory#find}. */
  record Found(Optional<Place> place) implements Shared {}
}
