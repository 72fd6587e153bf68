package corfu.cli.log;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "append",
    description = {
      "Appends a text, lines, or one binary entry to the log.",
      "Without TEXT, each line of standard input or of a file becomes an entry. With --binary, all"
          + " of the input becomes one entry.",
      "The command prints each entry's log address when the entry is durable on all its replicas."
          + " If an entry fails, the command sends no further entries. Entries in flight may still"
          + " succeed; the command prints those, too. If only some entries were appended, the exit"
          + " status is 12, and the message says how many. With --json, the last object says it."
    },
    footer = {
      "",
      "Examples:",
      "  corfu append hello --dir /tmp/c",
      "  corfu append --file events.txt --servers 10.0.0.1:9000,10.0.0.2:9000",
      "  corfu append --binary --file picture.png --dir /tmp/c"
    })
public final class AppendCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final EntryInput input = new EntryInput();

  public AppendCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    input.check();
    int longest = connection.options().limits().maxPayloadBytes();
    try (var in = input.open(terminal);
        var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      input.appendAll(in, longest, corfu.log()::appendAsync, receiptsTo(out));
      return ExitCode.OK;
    }
  }

  private AppendPipeline.Receipts<Address> receiptsTo(CommandOutput out) {
    return new AppendPipeline.Receipts<>() {
      @Override
      public void acknowledged(Address address) {
        print(out, address);
      }

      @Override
      public void pause() {
        out.flush();
      }

      @Override
      public void ended(EntryInput.Shortfall shortfall) {
        if (style.json()) {
          out.json(shortfall::writeTo);
        }
      }
    };
  }

  private void print(CommandOutput out, Address address) {
    if (style.json()) {
      out.json(json -> json.writeNumberField("address", address.value()));
    } else {
      out.line(address.toString());
    }
  }
}
