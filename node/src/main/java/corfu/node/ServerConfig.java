package corfu.node;

import corfu.protocol.Endpoint;
import java.nio.file.Path;
import java.util.Set;

/**
 * One server of a cluster.
 *
 * @param name what people call it
 * @param listen where it listens, and where the others reach it
 * @param directory where it keeps what must survive it
 * @param roles what it does; one or more
 */
public record ServerConfig(String name, Endpoint listen, Path directory, Set<RoleKind> roles) {

  public ServerConfig {
    roles = Set.copyOf(roles);
  }

  boolean has(RoleKind role) {
    return roles.contains(role);
  }
}
