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
import java.util.stream.IntStream;

/**
 * etcd: one server, or three servers, two of which have an acknowledged entry.
 *
 * @param load the directory of its load
 * @param driver the source file of the load's driver
 */
record EtcdPeer(String load, String driver) implements PeerSystem {

  /** The version in its go.mod. */
  private static final String VERSION = "v3.6.5";

  /** Etcd's own upper limit. With the default it would stop when a run has written 2 GB. */
  private static final String QUOTA_BYTES = String.valueOf(8L << 30);

  /** Makes the system whose load appends entries. */
  EtcdPeer() {
    this("etcd", "EtcdLoad.java");
  }

  @Override
  public String name() {
    return "etcd";
  }

  @Override
  public String append() {
    return "put of one key";
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
    Path server = workshop.goBuild(name(), "etcd");
    Path jars = workshop.jars(load);
    return new Program(
        "etcd %s, jetcd %s".formatted(VERSION, Jars.version(jars, "jetcd-core")),
        server,
        jars,
        workshop.driver(load).resolve(driver));
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    int count = arrangement.copies();
    List<Integer> clientPorts = site.freePorts(count);
    List<Integer> peerPorts = site.freePorts(count);
    List<ServerProcess> servers = new ArrayList<>();
    String shown = "";
    for (int i = 0; i < count; i++) {
      List<String> command = command(program, i, clientPorts, peerPorts, arrangement.mode(), site);
      servers.add(site.start("etcd" + (i + 1), new ProcessBuilder(command)));
      shown = i == 0 ? String.join(" ", command.subList(1, command.size())) : shown;
    }
    for (int i = 0; i < count; i++) {
      site.awaitPort(servers.get(i), clientPorts.get(i));
    }
    String[] connect = clientPorts.stream().map(EtcdPeer::url).toArray(String[]::new);
    return new Deployment(
        program.load(connect), List.of("first of %d: etcd %s".formatted(count, site.shown(shown))));
  }

  private static List<String> command(
      Program program,
      int index,
      List<Integer> clientPorts,
      List<Integer> peerPorts,
      UnitMode mode,
      PeerSite site) {
    String client = url(clientPorts.get(index));
    String peer = url(peerPorts.get(index));
    String all =
        IntStream.range(0, peerPorts.size())
            .mapToObj(i -> "n%d=%s".formatted(i + 1, url(peerPorts.get(i))))
            .collect(Collectors.joining(","));
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.server().toString(), "--name", "n" + (index + 1)));
    command.addAll(List.of("--data-dir", site.directory().resolve("data" + index).toString()));
    command.addAll(List.of("--listen-client-urls", client, "--advertise-client-urls", client));
    command.addAll(List.of("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer));
    command.addAll(List.of("--initial-cluster", all, "--log-level", "error"));
    command.addAll(List.of("--quota-backend-bytes", QUOTA_BYTES));
    if (mode != UnitMode.DURABLE) {
      command.add("--unsafe-no-fsync");
    }
    return command;
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }
}
