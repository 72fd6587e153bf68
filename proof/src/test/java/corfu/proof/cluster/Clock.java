package corfu.proof.cluster;

import java.util.List;

/**
 * A machine's time since its start. A time namespace makes it differ in each life of a server. Not
 * thread-safe.
 *
 * <p>Wall clocks can't be set for a single process: Linux has no namespace of them, and a JVM with
 * libfaketime hangs at every other start.
 */
final class Clock {

  private long secondsLater;

  /** In the server's next life the machine has been running for this much longer. */
  void startLater(long seconds) {
    secondsLater += seconds;
  }

  /** Returns the prefix that makes a command run with this time. */
  List<String> prefix() {
    return secondsLater == 0
        ? List.of()
        : List.of("unshare", "--time", "--monotonic=" + secondsLater, "--boottime=" + secondsLater);
  }
}
