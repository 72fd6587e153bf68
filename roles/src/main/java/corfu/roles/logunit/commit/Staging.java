package corfu.roles.logunit.commit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/** A pool of memory outside the heap in which batches are assembled. It retains at most 8 MiB. */
final class Staging {

  static final int BUFFER_BYTES = 1 << 20;

  private static final int KEPT = 8;

  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

  ByteBuffer take() {
    ByteBuffer buffer = free.poll();
    return buffer == null
        ? ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN)
        : buffer.clear();
  }

  void giveBack(ByteBuffer buffer) {
    if (free.size() < KEPT) {
      free.push(buffer);
    }
  }
}
