package corfu.cli.log;

import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
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
      "Decides the content of an address.",
      "The command completes the entry if a replica has it, or fills the address with a hole. Then"
          + " it prints the content. Readers also do this by themselves."
    },
    footer = {"", "Example:", "  corfu fill 17 --dir /tmp/c"})
public final class FillCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final EntryFormOptions entryForm = new EntryFormOptions();

  @Parameters(paramLabel = "ADDRESS", description = "Log address, 0 or more.")
  private Address address = Address.ZERO;

  public FillCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      var printer = new EntryPrinter(terminal, out, style.json(), entryForm.form());
      var entry = corfu.log().fill(address);
      printer.print(entry);
      return printer.explain(entry);
    }
  }
}
