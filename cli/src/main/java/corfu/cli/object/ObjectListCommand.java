package corfu.cli.object;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.Output;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.objects.CatalogueEntry;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "list",
    description = {
      "Lists the objects that anybody has changed.",
      "A line each, in the order of their names: the name, and the types that it was changed as."
    },
    footer = {"", "Example:", "  corfu object list --dir /tmp/c"})
final class ObjectListCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  ObjectListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = connection.connect();
        var out = new Output(terminal.out())) {
      for (CatalogueEntry entry : KindOptions.objects(corfu).list()) {
        print(entry, out);
      }
      return ExitCode.OK;
    }
  }

  private void print(CatalogueEntry entry, Output out) {
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
