package corfu.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTest {

  private static final List<SuiteStep> STEPS =
      List.of(
          new SuiteStep("append-memory", List.of("append", "--mode", "memory"), false),
          new SuiteStep("overload", List.of("overload"), true),
          new SuiteStep("memory", List.of("memory"), false),
          new SuiteStep("latency", List.of("latency"), true));

  private static final String LONE =
      """
      {"benchmark":"append","sizeBytes":256,"clients":1,"depth":1,"mode":"memory","replicas":2,\
      "opsPerSecond":7200.4,"p50Micros":111.0,"p99Micros":700.0,"p999Micros":900.0,\
      "limitName":"echo of 324 B","limitPerSecond":25000.0,"ratio":0.288,\
      "limits":[{"name":"echo of 324 B","perSecond":25000.0,"p50Micros":30.0,"ratio":0.288}],\
      "clientCpuSeconds":1.0,"serverCpuSeconds":2.0}
      """;

  private static final String LOADS =
      """
      {"benchmark":"overload/load","what":"half","offeredPerSecond":500000.0,"p99Millis":12.5}
      {"benchmark":"overload/load","what":"twice","offeredPerSecond":2000000.0,"p99Millis":140.0}
      """;

  private static final String GROWN =
      """
      {"benchmark":"footprint/flood","what":"appends for 20 s","appends":90,"grownBy":0.01}
      """;

  private static final String CALLS =
      """
      {"benchmark":"latency/latency","what":"read","count":1000,"p50Millis":0.019,\
      "p99Millis":0.1,"maxMillis":4.0,"bestMillis":0.015,"ratio":0.79}
      """;

  @TempDir private Path directory;
  private Path page;
  private Path figures;
  private Document document;

  @BeforeEach
  void makePage() throws IOException {
    page = directory.resolve("performance.md");
    figures = Files.createDirectories(directory.resolve("figures"));
    document = new Document(page, figures);
    Files.writeString(
        page,
        """
        # Ours

        <!-- bench:append-memory -->
        old
        <!-- /bench:append-memory -->

        Words of ours.

        <!-- bench:overload -->
        <!-- /bench:overload -->
        <!-- bench:memory -->
        <!-- /bench:memory -->
        """);
    Files.writeString(figures.resolve("append-memory.json"), LONE);
    Files.writeString(figures.resolve("overload.json"), LOADS);
    Files.writeString(figures.resolve("overload.svg"), "<svg/>");
    Files.writeString(figures.resolve("memory.json"), GROWN);
  }

  @Test
  void tablesBetweenMarkersAreMadeFromFiguresAndTheRestStays() throws IOException {
    document.update(STEPS);

    assertThat(Files.readString(page))
        .startsWith(
            "# Ours\n\n"
                + "<!-- bench:append-memory -->\n\n"
                + "```sh\n"
                + "./corfu bench append --mode memory\n"
                + "```\n")
        .contains("| append, 256 B, memory, lone | 7.2 K | 111 µs | 700 µs |")
        .contains("0.29 of 25.0 K (echo of 324 B)", "p50 at most 4 echoes: 120 µs: **met**")
        .contains("\nWords of ours.\n")
        .contains("| half | 500 K | 12.5 |  |", "| twice | 2.00 M | 140 |  |")
        .contains("![overload](figures/overload.svg)")
        .contains("grown by at most 0.05: **met**")
        .doesNotContain("old");
  }

  @Test
  void aTableIsWrittenOnThePageOfItsMarkersWithALinkFromThere() throws IOException {
    Path reads = Files.createDirectories(directory.resolve("performance")).resolve("reads.md");
    Files.writeString(
        reads, "# Reads\n<!-- bench:latency -->\nold\n<!-- /bench:latency -->\nBy hand.\n");
    Files.writeString(reads.resolveSibling("notes.txt"), "<!-- bench:latency -->\n");
    Files.writeString(figures.resolve("latency.json"), CALLS);
    Files.writeString(figures.resolve("latency.svg"), "<svg/>");

    assertThat(document.update(STEPS)).isEmpty();

    assertThat(Files.readString(reads))
        .startsWith("# Reads\n<!-- bench:latency -->\n\n```sh\n./corfu bench latency\n```\n")
        .contains("| latency/latency | read | 1,000 | 19 µs |")
        .contains("![latency](../figures/latency.svg)")
        .endsWith("<!-- /bench:latency -->\nBy hand.\n")
        .doesNotContain("old");
    assertThat(Files.readString(page))
        .contains("![overload](figures/overload.svg)")
        .doesNotContain("latency/latency");
    assertThat(reads.resolveSibling("notes.txt")).hasContent("<!-- bench:latency -->");
  }

  @Test
  void aPictureIsDrawnAnewFromThePointsThatABenchmarkPrinted() throws IOException {
    Files.writeString(
        figures.resolve("overload.json"),
        LOADS
            + """
            {"benchmark":"overload/picture","title":"Load <and> latency","across":"SETTING",\
            "below":"load","panels":[{"name":"ms","curves":[{"name":"median","x":[0.5,2.0,4.0],\
            "y":[1.0,3.0,7.5]}]}]}
            """);

    document.update(STEPS);

    assertThat(Files.readString(figures.resolve("overload.svg")))
        .contains("Load &lt;and> latency", ">load<", ">ms<", ">median<", "<polyline");
    assertThat(Files.readString(page)).doesNotContain("Load <and>");
  }

  @Test
  void aTableNamesTheCommandOfItsFiguresEvenIfTheStepHasAnother() throws IOException {
    Files.writeString(
        figures.resolve("overload.json"),
        "{\"benchmark\":\"command\",\"command\":\"corfu bench overload --round 1s\"}\n" + LOADS);

    document.update(STEPS);

    assertThat(Files.readString(page)).contains("\n./corfu bench overload --round 1s\n");
  }

  @Test
  void theSameFiguresGiveTheSamePage() throws IOException {
    document.update(STEPS);
    String once = Files.readString(page);

    document.update(STEPS);

    assertThat(Files.readString(page)).isEqualTo(once);
  }

  @Test
  void figuresAndPlacesThatAreMissingAreNamed() throws IOException {
    assertThat(document.update(STEPS)).containsExactly("there are no figures of latency");

    Files.writeString(figures.resolve("latency.json"), CALLS);

    assertThat(document.update(STEPS))
        .containsExactly("no page has a place for latency: add <!-- bench:latency --> and its end");
  }

  @Test
  void thePublishedFigureStandsBesideTheAim() throws IOException {
    Files.writeString(
        figures.resolve("overload.json"),
        """
        {"benchmark":"views/readers","what":"32 clients, one remote view","clients":32.0,\
        "ofBase":1.0,"p99Millis":1.0}
        {"benchmark":"views/readers","what":"1,000 clients, one remote view","clients":1000.0,\
        "ofBase":0.7,"p99Millis":8.0}
        """);

    document.update(STEPS);

    assertThat(Files.readString(page))
        .contains("| views/readers | clients | of base | p99 ms | aim | paper |")
        .contains("| 32 clients, one remote view | 32 | 1 | 1 |  |  |")
        .contains("of base at least 0.80: missed; p99 ms at most 10: **met**")
        .contains("of base flat up to 1,000 clients; p99 ms milliseconds");
  }

  @Test
  void everyStepOfTheSuiteHasANameOfItsOwnAndTheQuickOnesAreTheSame() {
    var quick = SuiteStep.all(true, true).stream().map(SuiteStep::name).toList();

    assertThat(quick).doesNotHaveDuplicates();
    assertThat(SuiteStep.all(false, true).stream().map(SuiteStep::name).toList()).isEqualTo(quick);
    assertThat(SuiteStep.all(true, false)).hasSize(quick.size() - 9);
  }
}
