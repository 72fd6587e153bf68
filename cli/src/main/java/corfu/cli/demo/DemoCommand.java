package corfu.cli.demo;

import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.cli.output.Units;
import corfu.node.local.FreePorts;
import corfu.node.local.TemporaryDirectory;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "demo",
    description = {
      "Demonstrates the shared log on real data, with failures.",
      "The demo starts a cluster of three nodes and a spare in this process. Four clients append"
          + " every line of a file, and half way the demo kills a node. When the spare has copies"
          + " of the node's entries, another client reads the whole log. It checks that each line"
          + " is there once, and in its client's order. Only lines in flight at the kill may come"
          + " later. Then the demo stops the cluster, starts it again from disk, and repeats the"
          + " check.",
      "Then four clients count words in a replicated map, by transactions, and the demo kills"
          + " another node. It compares the map with a plain count. The exit status is 0 only if"
          + " every check passes. The demo deletes its files."
    },
    footer = {"", "Examples:", "  corfu demo /var/log/syslog", "  corfu demo --tls"})
public final class DemoCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "File with the lines to append (default: all files of corfu's source tree).")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--tls",
      description =
          "Let the clients connect by mutual TLS (default: they stay inside this process).")
  private boolean tls;

  public DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    Logging.silent(); // servers would log the death of a node
    var directory = TemporaryDirectory.create("corfu-demo-");
    var cleaner = new Thread(directory::close, "cleaner");
    Runtime.getRuntime().addShutdownHook(cleaner);
    try (directory;
        var out = new CommandOutput(terminal.out())) {
      Path copy = directory.path().resolve("lines");
      var input =
          file.isPresent()
              ? DemoInput.ofFile(file.get(), copy, Demo.WRITERS)
              : DemoInput.ofSourceTree(copy, Demo.WRITERS);
      Path store = Files.createDirectory(directory.path().resolve("cluster"));
      var result = new Demo(input, store, tlsIn(directory.path()), terminal, newsTo(out)).run();
      if (style.json()) {
        printJson(out, result);
      } else {
        printText(out, result);
      }
    }
    Runtime.getRuntime().removeShutdownHook(cleaner);
    return ExitCode.OK;
  }

  private Optional<Demo.Tls> tlsIn(Path directory) {
    if (!tls) {
      return Optional.empty();
    }
    try (var world = new RealWorld()) {
      int port = FreePorts.consecutive(Demo.NODES, world.random());
      return Optional.of(new Demo.Tls(directory.resolve("pki"), port));
    }
  }

  private Consumer<String> newsTo(CommandOutput out) {
    return line -> {
      if (!style.json()) {
        out.line(line);
        out.flush();
      }
    };
  }

  private static void printText(CommandOutput out, Demo.Result result) {
    out.line("%-8s %12s %12s %12s".formatted("unit", "entries", "live", "on disk"));
    for (Demo.Holding holding : result.units()) {
      var usage = holding.usage();
      out.line(
          "%-8s %,12d %12s %12s"
              .formatted(
                  holding.unit(),
                  usage.entries(),
                  Demo.megabytes(usage.liveBytes()),
                  Demo.megabytes(usage.fileBytes())));
    }
    if (result.late() > 0) {
      out.line(
          "%,d lines were under way when %s was killed, and stand behind later ones"
              .formatted(result.late(), Demo.VICTIM));
    }
    out.line("all of it held");
  }

  private static void printJson(CommandOutput out, Demo.Result result) {
    out.json(
        json -> {
          json.writeBooleanField("ok", true);
          json.writeNumberField("lines", result.input().lines());
          json.writeNumberField("bytes", result.input().bytes());
          json.writeNumberField("holes", result.holes());
          json.writeNumberField("appendSeconds", Units.seconds(result.load().appended()));
          json.writeNumberField("appendLinesPerSecond", Math.round(result.linesPerSecond()));
          json.writeNumberField("late", result.late());
          json.writeStringField("killed", Demo.VICTIM);
          json.writeNumberField("appendPauseSeconds", Units.seconds(result.load().appendPause()));
          json.writeNumberField("readPauseSeconds", Units.seconds(result.load().readPause()));
          json.writeNumberField("mendedSeconds", Units.seconds(result.load().mended()));
          json.writeNumberField("epochs", result.load().epochs());
          json.writeNumberField("readSeconds", Units.seconds(result.read()));
          json.writeNumberField("restartSeconds", Units.seconds(result.restarted()));
          json.writeNumberField("readAgainSeconds", Units.seconds(result.readAgain()));
          json.writeNumberField("words", result.count().words());
          json.writeNumberField("differentWords", result.count().different());
          json.writeNumberField("transactions", result.count().transactions());
          json.writeNumberField("transactionsTriedAgain", result.count().lost());
          json.writeNumberField("countSeconds", Units.seconds(result.count().time()));
          json.writeStringField("killedWhileCounting", Demo.SECOND_VICTIM);
          json.writeArrayFieldStart("units");
          for (Demo.Holding holding : result.units()) {
            json.writeStartObject();
            json.writeStringField("unit", holding.unit());
            json.writeNumberField("entries", holding.usage().entries());
            json.writeNumberField("liveBytes", holding.usage().liveBytes());
            json.writeNumberField("fileBytes", holding.usage().fileBytes());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
