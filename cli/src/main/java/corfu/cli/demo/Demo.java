package corfu.cli.demo;

import corfu.cli.command.CommandException;
import corfu.cli.log.LogScan;
import corfu.cli.output.ProgressBar;
import corfu.cli.output.Terminal;
import corfu.cli.output.Units;
import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.protocol.message.LogUnitReply;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.ServerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs the demo. It starts a cluster of three nodes and a spare, and four clients append lines
 * while it kills a node. A reader checks every line, now and after a restart from disk. Then four
 * clients count words in a replicated map while the demo kills another node.
 */
final class Demo {

  static final int NODES = 4;
  static final int SPARES = 1;
  static final int REPLICAS = 2;
  static final int WRITERS = 4;

  /** The default failure detection, adjusted to a machine that the demo keeps busy. */
  private static final Supervision SUPERVISION =
      new Supervision(
          true, Duration.ofMillis(300), true, Duration.ofMillis(800), Duration.ofSeconds(2));

  /** The first node to kill: it is the sequencer, a layout server and a log unit. */
  static final String VICTIM = "n1";

  /** The node to kill while clients count words; the first victim runs again by then. */
  static final String SECOND_VICTIM = "n2";

  private final DemoInput input;
  private final Path directory;
  private final Terminal terminal;
  private final Consumer<String> news;
  private final Optional<Tls> tls;

  /**
   * The TLS of the demo's clients.
   *
   * @param authority the directory of the certificates
   * @param firstPort the port of the first node
   */
  record Tls(Path authority, int firstPort) {}

  /**
   * @param directory the directory of the cluster's data
   * @param tls the TLS of the clients, or empty for clients inside the process
   * @param news receives lines about the progress
   */
  Demo(
      DemoInput input,
      Path directory,
      Optional<Tls> tls,
      Terminal terminal,
      Consumer<String> news) {
    this.tls = tls;
    this.input = input;
    this.directory = directory;
    this.terminal = terminal;
    this.news = news;
  }

  /** The usage of one log unit at the end. */
  record Holding(String unit, LogUnitReply.Usage usage) {}

  /**
   * The result of the demo.
   *
   * @param holes the number of addresses without a line
   * @param late the number of lines in flight at the kill whose addresses are above those of later
   *     lines of their writers
   */
  record Result(
      DemoInput input,
      DemoLoad.Seen load,
      Duration read,
      Duration restarted,
      Duration readAgain,
      long holes,
      long late,
      List<Holding> units,
      DemoCount.Seen count) {

    double linesPerSecond() {
      return input.lines() / Math.max(1e-9, Units.seconds(load.appended()));
    }
  }

  /**
   * Runs the demo.
   *
   * @throws CommandException if a check fails
   */
  Result run() throws IOException, InterruptedException, ExecutionException {
    news.accept(
        "%,d lines, %s, of %s".formatted(input.lines(), megabytes(input.bytes()), input.name()));
    DemoLoad.Seen load;
    Duration read;
    try (var cluster = start()) {
      news.accept(
          "%d nodes in this process, %d of them spare, %d durable copies of each entry, in %s"
              .formatted(NODES, SPARES, REPLICAS, directory));
      tls.ifPresent(
          one -> news.accept("clients connect by mutual TLS, with certificates of the demo"));
      load = new DemoLoad(cluster, input, terminal, VICTIM).run();
      tell("appended", load.appended());
      tellOfTheKill(cluster, load);
      try (var check = new DemoCheck(input)) {
        read = read(cluster, check, "reading");
      }
      tell("read", read);
    }
    long stopped = System.nanoTime();
    try (var cluster = start();
        var check = new DemoCheck(input)) {
      Duration restarted = Duration.ofNanos(System.nanoTime() - stopped);
      news.accept(
          "stopped, and started again from disk in %.2f s".formatted(Units.seconds(restarted)));
      Duration readAgain = read(cluster, check, "reading");
      tell("read", readAgain);
      List<Holding> units = holdings(cluster);
      DemoCount.Seen count = new DemoCount(cluster, input, SECOND_VICTIM).run();
      tell(count);
      return new Result(
          input, load, read, restarted, readAgain, check.holes(), check.late(), units, count);
    }
  }

  private static List<Holding> holdings(EmbeddedCluster cluster) {
    try (var corfu = DemoClients.connect(cluster)) {
      var holdings = new ArrayList<Holding>();
      for (ServerReport server : corfu.servers()) {
        server
            .usage()
            .ifPresent(
                usage -> holdings.add(new Holding(cluster.nameOf(server.endpoint()), usage)));
      }
      return holdings;
    }
  }

  private EmbeddedCluster start() {
    EmbeddedCluster.Builder builder =
        EmbeddedCluster.builder()
            .nodes(NODES)
            .spares(SPARES)
            .replicas(REPLICAS)
            .directory(directory)
            .mode(UnitMode.DURABLE)
            .supervision(SUPERVISION);
    tls.ifPresent(one -> builder.tls(one.authority(), one.firstPort()));
    return builder.start();
  }

  private void tellOfTheKill(EmbeddedCluster cluster, DemoLoad.Seen load) {
    String standIns =
        load.newUnits().stream().map(cluster::nameOf).collect(Collectors.joining(", "));
    news.accept(
        "%s killed half way: appends paused for %.2f s, reads for %.2f s at the most"
            .formatted(VICTIM, Units.seconds(load.appendPause()), Units.seconds(load.readPause())));
    news.accept(
        "          since then %s issues the addresses, and %s stands in for %s;"
            .formatted(cluster.nameOf(load.after().sequencers().getFirst()), standIns, VICTIM));
    news.accept(
        "          all entries have %d copies again after %.2f s, %d epochs later"
            .formatted(REPLICAS, Units.seconds(load.mended()), load.epochs()));
  }

  private Duration read(EmbeddedCluster cluster, DemoCheck check, String verb) {
    try (Corfu corfu = DemoClients.connect(cluster);
        var progress = new ProgressBar(verb, input.lines(), terminal)) {
      var log = corfu.log();
      new LogScan(log)
          .forEach(
              0,
              log.tail().value(),
              entry -> {
                check.accept(entry);
                progress.step();
              });
      check.end();
      return progress.elapsed();
    }
  }

  private void tell(String verb, Duration time) {
    double seconds = Math.max(1e-9, Units.seconds(time));
    news.accept(
        "%-8s  %,d lines in %.2f s: %,d lines/s, %s/s%s"
            .formatted(
                verb,
                input.lines(),
                seconds,
                Math.round(input.lines() / seconds),
                megabytes(Math.round(input.bytes() / seconds)),
                verb.equals("read") ? "; each line once, and in order" : ""));
  }

  private void tell(DemoCount.Seen count) {
    news.accept(
        "counted   %,d words of %,d lines in a replicated map, %,d of them different, in %.2f s:"
            .formatted(
                count.words(), count.lines(), count.different(), Units.seconds(count.time())));
    news.accept(
        ("          %,d transactions of %d clients, %,d times one was tried again, %s killed half"
                + " way;")
            .formatted(count.transactions(), WRITERS, count.lost(), SECOND_VICTIM));
    news.accept("          the map holds what a plain count says");
  }

  static String megabytes(long bytes) {
    return "%,.1f MB".formatted(bytes / 1e6);
  }
}
