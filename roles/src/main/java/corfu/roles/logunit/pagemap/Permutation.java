package corfu.roles.logunit.pagemap;

/**
 * Keyed permutations of 16-bit numbers: hash functions that can be inverted (SLICE, section 4.4).
 *
 * <p>The number is split into two halves X and Y. Each half in turn is mixed with a hash of the
 * other. With the paper's two turns, neighbours in Y would share a hash of X; a third turn spreads
 * them.
 *
 * <pre>
 *   X1 = X  ^ H1(Y  ^ key byte 0)
 *   Y1 = Y  ^ H2(X1 ^ key byte 1)
 *   X2 = X1 ^ H3(Y1 ^ key byte 2)        result: X2 in the high byte, Y1 in the low one
 * </pre>
 *
 * H1 to H3 are arrays of 256 bytes. The paper makes two functions of one array by looking up 255 -
 * N instead of N; a key byte does the same 256 times.
 */
final class Permutation {

  /** The number of permuted numbers. */
  static final int NUMBERS = 1 << 16;

  private static final byte[] H1 = shuffledBytes(1);
  private static final byte[] H2 = shuffledBytes(2);
  private static final byte[] H3 = shuffledBytes(3);

  private Permutation() {}

  /**
   * Returns the number to which {@code number} is permuted under the low 24 bits of {@code key}.
   */
  static int apply(int key, int number) {
    int x = number >>> 8;
    int y = number & 0xff;
    x ^= H1[(y ^ key) & 0xff] & 0xff;
    y ^= H2[(x ^ key >>> 8) & 0xff] & 0xff;
    x ^= H3[(y ^ key >>> 16) & 0xff] & 0xff;
    return x << 8 | y;
  }

  /** Returns the number that {@link #apply} permutes to {@code permuted} under the same key. */
  static int invert(int key, int permuted) {
    int x = permuted >>> 8;
    int y = permuted & 0xff;
    x ^= H3[(y ^ key >>> 16) & 0xff] & 0xff;
    y ^= H2[(x ^ key >>> 8) & 0xff] & 0xff;
    x ^= H1[(y ^ key) & 0xff] & 0xff;
    return x << 8 | y;
  }

  /**
   * Returns a well-mixed function of its argument (the finalizer of SplitMix64), for keys and
   * choices.
   */
  static long mix(long number) {
    long z = (number + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** Returns all byte values in an order that depends only on the seed. */
  private static byte[] shuffledBytes(long seed) {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      int other = (int) Long.remainderUnsigned(mix(seed << 8 | i), i + 1);
      bytes[i] = bytes[other];
      bytes[other] = (byte) i;
    }
    return bytes;
  }
}
