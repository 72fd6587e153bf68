package corfu.node.local;

import corfu.protocol.Endpoint;
import java.util.Optional;

/**
 * One server of a local cluster.
 *
 * @param name its name in the configuration
 * @param endpoint where it listens
 * @param process the process that serves it; empty where none runs
 */
public record LocalServer(String name, Endpoint endpoint, Optional<ProcessHandle> process) {

  public boolean isRunning() {
    return process.isPresent();
  }
}
