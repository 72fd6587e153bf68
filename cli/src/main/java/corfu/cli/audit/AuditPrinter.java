package corfu.cli.audit;

import corfu.access.audit.AuditEvent;
import corfu.cli.output.CommandOutput;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.runtime.access.AuditLogEvent;
import java.time.temporal.ChronoUnit;

/** Prints events of the audit log. */
final class AuditPrinter {

  private final CommandOutput out;
  private final boolean json;

  AuditPrinter(CommandOutput out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void print(AuditLogEvent found) {
    if (json) {
      printJson(found);
    } else {
      out.line(text(found));
    }
  }

  private static String time(AuditLogEvent found) {
    return found.time().truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static String text(AuditLogEvent found) {
    AuditEvent event = found.event();
    String times = event.count() == 1 ? "" : " (%,d times)".formatted(event.count());
    String client = "%s at %s".formatted(event.identity(), event.origin());
    String stream = event.streamText();
    String what =
        switch (event.kind()) {
          case REFUSED ->
              "refused  %s: %s needs %s%s"
                  .formatted(
                      client,
                      event.action(),
                      event.permission().map(Permission::text).orElse("more"),
                      stream.isEmpty() ? "" : " on " + stream);
          case DONE ->
              "done     %s: %s%s"
                  .formatted(client, event.action(), stream.isEmpty() ? "" : " of " + stream);
          case UNLISTED -> "unlisted";
        };
    String detail = event.detail().isEmpty() ? "" : ", " + event.detail();
    return "%s %s %s%s%s".formatted(time(found), found.server(), what, detail, times);
  }

  private void printJson(AuditLogEvent found) {
    AuditEvent event = found.event();
    out.json(
        members -> {
          members.writeNumberField("address", found.address().value());
          members.writeStringField("server", found.server());
          members.writeStringField("time", time(found));
          members.writeStringField(
              "kind",
              switch (event.kind()) {
                case REFUSED -> "refused";
                case DONE -> "done";
                case UNLISTED -> "unlisted";
              });
          members.writeStringField("identity", event.identity().name());
          members.writeStringField("origin", event.origin());
          members.writeStringField("action", event.action());
          if (event.permission().isPresent()) {
            members.writeStringField("permission", event.permission().get().text());
          }
          if (event.stream().isPresent()) {
            StreamId id = event.stream().get();
            members.writeStringField("stream", event.streamText());
            members.writeStringField("streamId", id.toString());
          }
          members.writeStringField("detail", event.detail());
          members.writeNumberField("count", event.count());
        });
  }
}
