package corfu.peers.load;

/**
 * Pseudo-random numbers that are the same in every process (Marsaglia's xorshift): so all systems
 * get the same payloads and keys. Not thread-safe.
 */
final class PayloadRandom {

  private static final long STEP = 0x9e3779b97f4a7c15L;

  private long state;

  /**
   * Begins a sequence.
   *
   * @param number the number of the sequence; different numbers give different sequences
   */
  PayloadRandom(int number) {
    state = (number + 1) * STEP;
  }

  long next() {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return state;
  }

  /** Returns a number from 0 to {@code bound - 1}. */
  int below(int bound) {
    return (int) Long.remainderUnsigned(next(), bound);
  }
}
