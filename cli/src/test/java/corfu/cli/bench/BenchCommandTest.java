package corfu.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures of such short runs mean nothing. The test checks only that they exist. */
class BenchCommandTest {

  /** The limit of reads of parts is reads of whole entries that have as many bytes. */
  private static String limitOf(String line) {
    boolean isPart = line.contains("\"benchmark\":\"read/part\"");
    return "\"limitName\":\"" + (isPart ? "whole entries of as much\"" : "echo of ");
  }

  @ParameterizedTest
  @CsvSource({"append, append", "tokens, tokens/single", "read, read/sequential"})
  void aFigureComesWithItsLimit(String name, String first) {
    var ran =
        Ran.corfu(
            ("bench "
                    + name
                    + " --json --size 64 --depth 8 --mode memory --replicas 1"
                    + " --seconds 100ms --warmup 50ms")
                .split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines().getFirst()).startsWith("{\"benchmark\":\"" + first + "\"");
    assertThat(ran.lines())
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"sizeBytes\":", "\"opsPerSecond\":", "\"p50Micros\":")
                    .contains("\"p99Micros\":", "\"p999Micros\":", limitOf(line))
                    .contains("\"limitPerSecond\":", "\"ratio\":", "\"serverCpuSeconds\":"));
  }

  @Test
  void theLimitsAreATableForPeople() {
    var ran =
        Ran.corfu(
            "bench",
            "limits",
            "--size",
            "64",
            "--depth",
            "8",
            "--seconds",
            "50ms",
            "--warmup",
            "10ms");

    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.out())
        .contains("limits/echo", "limits/fdatasync", "limits/sequential", "write+fdatasync of 8 x");
  }

  @Test
  void theCostOfAReconfigurationIsMeasuredOnServersOfItsOwn() {
    var ran =
        Ran.corfu(
            "bench",
            "reconfigure",
            "--part",
            "FILL",
            "--fills",
            "20",
            "--round",
            "100ms",
            "--json");

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"reconfigure/fill\""))
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"count\":20,", "\"p50Millis\":", "\"p99Millis\":")
                    .contains("\"bestMillis\":", "\"ratio\":"));
  }

  @Test
  void theCostOfStreamsIsComparedWithAndWithoutStreamReplicas() {
    var ran =
        Ran.corfu(
            ("bench streams --part READ,HOLE,FAILOVER,PUSH --rounds 1 --round 50ms --streams 8"
                    + " --entries 800 --holes 1 --live 50 --failovers 1 --subscriptions 20 --json")
                .split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"streams/hole\""))
        .filteredOn(line -> line.contains("stream replicas: 6 holes at the end, filled"))
        .singleElement()
        .asString()
        .contains("\"count\":3,", "\"p50Millis\":", "\"bestMillis\":");
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"streams/read\""))
        .filteredOn(line -> line.contains("\"limitName\":\"backpointers\""))
        .singleElement()
        .asString()
        .contains("\"unit\":\"entries\"", "\"perSecond\":", "\"ratio\":");
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"streams/failover\""))
        .hasSize(3);
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"streams/push\""))
        .filteredOn(line -> line.contains("append to delivery, 2 replicas, 20 subscriptions"))
        .singleElement()
        .asString()
        .contains("\"p50Millis\":", "\"bestMillis\":");
  }

  @Test
  void openLoopsShowThroughputAndLatencyAgainstOfferedLoad(@TempDir Path directory) {
    Path plot = directory.resolve("overload.svg");
    var ran =
        Ran.corfu(
            ("bench overload --mode memory --size 64 --replicas 1 --load 0.5,2 --round 100ms"
                    + " --warmup 100ms --json --plot "
                    + plot)
                .split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"overload/load\""))
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("\"offeredPerSecond\":", "\"turnedAway\":", "\"failed\":0.0")
                    .contains("\"p99Millis\":", "\"serversResidentMiB\":"));
    assertThat(plot).content().startsWith("<svg").contains("offered load");
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"overload/picture\""))
        .singleElement()
        .asString()
        .contains("\"across\":\"SETTING\"", "\"name\":\"median\",\"x\":[0.5,2.0],\"y\":[");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          views readers,       2 clients; one remote view; half,    ofBase
          views snapshots,     remote views,                        transactionsPerSecond
          views readonly,      2 readers,                           changesAbortedPercent
          views scan,          beside the scan,                     scansAborted
          views clear,         clear and size; by a new client,     maxMillis
          services puts,       an entry a key; 2 keys,              ofTheLog
          services gets,       2 keys; of now,                      multiGetsPerSecond
          services smr,        2 replicas,                          executedPerSecond
          """)
  void viewsAndServicesHaveABenchmarkForEachFigureOfThePapers(
      String benchmark, String row, String value, @TempDir Path directory) {
    Path plot = directory.resolve("figure.svg");
    String[] names = benchmark.split(" ");
    String sizes =
        names[0].equals("views")
            ? "--clients 2 --keys 50 --pages 20 --buckets 3"
            : "--keys 2 --machines 2 --value 64";
    var ran =
        Ran.corfu(
            "bench %s --part %s --rounds 1 --round 100ms %s --json --plot %s"
                .formatted(names[0], names[1], sizes, plot)
                .split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"" + benchmark.replace(' ', '/')))
        .filteredOn(line -> Arrays.stream(row.split("; ")).allMatch(line::contains))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).contains("\"" + value + "\":"));
    assertThat(plot).content().startsWith("<svg");
  }

  @Test
  void anEnsembleOfApacheZooKeeperIsMeasuredInProcessesOfItsOwn() {
    var ran =
        Ran.corfu(
            ("bench zookeeper --rows writes,reads,creates --system zookeeper --rounds 1"
                    + " --seconds 100ms --clients 3 --json")
                .split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .filteredOn(line -> line.matches(".*zookeeper/(writes|reads|creates).*"))
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).contains("3 servers", "\"zookeeperP99Millis\":"));
  }

  @Test
  void thePriceOfTlsIsTheSameFigureWithoutIt() {
    var ran =
        Ran.corfu(
            "bench tls --part appends --rounds 1 --round 50ms --size 64 --depth 8 --json"
                .split(" "));

    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines()).hasSize(4);
    assertThat(ran.lines().get(0)).contains("8 in flight, with TLS", "\"ratio\":");
    assertThat(ran.lines().get(1)).contains("lone append of 256 B, without TLS");
    assertThat(ran.lines().get(2)).contains("lone append of 256 B, with TLS", "\"bestMillis\":");
    assertThat(ran.lines().get(3)).contains("\"floodRatio\":", "\"addedMicros\":");
  }

  @Test
  void thePriceOfPermissionsIsTheSameFigureWithoutThem() {
    var ran =
        Ran.corfu(
            "bench tls --part permissions --rounds 1 --round 50ms --depth 8 --json".split(" "));

    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines()).hasSize(4);
    assertThat(ran.lines().get(0)).contains("with TLS and permissions", "\"ratio\":");
    assertThat(ran.lines().get(3)).contains("price of permissions", "\"floodRatio\":");
  }

  @Test
  void handshakesThatFailAreComparedWithOtherConnections() {
    var ran =
        Ran.corfu(
            "bench tls --part handshakes --handshakes 200 --rounds 1 --round 100ms --json"
                .split(" "));

    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("no flood"),
            line -> assertThat(line).contains("200 connections a second to a socket of nobody"),
            line -> assertThat(line).contains("200 failing handshakes a second"),
            line -> assertThat(line).contains("\"toSocketOfNobody\":", "\"acceptedPerSecond\":"));
  }

  @Test
  void aGreedyTenantIsMeasuredWithAndWithoutAQuota() {
    var ran =
        Ran.corfu("bench quota --rounds 1 --round 50ms --size 64 --depth 8 --json".split(" "));

    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines()).hasSize(5);
    assertThat(ran.lines().get(0)).contains("with a quota", "\"ratio\":");
    assertThat(ran.lines().get(2)).contains("of another tenant, alone");
    assertThat(ran.lines().get(4)).contains("beside the flood with a quota", "\"bestMillis\":");
  }

  @Test
  void aPollThatOurServersDoNotOfferIsRefused() {
    var ran = Ran.corfu("bench", "zookeeper", "--poll", "2ms");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("'2ms' is not 1ms, 10ms, 100ms or push");
  }

  @Test
  void aMirrorsRateAndLagAreMeasured() {
    var ran =
        Ran.corfu(
            "bench services --part mirror --rounds 1 --round 100ms --entries 100 --json"
                .split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"services/mirror\""))
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).contains("from acknowledged to mirrored"));
  }

  @Test
  void scalingIsMeasuredHereAndReckonedForMachinesOfTheirOwn() {
    var ran =
        Ran.corfu(
            ("bench scaling --units 1 --simulated 2,4 --size 64 --round 90ms --warmup 50ms --json")
                .split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"scaling/simulated\""))
        .hasSize(4)
        .allSatisfy(line -> assertThat(line).contains(" simulated\"", "\"perSecond\":"));
    assertThat(ran.lines())
        .filteredOn(line -> line.startsWith("{\"benchmark\":\"scaling/costs\""))
        .hasSize(1);
  }

  @Test
  void aUnitsMemoryAndItsRestartAreMeasured() {
    var ran = Ran.corfu("bench footprint --entries 2000 --flood 200ms --json".split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("footprint/index", "\"bytesPerEntry\":"),
            line -> assertThat(line).contains("footprint/restart", "\"secondsPer10M\":"),
            line -> assertThat(line).contains("footprint/flood", "\"grownBy\":"));
  }

  @Test
  void allRunsWhatIsWantedAndPutsItsTablesIntoThePage(@TempDir Path directory) throws IOException {
    Path page = directory.resolve("page.md");
    Files.writeString(page, "Ours.\n<!-- bench:tokens -->\n<!-- /bench:tokens -->\n");
    Path figures = Files.createDirectory(directory.resolve("figures"));
    Files.writeString(
        figures.resolve("tokens.json"), "{\"benchmark\":\"x\",\"what\":\"y\",\"a\":1,\"b\":2}\n");

    var ran = Ran.corfu("bench", "all", "--tables", "--page", page.toString());

    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(page).content().startsWith("Ours.").contains("| y | 1 | 2 |");
    assertThat(ran.out()).contains("there are no figures of overload", "wrote " + page);
    assertThat(Ran.corfu("bench", "all", "--only", "magic", "--page", page.toString()).err())
        .contains("there is no benchmark 'magic': name some of tokens, append-memory");
  }

  /** Redis needs no download. If it is not installed, the command reports it as absent. */
  @Test
  void aPeerIsMeasuredInTurnsWithOursOrReportedAsAbsent() {
    var ran =
        Ran.corfu(
            ("bench peers --peer redis --mode memory --size 64 --depth 8 --rounds 3 --slice 20ms"
                    + " --warmup 20ms --json")
                .split(" "));

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    var lines = ran.lines().stream().filter(line -> !line.contains("peers/limit")).toList();
    if (isOnThePath("redis-server")) {
      assertThat(lines).hasSize(4);
      assertThat(lines.getFirst())
          .startsWith("{\"benchmark\":\"peers/configuration\",\"peer\":\"redis\"")
          .contains("corfu.toml: replicas = 1; ", "redis.conf: bind 127.0.0.1; ");
      assertThat(lines.subList(1, 4))
          .allSatisfy(
              line ->
                  assertThat(line)
                      .startsWith("{\"benchmark\":\"peers\",\"peer\":\"redis\",\"copies\":1,")
                      .contains("\"ours\":{\"perSecond\":{\"median\":", "\"p99Ratio\":"));
    } else {
      assertThat(lines)
          .singleElement()
          .asString()
          .startsWith("{\"benchmark\":\"peers/absent\",\"peer\":\"redis\"")
          .contains("apt-get install redis-server");
    }
  }

  private static boolean isOnThePath(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  @Test
  void aPeerThatNobodyKnowsIsRefused() {
    var ran = Ran.corfu("bench", "peers", "--peer", "carrier-pigeon");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err())
        .contains("there is no peer 'carrier-pigeon'", "bookkeeper, kafka, zookeeper");
  }

  /**
   * CorfuDB is built by hand. If it is not installed, the command reports it as absent, with
   * instructions.
   */
  @Test
  void aMapThatIsNotHereIsReportedAsAbsent(@TempDir Path directory) {
    var ran = Ran.corfu("bench", "maps", "--cache", directory.toString(), "--json");

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .singleElement()
        .asString()
        .startsWith("{\"benchmark\":\"maps/absent\",\"peer\":\"corfudb\"");
  }

  @Test
  void aMapOfNoKeysIsRefused() {
    var ran = Ran.corfu("bench", "maps", "--keys", "0");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("keys are 1 to 1,000,000, not 0");
  }

  @Test
  void aBenchmarkMustBeNamed() {
    var ran = Ran.corfu("bench");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("name a benchmark");
  }
}
