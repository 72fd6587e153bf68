package corfu.peers.system;

import java.util.List;

/**
 * A running system.
 *
 * @param load starts the process that appends to it, a {@link corfu.peers.load.LoadDriver}
 * @param configuration all settings, for readers to judge whether the comparison is fair
 */
public record Deployment(ProcessBuilder load, List<String> configuration) {

  public Deployment {
    configuration = List.copyOf(configuration);
  }
}
