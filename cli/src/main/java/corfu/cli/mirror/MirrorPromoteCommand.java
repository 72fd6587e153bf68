package corfu.cli.mirror;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.mirror.Promotion;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "promote",
    description = {
      "Turns a mirror into an independent cluster, which accepts appends.",
      "The command refuses if the source still serves, or if the mirror is incomplete."
    },
    footer = {
      "",
      "Examples:",
      "  corfu mirror promote --from /tmp/a --to /tmp/b",
      "  corfu mirror promote --to /tmp/b --force"
    })
final class MirrorPromoteCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final MirrorClusters clusters = new MirrorClusters();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--force",
      description = "Promote even if the source serves or the mirror is incomplete.")
  private boolean force;

  MirrorPromoteCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (!force && !clusters.hasSource()) {
      throw new CommandException(
          ExitCode.USAGE,
          "say which cluster is the source: --from CLUSTER; or promote without a check: --force");
    }
    try (var target = clusters.target()) {
      Promotion promotion = new Promotion(target.corfu(), target.changes());
      Address own = force ? promotion.byForce() : unlessTheSourceLives(promotion);
      style.print(
          terminal,
          "promoted; its own log begins at " + own,
          json -> json.writeNumberField("begins", own.value()));
      return ExitCode.OK;
    }
  }

  private Address unlessTheSourceLives(Promotion promotion) {
    Optional<Corfu> source = clusters.livingSource();
    try {
      return promotion.unlessTheSourceLives(source);
    } finally {
      source.ifPresent(Corfu::close);
    }
  }
}
