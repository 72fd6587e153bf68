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
 * @param standby whether it can become the sequencer although that is none of its roles: it issues
 *     tokens when no server with the role sequencer can
 */
public record ServerConfig(
    String name,
    Endpoint listen,
    Path directory,
    Set<RoleKind> roles,
    boolean spare,
    boolean standby) {

  public ServerConfig {
    roles = Set.copyOf(roles);
    if (spare && !roles.contains(RoleKind.LOG_UNIT)) {
      throw new ConfigException(
          "server "
              + name
              + " is a spare without the role log-unit; give it the role, or leave out spare");
    }
  }

  /** A server that issues tokens only where that is one of its roles. */
  public ServerConfig(
      String name, Endpoint listen, Path directory, Set<RoleKind> roles, boolean spare) {
    this(name, listen, directory, roles, spare, false);
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

  /** Whether it may ever be the sequencer. */
  boolean isSequencerCandidate() {
    return has(RoleKind.SEQUENCER) || standby;
  }

  ServerConfig withViews() {
    Set<RoleKind> all = EnumSet.copyOf(roles);
    all.add(RoleKind.VIEWS);
    return new ServerConfig(name, listen, directory, all, spare, standby);
  }

  ServerConfig asSpare() {
    return new ServerConfig(name, listen, directory, roles, true, standby);
  }

  /** The same server, which stands by as a sequencer if it is in the layout anyway. */
  ServerConfig standingBy() {
    boolean isInLayout = has(RoleKind.LAYOUT_SERVER) || has(RoleKind.LOG_UNIT);
    boolean isStandby = isInLayout && !has(RoleKind.SEQUENCER);
    return new ServerConfig(name, listen, directory, roles, spare, isStandby);
  }
}
