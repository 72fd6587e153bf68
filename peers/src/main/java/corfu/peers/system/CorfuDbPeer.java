package corfu.peers.system;

import corfu.peers.program.AbsentException;
import corfu.peers.program.Jars;
import corfu.peers.program.Jvm;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * CorfuDB, which descends from the same papers: one server in memory. It is not on Maven Central,
 * so the user has to build it first.
 */
record CorfuDbPeer() implements PeerSystem {

  private static final String LOAD = "map-corfudb";
  private static final String MAIN = "org.corfudb.infrastructure.CorfuServer";

  /** The heap size in CorfuDB's own start script. */
  private static final String HEAP = "-Xmx2g";

  private static final String COMMIT = "97ad729d285ee11b0a9be46817497231280dccd8";

  private static final String HOW_TO_GET_IT =
      ("CorfuDB is not on Maven Central; with a JDK 17 as JAVA_HOME, do: git clone"
              + " https://github.com/CorfuDB/CorfuDB && cd CorfuDB && git checkout %s && mvn -pl"
              + " infrastructure -am install -DskipTests -Dmaven.javadoc.skip=true")
          .formatted(COMMIT);

  private static final String LACKED = "package jdk.internal.org.objectweb.asm.util; ";

  /**
   * Empty classes for a byte code printer that CorfuDB makes but never uses. JDKs no longer have
   * these classes.
   */
  private static final Map<String, String> STAND_INS =
      Map.of(
          "Printer.java",
          LACKED + "public class Printer {}",
          "Textifier.java",
          LACKED + "public class Textifier extends Printer {}",
          "TraceMethodVisitor.java",
          LACKED + "public class TraceMethodVisitor { public TraceMethodVisitor(Printer p) {} }");

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%level %logger{0} %msg%n</pattern></encoder>
        </appender>
        <root level="ERROR"><appender-ref ref="OUT"/></root>
      </configuration>
      """;

  @Override
  public String name() {
    return "corfudb";
  }

  @Override
  public String append() {
    return "a call of a CorfuTable: put, insert (fastPut), get; optimistic transactions";
  }

  @Override
  public List<Replication> arrangements() {
    return List.of(new Replication(1, UnitMode.MEMORY));
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    Path driver = workshop.driver(LOAD).resolve("MapCorfuDb.java");
    Path jars;
    try {
      jars = workshop.jars(LOAD);
    } catch (AbsentException e) {
      throw new AbsentException("%s; %s".formatted(e.getMessage(), HOW_TO_GET_IT), e);
    }
    String version = "CorfuDB " + Jars.version(jars, "infrastructure");
    return new Program(
        Jars.commit(jars, "runtime").map(commit -> version + ", " + commit).orElse(version),
        workshop.compiled("corfudb-stand-ins", STAND_INS),
        jars,
        driver);
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    int port = site.freePort();
    List<String> properties =
        List.of(
            HEAP,
            "-Xbootclasspath/a:" + program.server(),
            "-Dlogback.configurationFile=" + site.write("logback.xml", LOGBACK));
    String[] options = {"-m", "-s", "-n", "-a", "127.0.0.1", "-d", "ERROR", String.valueOf(port)};
    var server = Jvm.server(program.jars(), properties, MAIN, options);
    site.awaitPort(site.start("corfudb", server), port);
    return new Deployment(
        Jvm.load(program.jars(), properties, program.driver(), "127.0.0.1:" + port),
        List.of(
            "server: java %s %s -m -s -n -a 127.0.0.1 -d ERROR".formatted(HEAP, MAIN),
            "client: java %s; metricsEnabled=false; codecType=NONE; holeFillRetryThreshold=1ms;"
                    .formatted(HEAP)
                + " maxCacheEntries=100000; Serializers.PRIMITIVE",
            "both: empty stand-ins for the classes of jdk.internal.org.objectweb.asm.util"));
  }
}
