package corfu.peers.system;

import corfu.node.local.JavaCommand;
import corfu.node.local.LocalCluster;
import corfu.node.local.LocalClusterException;
import corfu.peers.load.CorfuLoad;
import corfu.peers.program.AbsentException;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.protocol.Endpoint;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Corfu with its default settings: one server per copy. The first server also has the sequencer.
 *
 * @param java the command that starts the program, whose {@code server} command is a server
 * @param load the main class of the load, which receives the servers' endpoints
 */
public record CorfuSystem(JavaCommand java, String load) implements PeerSystem {

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(30);

  /** Makes the system whose load appends entries. */
  public CorfuSystem(JavaCommand java) {
    this(java, CorfuLoad.class.getName());
  }

  @Override
  public String name() {
    return "corfu";
  }

  @Override
  public String append() {
    return "append to the log";
  }

  @Override
  public List<Replication> arrangements() {
    return Stream.of(1, 2, 3)
        .flatMap(copies -> Arrays.stream(UnitMode.values()).map(m -> new Replication(copies, m)))
        .toList();
  }

  @Override
  public Program prepare(ProgramCache workshop) {
    return Program.with("this build", java.executable());
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    var world = new RealWorld();
    site.alsoClose(world);
    var cluster = LocalCluster.at(site.directory().resolve("cluster"), world);
    var config = cluster.create(arrangement.copies(), arrangement.copies(), arrangement.mode());
    site.alsoClose(() -> cluster.stop(STOP));
    try {
      cluster.start(java, START);
    } catch (LocalClusterException e) {
      throw new AbsentException(String.valueOf(e.getMessage()), e);
    }
    var servers = cluster.endpoints().stream().map(Endpoint::toString).toArray(String[]::new);
    return new Deployment(
        java.withMainClass(load).with(servers),
        List.of(
            "each of %d: java %s server"
                .formatted(arrangement.copies(), String.join(" ", java.flags())),
            "corfu.toml: " + Configurations.onOneLine(site.shown(config.toToml()))));
  }
}
