package corfu.proof.cluster;

import java.util.List;

/**
 * What a machine takes the time since its start for: another one in each life of a server, by a
 * time namespace. Wall clocks cannot be set for one process alone: Linux has no namespace of them,
 * and a JVM with libfaketime hangs at its start every other time. For one thread.
 */
final class Clock {

  private long secondsLater;

  /** In the server's next life the machine has been running for so much longer. */
  void startLater(long seconds) {
    secondsLater += seconds;
  }

  /** What makes a command live in that time. */
  List<String> prefix() {
    return secondsLater == 0
        ? List.of()
        : List.of("unshare", "--time", "--monotonic=" + secondsLater, "--boottime=" + secondsLater);
  }
}
