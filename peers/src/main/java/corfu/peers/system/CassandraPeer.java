package corfu.peers.system;

import corfu.peers.program.AbsentException;
import corfu.peers.program.Jars;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.roles.logunit.options.UnitMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Apache Cassandra: one node, from the published jars. It needs Java 17 on this machine; the Java
 * that Corfu uses is too new for it.
 */
record CassandraPeer() implements PeerSystem {

  private static final String LOAD = "ycsb-cassandra";
  private static final String MAIN = "org.apache.cassandra.service.CassandraDaemon";
  private static final Path JVMS = Path.of("/usr/lib/jvm");

  /** The exports in Cassandra's own jvm17-server.options. */
  private static final List<String> EXPORTS =
      List.of(
          "java.base/jdk.internal.misc",
          "java.base/jdk.internal.ref",
          "java.base/sun.nio.ch",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.rmi/sun.rmi.transport.tcp",
          "jdk.unsupported/sun.misc");

  private static final List<String> OPENS =
      List.of(
          "java.base/java.lang",
          "java.base/java.lang.module",
          "java.base/java.lang.reflect",
          "java.base/java.io",
          "java.base/java.math",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.util.jar",
          "java.base/sun.nio.ch",
          "java.rmi/sun.rmi.transport.tcp",
          "jdk.management/com.sun.management.internal");

  @Override
  public String name() {
    return "cassandra";
  }

  @Override
  public String append() {
    return "a row of a table; scans are in the order of tokens, as in YCSB's own binding";
  }

  @Override
  public List<Replication> arrangements() {
    return List.of(new Replication(1, UnitMode.BUFFERED), new Replication(1, UnitMode.DURABLE));
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    Path java = java17();
    Path jars = workshop.jars(LOAD);
    return new Program(
        "Cassandra " + Jars.version(jars, "cassandra-all"),
        java,
        jars,
        workshop.driver(LOAD).resolve("YcsbCassandra.java"));
  }

  private static Path java17() throws AbsentException {
    try (Stream<Path> found = Files.exists(JVMS) ? Files.list(JVMS) : Stream.empty()) {
      return found
          .filter(jvm -> jvm.getFileName().toString().matches(".*\\b(java-)?17\\b.*"))
          .map(jvm -> jvm.resolve("bin/java"))
          .filter(Files::isExecutable)
          .findFirst()
          .orElseThrow(
              () ->
                  new AbsentException(
                      "it runs on Java 17, which is not in %s: install it (Debian: apt-get install"
                              .formatted(JVMS)
                          + " openjdk-17-jre-headless)"));
    } catch (IOException e) {
      throw new AbsentException("cannot look for Java 17 in " + JVMS, e);
    }
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    List<Integer> ports = site.freePorts(4);
    String text = configuration(arrangement.mode(), ports, site.directory());
    Path config = site.write("cassandra.yaml", text);
    Path log = site.write("logback.xml", LOGBACK);
    List<String> flags = flags(config, log, site.directory(), ports.get(3));
    List<String> command = new ArrayList<>();
    command.add(program.server().toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", program.jars().resolve("*").toString(), MAIN));
    ServerProcess server = site.start("cassandra", new ProcessBuilder(command));
    site.awaitPort(server, ports.get(2));
    return new Deployment(
        program.load(String.valueOf(ports.get(2))),
        List.of(
            "Java 17, -Xmx1g -XX:+UseG1GC",
            "cassandra.yaml: " + Configurations.onOneLine(site.shown(text))));
  }

  private static String configuration(UnitMode mode, List<Integer> ports, Path directory) {
    String sync =
        mode == UnitMode.DURABLE
            ? "commitlog_sync: batch"
            : "commitlog_sync: periodic\ncommitlog_sync_period: 10000ms";
    return """
    cluster_name: peers
    num_tokens: 1
    partitioner: org.apache.cassandra.dht.Murmur3Partitioner
    seed_provider:
      - class_name: org.apache.cassandra.locator.SimpleSeedProvider
        parameters:
          - seeds: "127.0.0.1:%1$d"
    listen_address: 127.0.0.1
    rpc_address: 127.0.0.1
    storage_port: %1$d
    ssl_storage_port: %2$d
    native_transport_port: %3$d
    endpoint_snitch: SimpleSnitch
    %4$s
    data_file_directories: [%5$s/data]
    commitlog_directory: %5$s/commitlog
    saved_caches_directory: %5$s/caches
    hints_directory: %5$s/hints
    cdc_raw_directory: %5$s/cdc
    """
        .formatted(ports.get(0), ports.get(1), ports.get(2), sync, directory);
  }

  private static List<String> flags(Path config, Path log, Path directory, int jmx) {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "-Xmx1g",
                "-XX:+UseG1GC",
                "-Dcassandra.config=" + config.toUri(),
                "-Dcassandra.storagedir=" + directory,
                "-Dcassandra-foreground=yes",
                "-Dcassandra.jmx.local.port=" + jmx,
                "-Dlogback.configurationFile=" + log,
                "-Djdk.attach.allowAttachSelf=true"));
    EXPORTS.forEach(name -> flags.addAll(List.of("--add-exports", name + "=ALL-UNNAMED")));
    OPENS.forEach(name -> flags.addAll(List.of("--add-opens", name + "=ALL-UNNAMED")));
    return flags;
  }

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%level %logger{0} %msg%n</pattern></encoder>
        </appender>
        <root level="WARN"><appender-ref ref="OUT"/></root>
      </configuration>
      """;
}
