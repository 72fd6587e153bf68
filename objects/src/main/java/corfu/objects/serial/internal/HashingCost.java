package corfu.objects.serial.internal;

import java.util.Arrays;

/**
 * What it costs to fill the sets and maps of values that are written together: each element of a
 * set and each key of a map is hashed, with all that it consists of. It takes a few bytes to write
 * something that contains itself, or twice something that contains twice something, and for ever to
 * hash it; so as many values are hashed as the bytes are long, {@value #PER_BYTE} times, and no
 * more. Who writes keeps the same account as who reads: what is refused was never written. For one
 * thread.
 *
 * <p>A value weighs one, and a container, a record and an optional what is in them too, each time
 * they are referred to. Arrays, and objects as a rule, are hashed by what they are.
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

  /** What all values weigh so far. */
  long weight() {
    return weight;
  }

  /** What is counted since then weighs nothing: nobody hashes it. */
  void forgetSince(long before) {
    weight = before;
  }

  /** Something that may be referred to again, whose weight is one; places go up one by one. */
  void see(int place) {
    if (place >= weights.length) {
      weights = Arrays.copyOf(weights, 2 * weights.length);
    }
    weights[place] = 1;
  }

  /** Something that may be referred to again, and that is not complete yet. */
  void begin(int place) {
    see(place);
    weights[place] = ENDLESS;
  }

  /** It is complete, and consists of what was counted since. */
  void complete(int place, long before) {
    weights[place] = Math.min(ENDLESS, weight - before + 1);
  }

  /** A reference to something seen before. */
  void addAgain(int place) {
    weight += weights[place];
  }

  /** What was counted since is an element of a set or the key of a map. */
  void hash(long before) {
    hashed += Math.min(ENDLESS, weight - before);
  }

  /** Whether that is more than so many bytes may cost. */
  boolean isTooMuchFor(long bytes) {
    return hashed > ANYWAY + PER_BYTE * bytes;
  }
}
