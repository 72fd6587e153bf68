package corfu.cli.cluster;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ClusterDirectory;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.transport.tls.TlsMode;
import corfu.world.RealWorld;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "tls",
    description = {
      "Turns TLS on or off in a cluster on this machine: off, optional or required.",
      "The first time, the command makes certificates in DIR/pki. Servers use another mode after a"
          + " restart; restart one after the other, so that the cluster serves meanwhile. Move from"
          + " off to optional, restart all servers, and then to required."
    },
    footer = {"", "Example:", "  corfu cluster tls optional --dir /tmp/c"})
final class ClusterTlsCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterDirectory directory = new ClusterDirectory();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "MODE", description = "off, optional or required.")
  private TlsMode mode = TlsMode.REQUIRED;

  ClusterTlsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld()) {
      var cluster = directory.cluster(world);
      var config = cluster.secure(mode);
      String text = mode.name().toLowerCase(Locale.ROOT);
      String first = config.servers().getFirst().name();
      style.print(
          terminal,
          "TLS is %s from the restart of each server on: corfu cluster restart %s --dir %s"
              .formatted(text, first, cluster.directory()),
          json -> json.writeStringField("tls", text));
      return ExitCode.OK;
    }
  }
}
