package corfu.cli.object;

import corfu.cli.argument.LimitOption;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.objects.CatalogueEntry;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "list",
    description = {
      "Lists the objects that clients have changed, in the order of their names.",
      "Each line has an object's name and its types."
    },
    footer = {"", "Example:", "  corfu object list --dir /tmp/c"})
final class ObjectListCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final LimitOption limit = new LimitOption();

  ObjectListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    long most = limit.value();
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      KindOptions.objects(corfu).list().stream().limit(most).forEach(entry -> print(entry, out));
      return ExitCode.OK;
    }
  }

  private void print(CatalogueEntry entry, CommandOutput out) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("object", entry.name());
            json.writeStringField("id", entry.id().toString());
            json.writeFieldName("types");
            JsonValues.write(entry.types(), json);
          });
    } else {
      out.line(entry.name() + "\t" + String.join(", ", entry.types()));
    }
  }
}
