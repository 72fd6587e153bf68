package corfu.peers.system;

import java.util.List;

/**
 * A system that runs.
 *
 * @param load starts the process that appends to it, a {@link corfu.peers.load.LoadDriver}
 * @param configuration everything that was set, for people to judge whether it was fair
 */
public record Deployment(ProcessBuilder load, List<String> configuration) {

  public Deployment {
    configuration = List.copyOf(configuration);
  }
}
