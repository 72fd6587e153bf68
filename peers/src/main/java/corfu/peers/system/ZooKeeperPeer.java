package corfu.peers.system;

import corfu.peers.program.AbsentException;
import corfu.peers.program.Jars;
import corfu.peers.program.Jvm;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Apache ZooKeeper: one server, or three servers, two of which have an acknowledged entry. */
record ZooKeeperPeer() implements PeerSystem {

  private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

  @Override
  public String name() {
    return "zookeeper";
  }

  @Override
  public String append() {
    return "setData of one node";
  }

  @Override
  public List<Replication> arrangements() {
    return List.of(
        new Replication(1, UnitMode.DURABLE),
        new Replication(3, UnitMode.BUFFERED),
        new Replication(3, UnitMode.DURABLE));
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    Path jars = workshop.jars(name());
    return new Program(
        "ZooKeeper " + Jars.version(jars, "zookeeper"),
        jars,
        jars,
        workshop.driver(name()).resolve("ZooKeeperLoad.java"));
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    int count = arrangement.copies();
    Path jars = program.server();
    List<String> properties = properties(arrangement.mode());
    List<Integer> clientPorts = site.freePorts(count);
    List<Integer> ensemblePorts = site.freePorts(2 * count);
    List<ServerProcess> servers = new ArrayList<>();
    String shown = "";
    for (int i = 0; i < count; i++) {
      Path data = site.makeDirectory("data" + (i + 1));
      site.write("data" + (i + 1) + "/myid", String.valueOf(i + 1));
      String text = config(data, clientPorts.get(i), ensemblePorts);
      Path file = site.write("zoo%d.cfg".formatted(i + 1), text);
      servers.add(
          site.start("zookeeper" + (i + 1), Jvm.server(jars, properties, MAIN, file.toString())));
      shown = i == 0 ? text : shown;
    }
    for (int i = 0; i < count; i++) {
      site.awaitPort(servers.get(i), clientPorts.get(i));
    }
    String connect =
        clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    return new Deployment(
        program.load(connect),
        List.of(
            "each of %d: %s".formatted(count, Jvm.shown(properties, MAIN)),
            "zoo.cfg: " + Configurations.onOneLine(site.shown(shown))));
  }

  private static List<String> properties(UnitMode mode) {
    return List.of("-Dzookeeper.forceSync=" + (mode == UnitMode.DURABLE ? "yes" : "no"));
  }

  private static String config(Path data, int clientPort, List<Integer> ensemblePorts) {
    String ensemble =
        ensemblePorts.size() == 2
            ? ""
            : IntStream.range(0, ensemblePorts.size() / 2)
                .mapToObj(
                    i ->
                        "server.%d=127.0.0.1:%d:%d\n"
                            .formatted(
                                i + 1, ensemblePorts.get(2 * i), ensemblePorts.get(2 * i + 1)))
                .collect(Collectors.joining());
    return """
    tickTime=2000
    initLimit=10
    syncLimit=5
    dataDir=%s
    clientPortAddress=127.0.0.1
    clientPort=%d
    admin.enableServer=false
    snapCount=1000000
    %s\
    """
        .formatted(data, clientPort, ensemble);
  }
}
