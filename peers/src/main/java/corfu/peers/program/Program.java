package corfu.peers.program;

import java.nio.file.Path;
import java.util.List;

/**
 * A system's software, found or built on this machine.
 *
 * @param version the system's name and version
 * @param server the server's executable, or the directory of its jars
 * @param jars the directory of the load's jars; any path if it needs none
 * @param driver the source of the load; any path if the load is part of Corfu
 */
public record Program(String version, Path server, Path jars, Path driver) {

  /**
   * Returns a program whose load is on Corfu's own class path.
   *
   * @param version the system's name and version
   * @param server the server's executable
   */
  public static Program with(String version, Path server) {
    return new Program(version, server, server, server);
  }

  /**
   * Returns the command of the load.
   *
   * @param arguments the arguments of the driver
   */
  public ProcessBuilder load(String... arguments) {
    return Jvm.load(jars, List.of(), driver, arguments);
  }
}
