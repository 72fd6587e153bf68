package corfu.cli.mirror;

import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.mirror.Mirror;
import corfu.runtime.Corfu;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "status",
    description = "Prints how much a mirror has copied, and how far it lags behind its source.",
    footer = {"", "Example:", "  corfu mirror status --from /tmp/a --to /tmp/b"})
final class MirrorStatusCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final MirrorClusters clusters = new MirrorClusters();
  @Mixin private final OutputOptions style = new OutputOptions();

  MirrorStatusCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Optional<Corfu> source = clusters.livingSource();
    try (var target = clusters.target()) {
      MirrorStatusPrinter.print(Mirror.status(target.corfu(), source), style, terminal);
      return ExitCode.OK;
    } finally {
      source.ifPresent(Corfu::close);
    }
  }
}
