package corfu.access.gate;

import corfu.protocol.Epoch;
import corfu.protocol.TokenSeal;

/**
 * The seals of one identity that were found genuine last. A run of tokens comes in several
 * requests, and several runs are in flight. Lives on the server's loop.
 */
final class ProvenSeals {

  /** The number of remembered seals. */
  static final int MOST = 8;

  private final TokenSeal[] seals = new TokenSeal[MOST];
  private Epoch epoch = Epoch.NONE;
  private int count;
  private int next;

  boolean contains(TokenSeal seal, Epoch in) {
    if (!in.equals(epoch)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (seals[i].equals(seal)) {
        return true;
      }
    }
    return false;
  }

  /** Remembers a seal in the place of the oldest one. Forgets those of other epochs. */
  void add(TokenSeal seal, Epoch in) {
    if (!in.equals(epoch)) {
      epoch = in;
      count = 0;
      next = 0;
    }
    seals[next] = seal;
    next = (next + 1) % MOST;
    count = Math.max(count, next == 0 ? MOST : next);
  }
}
