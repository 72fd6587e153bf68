package corfu.cli.stream;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ServerNames;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Backpointers;
import corfu.protocol.StreamHeader;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.runtime.LogEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "inspect",
    description = {
      "Shows the state of a stream in the cluster.",
      "It prints the tail, the trimmed prefix, the newest entries with their log addresses and"
          + " backpointers, and the entries that each log unit indexes. The sequencer's next token"
          + " is above the tail while appends are in flight, or if a client died."
    },
    footer = {"", "Example:", "  corfu stream inspect --stream orders --dir /tmp/c"})
final class StreamInspectCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final StreamOptions stream = new StreamOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  StreamInspectCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var admin = stream.admin();
        var out = new CommandOutput(terminal.out())) {
      StreamStatus view = StreamStatus.of(admin, stream.name().id());
      ServerNames names = ServerNames.of(List.of(), admin.servers());
      if (style.json()) {
        out.json(json -> write(view, names, json));
      } else {
        print(view, names, out);
      }
      return ExitCode.OK;
    }
  }

  private void print(StreamStatus view, ServerNames names, CommandOutput out) {
    out.line("stream          " + stream.name());
    out.line("id              " + stream.name().id());
    out.line("tail            " + view.tail());
    out.line("next token      " + view.issued().streamAddress());
    out.line("last tokens     " + addresses(view.issued().previous()));
    out.line("trimmed before  " + view.trimmedBefore());
    out.line("");
    out.line("%14s %12s  %s".formatted("STREAM ADDRESS", "LOG ADDRESS", "LEADS BACK TO"));
    for (StreamStatus.Found found : view.newest()) {
      Occurrence at = found.occurrence();
      out.line("%14d %12d  %s".formatted(at.streamAddress(), at.address(), wayBack(found)));
    }
    out.line("");
    out.line("%-21s %s".formatted("LOG UNIT", "KNOWS"));
    for (StreamStatus.Unit unit : view.units()) {
      out.line("%-21s %s".formatted(names.of(unit.endpoint()), knows(unit)));
    }
  }

  private static String addresses(Backpointers pointers) {
    return pointers.isEmpty() ? "-" : "log addresses " + pointers;
  }

  private String wayBack(StreamStatus.Found found) {
    Optional<StreamHeader> header = found.header(stream.name().id());
    if (header.isEmpty()) {
      return "(" + state(found.entry()) + ")";
    }
    boolean isAbsolute = header.get().isAbsolute(found.occurrence().address());
    Backpointers previous = header.get().previous();
    return previous.isEmpty() ? "nothing" : previous + (isAbsolute ? " absolute" : " relative");
  }

  private static String state(LogEntry entry) {
    return switch (entry) {
      case LogEntry.Data data -> "an entry of other streams";
      case LogEntry.Hole hole -> "hole";
      case LogEntry.Trimmed trimmed -> "trimmed";
      case LogEntry.Unwritten unwritten -> "unwritten";
    };
  }

  private static String knows(StreamStatus.Unit unit) {
    if (unit.found().isEmpty()) {
      return unit.problem();
    }
    Occurrences found = unit.found().get();
    String trimmed = found.trimmedBefore() == 0 ? "" : "; trimmed before " + found.trimmedBefore();
    if (found.newestFirst().isEmpty()) {
      return "no entry" + trimmed;
    }
    Occurrence newest = found.newestFirst().getFirst();
    return "its newest is %d, at log address %d%s"
        .formatted(newest.streamAddress(), newest.address(), trimmed);
  }

  private void write(StreamStatus view, ServerNames names, JsonGenerator json) throws IOException {
    json.writeStringField("stream", stream.name().text());
    json.writeStringField("id", stream.name().id().toString());
    json.writeNumberField("tail", view.tail().value());
    json.writeNumberField("nextToken", view.issued().streamAddress());
    write("lastTokens", view.issued().previous(), json);
    json.writeNumberField("trimmedBefore", view.trimmedBefore().value());
    json.writeArrayFieldStart("newest");
    for (StreamStatus.Found found : view.newest()) {
      write(found, json);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("units");
    for (StreamStatus.Unit unit : view.units()) {
      json.writeStartObject();
      json.writeStringField("server", names.of(unit.endpoint()));
      json.writeStringField("endpoint", unit.endpoint().toString());
      write(unit, json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void write(StreamStatus.Found found, JsonGenerator json) throws IOException {
    Occurrence at = found.occurrence();
    json.writeStartObject();
    json.writeNumberField("streamAddress", at.streamAddress());
    json.writeNumberField("address", at.address());
    Optional<StreamHeader> header = found.header(stream.name().id());
    if (header.isPresent()) {
      boolean isAbsolute = header.get().isAbsolute(at.address());
      json.writeStringField("backpointers", isAbsolute ? "absolute" : "relative");
      write("previous", header.get().previous(), json);
    } else {
      json.writeStringField("state", state(found.entry()));
    }
    json.writeEndObject();
  }

  private static void write(StreamStatus.Unit unit, JsonGenerator json) throws IOException {
    if (unit.reply().isEmpty() || unit.found().isEmpty()) {
      json.writeStringField("problem", unit.problem());
      return;
    }
    Occurrences found = unit.found().get();
    json.writeBooleanField("knows", !found.newestFirst().isEmpty());
    if (!found.newestFirst().isEmpty()) {
      Occurrence newest = found.newestFirst().getFirst();
      json.writeNumberField("streamAddress", newest.streamAddress());
      json.writeNumberField("address", newest.address());
    }
    json.writeNumberField("trimmedBefore", found.trimmedBefore());
    json.writeNumberField("forgottenBefore", unit.reply().get().forgottenBefore());
  }

  private static void write(String key, Backpointers pointers, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart(key);
    for (int i = 0; i < pointers.count(); i++) {
      json.writeNumber(pointers.at(i));
    }
    json.writeEndArray();
  }
}
