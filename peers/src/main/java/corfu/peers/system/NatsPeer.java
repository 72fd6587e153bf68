package corfu.peers.system;

import corfu.peers.program.AbsentException;
import corfu.peers.program.Jars;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** NATS JetStream: one server, or three servers, two of which have an acknowledged entry. */
record NatsPeer() implements PeerSystem {

  private static final String VERSION = "v2.15.2";

  @Override
  public String name() {
    return "nats";
  }

  @Override
  public String append() {
    return "publish to one JetStream stream";
  }

  @Override
  public List<Replication> arrangements() {
    return List.of(
        new Replication(1, UnitMode.BUFFERED),
        new Replication(1, UnitMode.DURABLE),
        new Replication(3, UnitMode.BUFFERED),
        new Replication(3, UnitMode.DURABLE));
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    Path server =
        workshop.goInstall(name(), "github.com/nats-io/nats-server/v2@" + VERSION, "nats-server");
    Path jars = workshop.jars(name());
    return new Program(
        "NATS %s, jnats %s".formatted(VERSION, Jars.version(jars, "jnats")),
        server,
        jars,
        workshop.driver(name()).resolve("NatsLoad.java"));
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    int count = arrangement.copies();
    List<Integer> clientPorts = site.freePorts(count);
    List<Integer> routePorts = site.freePorts(count);
    List<ServerProcess> servers = new ArrayList<>();
    String shown = "";
    for (int i = 0; i < count; i++) {
      String text = config(i, clientPorts.get(i), routePorts, arrangement.mode(), site);
      Path file = site.write("nats%d.conf".formatted(i + 1), text);
      shown = i == 0 ? text : shown;
      servers.add(
          site.start(
              "nats" + (i + 1),
              new ProcessBuilder(program.server().toString(), "-c", file.toString())));
    }
    for (int i = 0; i < count; i++) {
      site.awaitPort(servers.get(i), clientPorts.get(i));
    }
    String connect =
        clientPorts.stream()
            .map(port -> "nats://127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    return new Deployment(
        program.load(connect, String.valueOf(count)),
        List.of(
            "nats1.conf: " + Configurations.onOneLine(site.shown(shown)),
            "stream: storage=file; replicas=%d; published asynchronously".formatted(count)));
  }

  private static String config(
      int index, int clientPort, List<Integer> routePorts, UnitMode mode, PeerSite site) {
    String cluster =
        routePorts.size() == 1
            ? ""
            : """
            cluster {
            name: peers
            listen: "127.0.0.1:%d"
            routes: [%s]
            }
            """
                .formatted(
                    routePorts.get(index),
                    routePorts.stream()
                        .map(port -> "\"nats://127.0.0.1:%d\"".formatted(port))
                        .collect(Collectors.joining(", ")));
    return """
    listen: "127.0.0.1:%d"
    server_name: n%d
    jetstream {
    store_dir: "%s"
    sync_interval: %s
    }
    %s\
    """
        .formatted(
            clientPort,
            index + 1,
            site.makeDirectory("data" + (index + 1)),
            mode == UnitMode.DURABLE ? "always" : "\"2m\"",
            cluster);
  }
}
