package corfu.peers.system;

import java.nio.file.Path;
import java.util.List;

/**
 * A system's software, as it was found or made here.
 *
 * @param version what it calls itself
 * @param server the executable that a server is, or the directory with its jars
 * @param jars the directory with the jars that the load needs; any where it needs none
 * @param driver the load's source; any where it is ours
 */
public record Program(String version, Path server, Path jars, Path driver) {

  /** One whose load is on our own class path. */
  static Program with(String version, Path server) {
    return new Program(version, server, server, server);
  }

  /** Starts the load. */
  ProcessBuilder load(String... arguments) {
    return Jvm.load(jars, List.of(), driver, arguments);
  }
}
