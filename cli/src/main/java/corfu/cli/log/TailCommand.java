package corfu.cli.log;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "tail",
    description = "Prints the tail: the address behind the last one that the sequencer issued.",
    footer = {"", "Example:", "  corfu tail --dir /tmp/c"})
public final class TailCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  public TailCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = connection.connect()) {
      long tail = corfu.log().tail().value();
      style.print(terminal, Long.toString(tail), json -> json.writeNumberField("tail", tail));
      return ExitCode.OK;
    }
  }
}
