package corfu.cli.log;

import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.Output;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "fill",
    description = {
      "Makes sure that an address is decided.",
      "Completes what a writer left half done, or leaves a hole, and prints what the address holds "
          + "now. Readers do this by themselves."
    },
    footer = {"", "Example:", "  corfu fill 17 --dir /tmp/c"})
public final class FillCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "ADDRESS", description = "The address to decide.")
  private Address address = Address.ZERO;

  public FillCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = connection.connect();
        var out = new Output(terminal.out())) {
      var printer = new EntryPrinter(out, style.json(), EntryPrinter.Form.LINES);
      var entry = corfu.log().fill(address);
      printer.print(entry);
      return printer.explain(entry, terminal);
    }
  }
}
