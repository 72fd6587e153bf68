package corfu.node;

import corfu.node.security.ClusterSecurity;
import corfu.protocol.Endpoint;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * One server of a cluster.
 *
 * @param name the server's name for people
 * @param listen the endpoint on which it listens, and at which the others reach it
 * @param directory the directory of its durable data
 * @param roles its roles, one or more
 * @param spare whether its log unit waits until another one fails
 * @param standby whether it can become the sequencer without that role: it issues tokens when no
 *     server with the role sequencer can
 * @param certificate the files of its certificate, instead of those that the configuration names
 *     for all servers
 */
public record ServerConfig(
    String name,
    Endpoint listen,
    Path directory,
    Set<RoleKind> roles,
    boolean spare,
    boolean standby,
    Optional<ClusterSecurity.KeyPairFiles> certificate) {

  public ServerConfig {
    roles = Set.copyOf(roles);
    if (spare && !roles.contains(RoleKind.LOG_UNIT)) {
      throw new ConfigException(
          "server "
              + name
              + " is a spare without the role log-unit; give it the role, or leave out spare");
    }
  }

  /** Creates a server that issues tokens only if it has the role sequencer. */
  public ServerConfig(
      String name, Endpoint listen, Path directory, Set<RoleKind> roles, boolean spare) {
    this(name, listen, directory, roles, spare, false, Optional.empty());
  }

  /** Creates a server that is no spare. */
  public ServerConfig(String name, Endpoint listen, Path directory, Set<RoleKind> roles) {
    this(name, listen, directory, roles, false);
  }

  /** Returns the server's part of a configuration file, to be appended to the others. */
  public String toToml() {
    return ConfigFile.write(this);
  }

  /** Returns the TLS of this server. */
  TlsOptions tls(ClusterSecurity security) {
    return security.of(name, certificate);
  }

  boolean has(RoleKind role) {
    return roles.contains(role);
  }

  /** Returns whether the server may ever be the sequencer. */
  boolean isSequencerCandidate() {
    return has(RoleKind.SEQUENCER) || standby;
  }

  ServerConfig withViews() {
    Set<RoleKind> all = EnumSet.copyOf(roles);
    all.add(RoleKind.VIEWS);
    return new ServerConfig(name, listen, directory, all, spare, standby, certificate);
  }

  ServerConfig withCertificate(Optional<ClusterSecurity.KeyPairFiles> files) {
    return new ServerConfig(name, listen, directory, roles, spare, standby, files);
  }

  ServerConfig asSpare() {
    return new ServerConfig(name, listen, directory, roles, true, standby, certificate);
  }

  /** Returns the same server, which stands by as a sequencer if it is in the layout anyway. */
  ServerConfig standingBy() {
    boolean isInLayout = has(RoleKind.LAYOUT_SERVER) || has(RoleKind.LOG_UNIT);
    boolean isStandby = isInLayout && !has(RoleKind.SEQUENCER);
    return new ServerConfig(name, listen, directory, roles, spare, isStandby, certificate);
  }
}
