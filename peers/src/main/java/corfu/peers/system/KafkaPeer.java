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

/**
 * Apache Kafka: a topic of one partition, because only a partition has one order. It has one broker
 * per copy; the first one is also the controller.
 */
record KafkaPeer() implements PeerSystem {

  private static final String MAIN = "kafka.Kafka";
  private static final String FORMAT = "kafka.tools.StorageTool";

  /** Any 16 bytes, in base 64 as Kafka requires. */
  private static final String CLUSTER = "Y29yZnUtYmVuY2gtcGVlcg";

  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public String append() {
    return "record of a topic with one partition, acks=all";
  }

  @Override
  public List<Replication> arrangements() {
    return List.of(
        new Replication(1, UnitMode.BUFFERED),
        new Replication(2, UnitMode.BUFFERED),
        new Replication(2, UnitMode.DURABLE));
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    Path jars = workshop.jars(name());
    return new Program(
        "Kafka " + Jars.version(jars, "kafka-clients"),
        jars,
        jars,
        workshop.driver(name()).resolve("KafkaLoad.java"));
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    int count = arrangement.copies();
    Path jars = program.server();
    List<Integer> ports = site.freePorts(count + 1);
    List<ServerProcess> servers = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    shown.add("each of %d: %s".formatted(count, Jvm.shown(List.of(), MAIN)));
    for (int node = 1; node <= count; node++) {
      String text = config(node, ports, arrangement, site);
      String file = site.write("server%d.properties".formatted(node), text).toString();
      site.run(
          "format" + node,
          Jvm.server(jars, List.of(), FORMAT, "format", "-t", CLUSTER, "-c", file));
      servers.add(site.start("kafka" + node, Jvm.server(jars, List.of(), MAIN, file)));
      shown.add(
          "server%d.properties: %s".formatted(node, Configurations.onOneLine(site.shown(text))));
    }
    for (int node = 1; node <= count; node++) {
      site.awaitPort(servers.get(node - 1), ports.get(node));
    }
    String bootstrap =
        ports.stream().skip(1).map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    shown.add("producer: acks=all; batch.size=262144; linger.ms=0 lone, 1 otherwise");
    return new Deployment(program.load(bootstrap, String.valueOf(count)), shown);
  }

  private static String config(
      int node, List<Integer> ports, Replication arrangement, PeerSite site) {
    String listener = "PLAINTEXT://127.0.0.1:" + ports.get(node);
    String flush = arrangement.mode() == UnitMode.DURABLE ? "log.flush.interval.messages=1\n" : "";
    return """
    node.id=%d
    process.roles=%s
    controller.quorum.voters=1@127.0.0.1:%d
    controller.listener.names=CONTROLLER
    listeners=%s
    advertised.listeners=%s
    listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
    log.dirs=%s
    num.partitions=1
    default.replication.factor=%d
    min.insync.replicas=%d
    auto.create.topics.enable=false
    log.retention.bytes=2147483648
    %s\
    """
        .formatted(
            node,
            node == 1 ? "broker,controller" : "broker",
            ports.getFirst(),
            node == 1 ? listener + ",CONTROLLER://127.0.0.1:" + ports.getFirst() : listener,
            listener,
            site.directory().resolve("data" + node),
            arrangement.copies(),
            arrangement.copies(),
            flush);
  }
}
