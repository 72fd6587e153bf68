package corfu.cli.mirror;

import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.mirror.MirrorStatus;
import corfu.protocol.layout.Origin;

/** Prints the status of a mirror, for people and for scripts. */
final class MirrorStatusPrinter {

  private MirrorStatusPrinter() {}

  static void print(MirrorStatus status, OutputOptions style, Terminal terminal) {
    style.print(
        terminal,
        line(status),
        json -> {
          json.writeStringField("cluster", status.target().toString());
          json.writeNumberField("copied", status.copied().value());
          json.writeBooleanField("mirror", status.origin().isPresent());
          json.writeBooleanField("complete", status.isComplete());
          if (status.origin().isPresent()) {
            json.writeStringField("source", status.origin().get().source().toString());
          }
          if (status.sourceTail().isPresent()) {
            json.writeNumberField("sourceTail", status.sourceTail().get().value());
            json.writeNumberField("lag", status.lag().orElse(0));
          }
        });
  }

  static String line(MirrorStatus status) {
    if (status.origin().isEmpty()) {
      return "mirrors nothing; its own log ends at " + status.copied();
    }
    Origin origin = status.origin().get();
    String source =
        status.lag().isEmpty()
            ? "the source was not asked, or is silent"
            : "%d behind %s".formatted(status.lag().getAsLong(), status.sourceTail().get());
    String complete = status.isComplete() ? "" : "; incomplete below " + origin.completeFrom();
    return "copied up to %s, %s%s".formatted(status.copied(), source, complete);
  }
}
