package corfu.silver.internal.collect;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A set of log addresses: one bit for each address of the pieces of the log that have any. Not
 * thread-safe.
 */
final class AddressBits {

  private static final int PIECE = 1 << 16;
  private static final BitSet NONE = new BitSet(0);

  private final Map<Long, BitSet> pieces = new HashMap<>();

  void add(long address) {
    pieces.computeIfAbsent(address / PIECE, piece -> new BitSet()).set((int) (address % PIECE));
  }

  boolean has(long address) {
    return pieces.getOrDefault(address / PIECE, NONE).get((int) (address % PIECE));
  }
}
