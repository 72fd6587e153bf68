package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import corfu.silver.quota.QuotaLimits;
import corfu.silver.quota.QuotaStatus;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "quota",
    description = {
      "Prints the space in use below a directory, and its limits, or sets the limits.",
      "Mounts obey new limits after a second. Above a limit, writes fail with EDQUOT."
    },
    footer = {
      "",
      "Examples:",
      "  corfu silver quota project/home --dir /tmp/c",
      "  corfu silver quota project/home --bytes 1000000000 --nodes 10000 --dir /tmp/c"
    })
final class SilverQuotaCommand implements Callable<Integer> {

  private static final long MOST = 999_999_999_999_999_999L;

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "NAME[/dir]",
      description = "Directory, or the name of a file system for its root.")
  private String name = "";

  @Option(
      names = "--bytes",
      paramLabel = "N",
      description = "New limit for the sum of the sizes of all files, in bytes.")
  private Optional<Long> bytes = Optional.empty();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "New limit for the number of files and directories.")
  private Optional<Long> nodes = Optional.empty();

  @Option(names = "--none", description = "Remove the limits, before others are set.")
  private boolean none;

  SilverQuotaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parseNewest(name);
    check(bytes);
    check(nodes);
    try (var session = Session.open(connection)) {
      SilverFileSystem files = session.open(target);
      NodeStatus directory = session.find(files, target);
      if (!directory.isDirectory()) {
        throw new CommandException(
            ExitCode.FAILED, "%s is no directory; only directories have quotas".formatted(target));
      }
      if (none || bytes.isPresent() || nodes.isPresent()) {
        QuotaLimits before =
            none
                ? QuotaLimits.NONE
                : QuotaLimits.of(
                    Session.valueOf(files.extendedAttributes(directory.node()), "read", target));
        var limits = new QuotaLimits(or(bytes, before.bytes()), or(nodes, before.nodes()));
        var unused =
            Session.valueOf(
                files.quotas().set(directory.node(), limits, session.caller()),
                "set the quota of",
                target);
      }
      print(target, Session.valueOf(files.quotas().measure(directory.node()), "measure", target));
      return ExitCode.OK;
    }
  }

  private static void check(Optional<Long> limit) {
    if (limit.filter(value -> value < 1 || value > MOST).isPresent()) {
      throw new CommandException(
          ExitCode.USAGE,
          "a limit is from 1 to %d, not %d; --none removes the limits"
              .formatted(MOST, limit.get()));
    }
  }

  private static OptionalLong or(Optional<Long> wanted, OptionalLong before) {
    return wanted.map(OptionalLong::of).orElse(before);
  }

  private void print(Target target, QuotaStatus status) {
    style.print(
        terminal,
        "%s: %s, %s"
            .formatted(
                target,
                part(status.used().bytes(), status.limits().bytes(), "bytes"),
                part(status.used().nodes(), status.limits().nodes(), "nodes")),
        json -> {
          json.writeStringField("path", target.toString());
          json.writeNumberField("bytes", status.used().bytes());
          json.writeNumberField("nodes", status.used().nodes());
          if (status.limits().bytes().isPresent()) {
            json.writeNumberField("limitBytes", status.limits().bytes().getAsLong());
          }
          if (status.limits().nodes().isPresent()) {
            json.writeNumberField("limitNodes", status.limits().nodes().getAsLong());
          }
        });
  }

  private static String part(long used, OptionalLong limit, String unit) {
    return limit.isPresent()
        ? "%d of %d %s".formatted(used, limit.getAsLong(), unit)
        : "%d %s without a limit".formatted(used, unit);
  }
}
