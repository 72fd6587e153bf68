package corfu.cli.mirror;

import corfu.cli.argument.StreamName;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.mirror.Mirror;
import corfu.mirror.MirrorException;
import corfu.mirror.MirrorOptions;
import corfu.mirror.MirrorOptions.CutOff;
import corfu.mirror.MirrorStatus;
import corfu.runtime.Corfu;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "run",
    description = {
      "Copies entries from the source to the mirror until you stop it.",
      "The mirror is a new cluster, or one that an earlier run has filled. You may kill a run at"
          + " any time, and several may run at once."
    },
    footer = {
      "",
      "Examples:",
      "  corfu mirror run --from /tmp/a --to /tmp/b",
      "  corfu mirror run --from /tmp/a --to /tmp/b --until-caught-up",
      "  corfu mirror run --from /tmp/a --to /tmp/b --stream orders --stream audit"
    })
final class MirrorRunCommand implements Callable<Integer> {

  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Terminal terminal;
  @Mixin private final MirrorClusters clusters = new MirrorClusters();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--stream",
      paramLabel = "NAME",
      description =
          "Name of a stream to copy, or id:UUID (default: the whole log). Give --stream once for"
              + " each stream.")
  private List<StreamName> streams = List.of();

  @Option(
      names = "--across-trims",
      description = "Go on if the source has trimmed entries that were not copied yet.")
  private boolean acrossTrims;

  @Option(
      names = "--until-caught-up",
      description = "Stop when the mirror holds every entry of the source.")
  private boolean untilCaughtUp;

  MirrorRunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    MirrorOptions options =
        MirrorOptions.DEFAULT
            .withStreams(streams.stream().map(StreamName::id).toList())
            .withCutOff(acrossTrims ? CutOff.GO_ON : CutOff.REFUSE);
    try (var source = clusters.source();
        var target = clusters.target()) {
      streams.forEach(stream -> stream.rememberIn(source));
      streams.forEach(stream -> stream.rememberIn(target.corfu()));
      Mirror mirror = Mirror.open(source, target.corfu(), target.changes(), options);
      terminal.note(
          "mirrors cluster %s into cluster %s%s"
              .formatted(
                  source.layout().clusterId(),
                  target.corfu().layout().clusterId(),
                  untilCaughtUp ? "" : ", until it is stopped"));
      MirrorStatus last = run(mirror, target.corfu());
      MirrorStatusPrinter.print(last, style, terminal);
      return ExitCode.OK;
    }
  }

  /** Runs until the person stops it, or until the mirror is promoted, which is a normal end. */
  private MirrorStatus run(Mirror mirror, Corfu target) {
    var news = new MirrorProgress(System.nanoTime());
    Thread watcher = Thread.ofVirtual().start(() -> watch(news));
    try {
      mirror.run(
          goOn(mirror, news),
          trouble -> terminal.note("corfu: " + trouble.getMessage() + "; trying again"));
      return mirror.status();
    } catch (MirrorException end) {
      if (end.reason() != MirrorException.Reason.PROMOTED) {
        throw end;
      }
      terminal.note("corfu: " + end.getMessage());
      return Mirror.status(target, Optional.empty());
    } finally {
      watcher.interrupt();
    }
  }

  /** Prints messages until it is interrupted. */
  private void watch(MirrorProgress news) {
    try {
      while (true) {
        Thread.sleep(LOOK);
        news.waiting(System.nanoTime()).ifPresent(terminal::note);
      }
    } catch (InterruptedException end) {
      // the run is over
    }
  }

  private BooleanSupplier goOn(Mirror mirror, MirrorProgress news) {
    return () -> {
      news.stepped(System.nanoTime(), () -> MirrorStatusPrinter.line(mirror.status()))
          .ifPresent(terminal::note);
      return !untilCaughtUp || hasMore(mirror.status());
    };
  }

  private static boolean hasMore(MirrorStatus status) {
    return status.lag().orElse(1) > 0 || !status.isComplete();
  }
}
