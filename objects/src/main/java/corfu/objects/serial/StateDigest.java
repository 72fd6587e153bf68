package corfu.objects.serial;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a state comes down to: two that are equal have equal digests, in whatever order their
 * unordered collections give their elements; two that differ have different ones but for one chance
 * in 2^64.
 *
 * @param hash of all values
 * @param shapes of the classes in it, by the hashes of their names, the hashes of their fields'
 *     names; not more than {@link #MOST_SHAPES}
 */
public record StateDigest(long hash, Map<Long, Long> shapes) {

  /** Of more classes nothing is noted. */
  public static final int MOST_SHAPES = 32;

  public StateDigest {
    shapes = Collections.unmodifiableMap(new TreeMap<>(shapes));
  }

  /**
   * Whether both were made by the same versions of their classes, as far as can be told: a class
   * that has gained a field has other digests.
   */
  public boolean isComparableTo(StateDigest other) {
    return shapes.entrySet().stream()
        .allMatch(
            shape ->
                shape
                    .getValue()
                    .equals(other.shapes.getOrDefault(shape.getKey(), shape.getValue())));
  }
}
