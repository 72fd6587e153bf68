package corfu.cli.log;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "trim",
    description = "Deletes entries for ever and frees their space.",
    footer = {
      "",
      "Examples:",
      "  corfu trim 17 --dir /tmp/c              one entry",
      "  corfu trim --before 1000 --dir /tmp/c   all entries below address 1000"
    })
public final class TrimCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "ADDRESS",
      arity = "0..1",
      description = "Log address of one entry, 0 or more.")
  private Optional<Address> address = Optional.empty();

  @Option(
      names = "--before",
      paramLabel = "ADDRESS",
      description = "Log address above 0; every entry below it is deleted.")
  private Optional<Address> before = Optional.empty();

  public TrimCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (address.isPresent() == before.isPresent()) {
      throw new CommandException(
          ExitCode.USAGE, "say what to trim: either an ADDRESS or --before ADDRESS");
    }
    try (var corfu = connection.connect()) {
      address.ifPresent(
          one -> {
            corfu.log().trim(one);
            report("trimmed address " + one, "trimmed", one);
          });
      before.ifPresent(
          end -> {
            corfu.log().prefixTrim(end);
            report("trimmed all entries below address " + end, "trimmedBefore", end);
          });
      return ExitCode.OK;
    }
  }

  private void report(String text, String key, Address value) {
    style.print(terminal, text, json -> json.writeNumberField(key, value.value()));
  }
}
