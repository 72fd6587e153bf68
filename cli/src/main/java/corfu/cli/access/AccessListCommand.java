package corfu.cli.access;

import corfu.access.AccessPolicy;
import corfu.access.AccessRole;
import corfu.access.Grant;
import corfu.access.Subject;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Identity;
import corfu.runtime.access.AccessControl;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "list",
    description = {
      "Lists the roles and grants of the cluster.",
      "The administrators in the configurations of servers are not among them."
    },
    footer = {
      "",
      "Examples:",
      "  corfu access list --dir /tmp/c",
      "  corfu access list --json --dir /tmp/c"
    })
final class AccessListCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  AccessListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      AccessPolicy policy = AccessControl.over(corfu, Identity.ANONYMOUS).policy();
      policy.roles().values().forEach(role -> print(role, out));
      policy.grants().forEach(grant -> print(grant, out));
      return ExitCode.OK;
    }
  }

  private void print(AccessRole role, CommandOutput out) {
    List<String> members = role.members().stream().map(Subject::text).toList();
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("role", role.name());
            json.writeArrayFieldStart("members");
            for (String member : members) {
              json.writeString(member);
            }
            json.writeEndArray();
          });
    } else {
      out.line(
          "role "
              + role.name()
              + members.stream().map(member -> " " + member).collect(Collectors.joining()));
    }
  }

  private void print(Grant grant, CommandOutput out) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("subject", grant.subject().text());
            json.writeStringField("permission", grant.permission().text());
            if (grant.target().isOfStreams()) {
              json.writeStringField("target", grant.target().text());
            }
          });
    } else {
      out.line("grant " + grant.text());
    }
  }
}
