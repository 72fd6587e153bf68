package corfu.objects.serial.internal;

import java.util.Arrays;

/**
 * The cost of filling the sets and maps of values that are written together: each element of a set
 * and each key of a map is hashed, with everything inside it. A value may contain itself, or
 * contain the same value twice at each of many levels. A few bytes can write such a value, but
 * hashing it would never end. So the number of hashed values is limited: to {@value #PER_BYTE} for
 * each byte, and a constant number more. The writer and the reader count alike, so a writer never
 * writes what a reader would refuse. For one thread.
 *
 * <p>A value weighs one. A container, a record and an optional also weigh their content, each time
 * that a value refers to them. Arrays, and objects as a rule, are hashed by identity, so their
 * content weighs nothing.
 */
final class HashingCost {

  private static final int PER_BYTE = 16;
  private static final long ANYWAY = 4_096;
  private static final long ENDLESS = 1L << 31; // as often as there can be bytes: still a long

  private long[] weights = new long[4]; // of what may be referred to again
  private long weight; // of all so far
  private long hashed; // weight of what was hashed so far

  /** Another value. */
  void addValue() {
    weight++;
  }

  /** Returns the weight of all values so far. */
  long weight() {
    return weight;
  }

  /** Drops the weight that was counted since then: nobody hashes those values. */
  void forgetSince(long before) {
    weight = before;
  }

  /** Adds a value that may be referred to again, and weighs one; places go up one by one. */
  void see(int place) {
    if (place >= weights.length) {
      weights = Arrays.copyOf(weights, 2 * weights.length);
    }
    weights[place] = 1;
  }

  /** Adds a value that may be referred to again, and is not complete yet. */
  void begin(int place) {
    see(place);
    weights[place] = ENDLESS;
  }

  /** Completes a value: its content is everything that was counted since it began. */
  void complete(int place, long before) {
    weights[place] = Math.min(ENDLESS, weight - before + 1);
  }

  /** Counts a reference to a value seen before. */
  void addAgain(int place) {
    weight += weights[place];
  }

  /** Counts the values since then as hashed: they are an element of a set or a key of a map. */
  void hash(long before) {
    hashed += Math.min(ENDLESS, weight - before);
  }

  /** Returns whether the hashed values exceed the limit for this number of bytes. */
  boolean isTooMuchFor(long bytes) {
    return hashed > ANYWAY + PER_BYTE * bytes;
  }
}
