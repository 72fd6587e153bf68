package corfu.objects.serial;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A hash of a state. Equal states have equal digests, in whatever order their unordered collections
 * iterate. States that differ have different digests, except with a probability of 1 in 2^64.
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
