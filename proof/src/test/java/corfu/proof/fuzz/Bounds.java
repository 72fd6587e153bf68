package corfu.proof.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Runs targets and measures their allocations. */
final class Bounds {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Bounds() {}

  /**
   * Runs a target.
   *
   * @throws AssertionError if it allocates more than allowed, twice: the first run may have loaded
   *     classes
   */
  static void run(FuzzTarget target, byte[] input) {
    long allowed = target.allowedBytes() + target.allowedBytesForEach() * input.length;
    if (allocated(target, input) > allowed) {
      long again = allocated(target, input);
      if (again > allowed) {
        throw new AssertionError(
            "%s allocated %,d bytes for %,d, where %,d are allowed"
                .formatted(target.name(), again, input.length, allowed));
      }
    }
  }

  private static long allocated(FuzzTarget target, byte[] input) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    target.run(input);
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
