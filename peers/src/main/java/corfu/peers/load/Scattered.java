package corfu.peers.load;

/**
 * Numbers without a pattern that anybody could make use of, the same in every process (Marsaglia's
 * xorshift): all systems get the same payloads and keys. For one thread.
 */
final class Scattered {

  private static final long STEP = 0x9e3779b97f4a7c15L;

  private long state;

  /**
   * Begins a sequence.
   *
   * @param number others have another sequence
   */
  Scattered(int number) {
    state = (number + 1) * STEP;
  }

  long next() {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return state;
  }

  /** From 0 to one less than this. */
  int below(int bound) {
    return (int) Long.remainderUnsigned(next(), bound);
  }
}
