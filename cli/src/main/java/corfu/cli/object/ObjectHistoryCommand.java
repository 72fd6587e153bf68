package corfu.cli.object;

import corfu.cli.argument.LimitOption;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.cli.shell.HistoryText;
import corfu.cli.shell.ObjectName;
import corfu.cli.shell.ShellException;
import corfu.objects.history.HistoryEntry;
import corfu.objects.history.ObjectHistory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "history",
    description = {
      "Prints all changes of an object that are still in the log.",
      "Each line has a change's log address, the time by its client's clock, the client's random"
          + " number, and the call. Of a transaction it shows the calls of this object."
    },
    footer = {"", "Example:", "  corfu object history accounts --dir /tmp/c"})
final class ObjectHistoryCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME", description = "Name of the object, or id:UUID.")
  private String name = "";

  @Mixin private final LimitOption limit = new LimitOption();

  ObjectHistoryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    long most = limit.value();
    ObjectName object = parsed(name);
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      if (object.isNamed()) {
        var unused = corfu.streamAccess().named(object.text()); // servers ask for it
      }
      ObjectHistory history = KindOptions.objects(corfu).history(object.id());
      if (!history.hasNext()) {
        throw new CommandException(
            ExitCode.FAILED, "nobody has changed an object " + object + " yet");
      }
      for (long i = 0; i < most && history.hasNext(); i++) {
        HistoryEntry entry = history.next();
        if (style.json()) {
          out.json(json -> HistoryJson.write(entry, json));
        } else {
          HistoryText.of(entry).forEach(out::line);
        }
      }
      return ExitCode.OK;
    }
  }

  private static ObjectName parsed(String name) {
    try {
      return ObjectName.parse(name);
    } catch (ShellException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
