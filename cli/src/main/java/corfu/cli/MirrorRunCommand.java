package corfu.cli;

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
      "Copies until it is stopped; begins with a fresh cluster, or goes on where another run"
          + " ended.",
      "It may be killed at any moment, and several may run at the same time."
    },
    footer = {
      "",
      "Examples:",
      "  corfu mirror run --from /tmp/a --to /tmp/b",
      "  corfu mirror run --from /tmp/a --to /tmp/b --until-caught-up",
      "  corfu mirror run --from /tmp/a --to /tmp/b --stream orders,audit"
    })
final class MirrorRunCommand implements Callable<Integer> {

  private static final long PROGRESS_NANOS = Duration.ofSeconds(2).toNanos();

  private final Terminal terminal;
  @Mixin private final MirrorEnds ends = new MirrorEnds();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--stream",
      split = ",",
      paramLabel = "NAME",
      description = "Only these streams, by name or as id:UUID (default: everything).")
  private List<StreamName> streams = List.of();

  @Option(
      names = "--across-trims",
      description = "Go on where the source has given up what was not copied yet.")
  private boolean acrossTrims;

  @Option(
      names = "--until-caught-up",
      description = "End as soon as everything is copied that the source holds.")
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
    try (var source = ends.source();
        var target = ends.target()) {
      Mirror mirror = Mirror.open(source, target.corfu(), target.changes(), options);
      MirrorStatus last = run(mirror, target.corfu());
      MirrorView.print(last, style, terminal);
      return ExitCode.OK;
    }
  }

  /** Until it shall end, or the mirror has been promoted: then all is done, too. */
  private MirrorStatus run(Mirror mirror, Corfu target) {
    try {
      mirror.run(
          goOn(mirror),
          trouble -> terminal.note("corfu: " + trouble.getMessage() + "; trying again"));
      return mirror.status();
    } catch (MirrorException end) {
      if (end.reason() != MirrorException.Reason.PROMOTED) {
        throw end;
      }
      terminal.note("corfu: " + end.getMessage());
      return Mirror.status(target, Optional.empty());
    }
  }

  private BooleanSupplier goOn(Mirror mirror) {
    return new BooleanSupplier() {
      private long toldNanos = System.nanoTime();

      @Override
      public boolean getAsBoolean() {
        boolean isToBeTold = System.nanoTime() - toldNanos >= PROGRESS_NANOS;
        if (!untilCaughtUp && !isToBeTold) {
          return true;
        }
        MirrorStatus status = mirror.status();
        if (isToBeTold) {
          toldNanos = System.nanoTime();
          terminal.note(MirrorView.line(status));
        }
        return !untilCaughtUp || status.lag().orElse(1) > 0 || !status.isComplete();
      }
    };
  }
}
