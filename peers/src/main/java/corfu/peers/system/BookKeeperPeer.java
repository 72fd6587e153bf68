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

/**
 * Apache BookKeeper: one bookie per copy, and one ZooKeeper, which is idle while entries are added.
 * All bookies have an entry before it is acknowledged.
 */
record BookKeeperPeer() implements PeerSystem {

  private static final String BOOKIE = "org.apache.bookkeeper.server.Main";
  private static final String SHELL = "org.apache.bookkeeper.bookie.BookieShell";
  private static final String KEEPER = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

  @Override
  public String name() {
    return "bookkeeper";
  }

  @Override
  public String append() {
    return "entry of one ledger, acknowledged by all its bookies";
  }

  @Override
  public List<Replication> arrangements() {
    return List.of(new Replication(2, UnitMode.BUFFERED), new Replication(2, UnitMode.DURABLE));
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    Path jars = workshop.jars(name());
    return new Program(
        "BookKeeper " + Jars.version(jars, "bookkeeper-server"),
        jars,
        jars,
        workshop.driver(name()).resolve("BookKeeperLoad.java"));
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    int count = arrangement.copies();
    Path jars = program.server();
    List<Integer> ports = site.freePorts(count + 1);
    String metadata = "zk+null://127.0.0.1:%d/ledgers".formatted(ports.getFirst());
    startKeeper(jars, ports.getFirst(), site);
    List<ServerProcess> bookies = new ArrayList<>();
    String shown = "";
    for (int i = 1; i <= count; i++) {
      String text = config(i, ports.get(i), metadata, arrangement.mode(), site);
      String file = site.write("bookie%d.conf".formatted(i), text).toString();
      if (i == 1) {
        shown = text;
        site.run(
            "format",
            Jvm.server(jars, List.of(), SHELL, "-conf", file, "metaformat", "-nonInteractive"));
      }
      bookies.add(site.start("bookie" + i, Jvm.server(jars, List.of(), BOOKIE, "--conf", file)));
    }
    for (int i = 1; i <= count; i++) {
      site.awaitPort(bookies.get(i - 1), ports.get(i));
    }
    return new Deployment(
        program.load(metadata, String.valueOf(count)),
        List.of(
            "each of %d: %s".formatted(count, Jvm.shown(List.of(), BOOKIE)),
            "bookie1.conf: " + Configurations.onOneLine(site.shown(shown)),
            "client: CRC32C digests; useV2WireProtocol=true; throttle=0"));
  }

  private static void startKeeper(Path jars, int port, PeerSite site) throws AbsentException {
    String text =
        """
        tickTime=2000
        dataDir=%s
        clientPortAddress=127.0.0.1
        clientPort=%d
        admin.enableServer=false
        """
            .formatted(site.makeDirectory("zookeeper"), port);
    String file = site.write("zoo.cfg", text).toString();
    site.awaitPort(site.start("zookeeper", Jvm.server(jars, List.of(), KEEPER, file)), port);
  }

  private static String config(
      int number, int port, String metadata, UnitMode mode, PeerSite site) {
    return """
    bookiePort=%d
    advertisedAddress=127.0.0.1
    listeningInterface=lo
    allowLoopback=true
    metadataServiceUri=%s
    journalDirectories=%s
    ledgerDirectories=%s
    ledgerStorageClass=org.apache.bookkeeper.bookie.SortedLedgerStorage
    journalSyncData=%b
    journalFlushWhenQueueEmpty=true
    httpServerEnabled=false
    """
        .formatted(
            port,
            metadata,
            site.makeDirectory("journal" + number),
            site.makeDirectory("ledgers" + number),
            mode == UnitMode.DURABLE);
  }
}
