package corfu.cli.layout;

import corfu.cli.argument.RoleName;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutChanges;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "remove",
    description = {
      "Removes a dead server from the layout for ever.",
      "Other servers copy its entries from their remaining replicas. The command refuses if the"
          + " server holds the last copy of an entry."
    },
    footer = {"", "Example:", "  corfu layout remove 10.0.0.2:9000 --servers 10.0.0.1:9000"})
final class LayoutRemoveCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final LayoutChangeOptions options = new LayoutChangeOptions();

  @Parameters(paramLabel = "HOST:PORT", description = "Address of the server, or its name.")
  private String server = "";

  @Option(names = "--force", description = "Remove the server even if it answers.")
  private boolean force;

  LayoutRemoveCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var change = new LayoutChange(options, terminal)) {
      Endpoint dead = change.findMember(server);
      if (!force && change.answers(dead)) {
        throw new CommandException(
            ExitCode.USAGE,
            ("%s answers; to remove it without loss of copies: corfu layout drain %s %s; to drop it"
                    + " all the same: --force")
                .formatted(change.name(dead), dead, options.cluster().text()));
      }
      Set<Endpoint> living = change.livingUnits();
      living.remove(dead);
      Layout before = change.layout();
      Layout wished = LayoutChanges.without(before, dead, living); // refuses before any change
      change.tell(
          "%s is forgotten as %s; appends go to %d log units"
              .formatted(
                  change.name(dead),
                  RoleName.of(dead, before).stream()
                      .map(RoleName::toString)
                      .collect(Collectors.joining(", ")),
                  wished.wanted().units()));
      if (!force) {
        change.await(
            view -> view.clusterHealth().of(dead).suspected(),
            view -> "waiting until the layout servers suspect %s".formatted(server));
      }
      change.grant(
          layout -> LayoutChanges.without(layout, dead, living),
          clusterHealth -> clusterHealth.suspectingToo(dead));
      boolean done =
          change.follow(
              view -> !view.layout().servers().contains(dead),
              view -> "waiting until others have copies of the entries on %s".formatted(server));
      return change.conclude(done, "%s is forgotten".formatted(server));
    }
  }
}
