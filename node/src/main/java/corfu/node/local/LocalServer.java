package corfu.node.local;

import corfu.protocol.Endpoint;
import java.util.Optional;

/**
 * One server of a local cluster.
 *
 * @param name its name in the configuration
 * @param endpoint the endpoint on which it listens
 * @param process its process, or empty if it does not run
 */
public record LocalServer(String name, Endpoint endpoint, Optional<ProcessHandle> process) {

  public boolean isRunning() {
    return process.isPresent();
  }
}
