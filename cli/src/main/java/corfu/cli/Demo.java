package corfu.cli;

import corfu.node.EmbeddedCluster;
import corfu.protocol.message.LogUnitReply;
import corfu.roles.logunit.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.ServerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * The main job, once through: a cluster of three, four writers, a reader who checks everything, and
 * all of that again after a restart from disk.
 */
final class Demo {

  static final int NODES = 3;
  static final int REPLICAS = 2;
  static final int WRITERS = 4;

  private final DemoInput input;
  private final Path directory;
  private final Terminal terminal;
  private final Consumer<String> news;

  /**
   * @param directory where the cluster stores
   * @param news is told, as it goes, what a person wants to know
   */
  Demo(DemoInput input, Path directory, Terminal terminal, Consumer<String> news) {
    this.input = input;
    this.directory = directory;
    this.terminal = terminal;
    this.news = news;
  }

  /** What one unit holds in the end. */
  record Holding(String unit, LogUnitReply.Usage usage) {}

  /**
   * What was seen.
   *
   * @param holes addresses that no line got
   */
  record Result(
      DemoInput input,
      Duration appended,
      Duration read,
      Duration restarted,
      Duration readAgain,
      long holes,
      List<Holding> units) {

    double linesPerSecond() {
      return input.lines() / Math.max(1e-9, seconds(appended));
    }
  }

  /**
   * Runs it.
   *
   * @throws CommandException if anything is not as it must be
   */
  Result run() throws IOException, InterruptedException, ExecutionException {
    news.accept(
        "%,d lines, %s, of %s".formatted(input.lines(), megabytes(input.bytes()), input.name()));
    Duration appended;
    Duration read;
    try (var cluster = start()) {
      news.accept(
          "cluster of %d nodes in this process, %d durable copies of each entry, in %s"
              .formatted(NODES, REPLICAS, directory));
      appended = append(cluster);
      tell("appended", appended);
      try (var check = new DemoCheck(input)) {
        read = read(cluster, check, "reading");
      }
      tell("read", read);
    }
    long stopped = System.nanoTime();
    try (var cluster = start();
        var check = new DemoCheck(input)) {
      Duration restarted = Duration.ofNanos(System.nanoTime() - stopped);
      news.accept("stopped, and started again from disk in %.2f s".formatted(seconds(restarted)));
      Duration readAgain = read(cluster, check, "reading");
      tell("read", readAgain);
      return new Result(
          input, appended, read, restarted, readAgain, check.holes(), holdings(cluster));
    }
  }

  private static List<Holding> holdings(EmbeddedCluster cluster) {
    try (var corfu = cluster.connect()) {
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
    return EmbeddedCluster.builder()
        .nodes(NODES)
        .replicas(REPLICAS)
        .directory(directory)
        .mode(UnitMode.DURABLE)
        .start();
  }

  private Duration append(EmbeddedCluster cluster) throws InterruptedException, ExecutionException {
    try (var progress = new Progress("appending", input.lines(), terminal);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writing = new ArrayList<Future<?>>();
      for (int writer = 0; writer < input.writers(); writer++) {
        var log = cluster.connect().log();
        var writes = new DemoWriter(log, writer, progress);
        writing.add(
            threads.submit(
                () -> {
                  writes.write(input);
                  return null;
                }));
      }
      for (Future<?> each : writing) {
        each.get();
      }
      return progress.elapsed();
    }
  }

  private Duration read(EmbeddedCluster cluster, DemoCheck check, String verb) {
    try (Corfu corfu = cluster.connect();
        var progress = new Progress(verb, input.lines(), terminal)) {
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
    double seconds = Math.max(1e-9, seconds(time));
    news.accept(
        "%-8s  %,d lines in %.2f s: %,d lines/s, %s/s%s"
            .formatted(
                verb,
                input.lines(),
                seconds,
                Math.round(input.lines() / seconds),
                megabytes(Math.round(input.bytes() / seconds)),
                verb.equals("read") ? "; each line once, each writer's lines in order" : ""));
  }

  static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  static String megabytes(long bytes) {
    return "%,.1f MB".formatted(bytes / 1e6);
  }
}
