package corfu.objects.composed;

import corfu.objects.type.KeyHash;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;

/**
 * Spreads keys over buckets: a permutation of their hashes after Luby and Rackoff, four rounds of a
 * Feistel network, so that neither the hashes' pattern nor anybody's choice of keys fills one
 * bucket. Equal in every process, for ever: it is how keys are found in the log.
 */
final class Spread {

  private static final int[] ROUND_KEYS = {0x9e3779b9, 0x7f4a7c15, 0xf39cc060, 0x5cedc834};

  private Spread() {}

  static long of(Object key) {
    return permuted(hash(key));
  }

  private static long hash(Object key) {
    return switch (key) {
      case Temporal time -> KeyHash.of(time.toString());
      case TemporalAmount time -> KeyHash.of(time.toString());
      case BigInteger number -> KeyHash.of(number.toString());
      case BigDecimal number -> KeyHash.of(number.toString());
      case URI uri -> uri.hashCode(); // equal ones need not have one text
      default -> KeyHash.of(key);
    };
  }

  /** Different for different bits. */
  static long permuted(long bits) {
    int left = (int) (bits >>> 32);
    int right = (int) bits;
    for (int roundKey : ROUND_KEYS) {
      int mixed = left ^ round(right, roundKey);
      left = right;
      right = mixed;
    }
    return (long) left << 32 | (right & 0xffff_ffffL);
  }

  private static int round(int half, int key) {
    int mixed = (half ^ key) * 0x7feb352d;
    mixed = (mixed ^ mixed >>> 15) * 0x846ca68b;
    return mixed ^ mixed >>> 16;
  }

  /**
   * Which of so many buckets: as linear hashing has it, so that one bucket more takes keys from one
   * other only.
   */
  static int bucket(long spread, int buckets) {
    int whole = Integer.highestOneBit(buckets);
    int bucket = (int) (spread & (2L * whole - 1));
    return bucket < buckets ? bucket : bucket - whole;
  }

  /** From which bucket the next one takes its keys. */
  static int nextToSplit(int buckets) {
    return buckets - Integer.highestOneBit(buckets);
  }
}
