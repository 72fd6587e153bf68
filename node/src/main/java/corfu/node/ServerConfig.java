package corfu.node;

import corfu.protocol.Endpoint;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/**
 * One server of a cluster.
 *
 * @param name what people call it
 * @param listen where it listens, and where the others reach it
 * @param directory where it keeps what must survive it
 * @param roles what it does; one or more
 * @param spare whether its log unit waits until another one fails
 */
public record ServerConfig(
    String name, Endpoint listen, Path directory, Set<RoleKind> roles, boolean spare) {

  public ServerConfig {
    roles = Set.copyOf(roles);
    if (spare && !roles.contains(RoleKind.LOG_UNIT)) {
      throw new ConfigException(
          "server "
              + name
              + " is a spare without the role log-unit; give it the role, or leave out spare");
    }
  }

  /** A server that is no spare. */
  public ServerConfig(String name, Endpoint listen, Path directory, Set<RoleKind> roles) {
    this(name, listen, directory, roles, false);
  }

  /** What a configuration file says of it, to be put behind what it says of others. */
  public String toToml() {
    return ConfigFile.write(this);
  }

  boolean has(RoleKind role) {
    return roles.contains(role);
  }

  ServerConfig withViews() {
    Set<RoleKind> all = EnumSet.copyOf(roles);
    all.add(RoleKind.VIEWS);
    return new ServerConfig(name, listen, directory, all, spare);
  }

  ServerConfig asSpare() {
    return new ServerConfig(name, listen, directory, roles, true);
  }
}
