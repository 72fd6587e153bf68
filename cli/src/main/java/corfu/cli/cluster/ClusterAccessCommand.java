package corfu.cli.cluster;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ClusterDirectory;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.world.RealWorld;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "access",
    description = {
      "Turns permissions on or off in a cluster on this machine with TLS.",
      "While permissions are on, the servers and the administrator's certificate in DIR/pki may do"
          + " everything. Other clients may do what corfu access grant allows. Grant the"
          + " permissions of running clients first. Servers use the new setting after a restart;"
          + " restart one after the other, so that the cluster serves meanwhile."
    },
    footer = {"", "Example:", "  corfu cluster access on --dir /tmp/c"})
final class ClusterAccessCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ClusterDirectory directory = new ClusterDirectory();
  @Mixin private final OutputOptions style = new OutputOptions();

  /** Whether servers enforce permissions. */
  enum Setting {
    ON,
    OFF
  }

  @Parameters(paramLabel = "SETTING", description = "on or off.")
  private Setting setting = Setting.ON;

  ClusterAccessCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld()) {
      var cluster = directory.cluster(world);
      var config =
          switch (setting) {
            case ON -> cluster.enforcePermissions();
            case OFF -> cluster.enforceNoPermissions();
          };
      String text = setting.name().toLowerCase(Locale.ROOT);
      String first = config.servers().getFirst().name();
      style.print(
          terminal,
          "permissions are %s from the restart of each server on: corfu cluster restart %s --dir %s"
              .formatted(text, first, cluster.directory()),
          json -> json.writeStringField("access", text));
      return ExitCode.OK;
    }
  }
}
