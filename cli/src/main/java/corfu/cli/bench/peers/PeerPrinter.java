package corfu.cli.bench.peers;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.bench.harness.Figure;
import corfu.cli.output.CommandOutput;
import corfu.peers.PeerFigures;
import corfu.peers.PeerReport;
import corfu.peers.RoundFigures;
import java.io.IOException;
import java.util.List;

/** Prints the comparisons with other systems as they arrive, as a table or as JSON. */
final class PeerPrinter {

  private static final String ROW =
      "%-10s %-18s %5s %-22s | %10s %10s %6s | %9s %9s %6s | %9s %9s %6s | %s";

  private final String benchmark;
  private final boolean isJson;
  private final CommandOutput out;

  PeerPrinter(String benchmark, boolean isJson, CommandOutput out) {
    this.benchmark = benchmark;
    this.isJson = isJson;
    this.out = out;
  }

  /** Prints the header of the table. */
  void header() {
    if (!isJson) {
      out.line(
          ROW.formatted(
              "peer", "promise", "bytes", "load", "ours/s", "peer/s", "ratio", "p50 us", "peer's",
              "ratio", "p99 us", "peer's", "ratio", "target"));
      out.flush();
    }
  }

  /** Prints a limit of the machine. */
  void printLimit(Figure figure) {
    var limit = figure.limit();
    if (isJson) {
      out.json(
          json -> {
            json.writeStringField("benchmark", benchmark + "/limit");
            json.writeStringField("what", limit.name());
            json.writeNumberField("perSecond", limit.perSecond());
            json.writeNumberField("p50Micros", figure.p50Micros());
            json.writeNumberField("p99Micros", figure.p99Micros());
          });
    } else {
      out.line(
          "the machine's limit: %s: %,.0f/s, p50 %,.1f us, p99 %,.1f us"
              .formatted(limit.name(), limit.perSecond(), figure.p50Micros(), figure.p99Micros()));
    }
    out.flush();
  }

  void print(PeerReport report) {
    switch (report) {
      case PeerReport.Absent absent when isJson -> json(absent);
      case PeerReport.Started started when isJson -> json(started);
      case PeerReport.Compared row when isJson -> json(row);
      case PeerReport.Absent absent ->
          out.line("%-10s %s: absent: %s".formatted(absent.peer(), absent.what(), absent.reason()));
      case PeerReport.Started started -> text(started);
      case PeerReport.Compared row -> text(row);
    }
    out.flush();
  }

  private void text(PeerReport.Started started) {
    out.line("");
    out.line(
        "%s, %s: %s; an append is: %s"
            .formatted(started.peer(), started.arrangement(), started.version(), started.append()));
    started.ours().forEach(line -> out.line("  ours: " + line));
    started.theirs().forEach(line -> out.line("  %s: %s".formatted(started.peer(), line)));
  }

  private void text(PeerReport.Compared row) {
    PeerFigures ours = row.ours();
    PeerFigures theirs = row.theirs();
    out.line(
        ROW.formatted(
            row.peer(),
            row.arrangement(),
            row.sizeBytes(),
            row.load().text(),
            rate(ours.perSecond().median()),
            rate(theirs.perSecond().median()),
            ratio(row.rateRatio()),
            micros(ours.p50Micros().median()),
            micros(theirs.p50Micros().median()),
            ratio(row.p50Ratio()),
            micros(ours.p99Micros().median()),
            micros(theirs.p99Micros().median()),
            ratio(row.p99Ratio()),
            row.isMet() ? "met" : "missed"));
    out.line(
        "           of %d rounds: ours %s/s, p50 %s, p99 %s; %s %s/s, p50 %s, p99 %s"
            .formatted(
                ours.perSecond().rounds().size(),
                range(ours.perSecond()),
                range(ours.p50Micros()),
                range(ours.p99Micros()),
                row.peer(),
                range(theirs.perSecond()),
                range(theirs.p50Micros()),
                range(theirs.p99Micros())));
  }

  private static String range(RoundFigures spread) {
    return "%,.0f..%,.0f".formatted(spread.least(), spread.most());
  }

  private static String rate(double perSecond) {
    return "%,.0f".formatted(perSecond);
  }

  private static String micros(double micros) {
    return "%,.0f".formatted(micros);
  }

  private static String ratio(double ratio) {
    return "%.2f".formatted(ratio);
  }

  private void json(PeerReport.Absent absent) {
    out.json(
        json -> {
          json.writeStringField("benchmark", benchmark + "/absent");
          json.writeStringField("peer", absent.peer());
          json.writeStringField("what", absent.what());
          json.writeStringField("reason", absent.reason());
        });
  }

  private void json(PeerReport.Started started) {
    out.json(
        json -> {
          json.writeStringField("benchmark", benchmark + "/configuration");
          json.writeStringField("peer", started.peer());
          json.writeStringField("version", started.version());
          json.writeStringField("append", started.append());
          json.writeNumberField("copies", started.arrangement().copies());
          json.writeStringField("mode", started.arrangement().mode().text());
          write(json, "ours", started.ours());
          write(json, "theirs", started.theirs());
        });
  }

  private static void write(JsonGenerator json, String field, List<String> lines)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String line : lines) {
      json.writeString(line);
    }
    json.writeEndArray();
  }

  private void json(PeerReport.Compared row) {
    out.json(
        json -> {
          json.writeStringField("benchmark", benchmark);
          json.writeStringField("peer", row.peer());
          json.writeNumberField("copies", row.arrangement().copies());
          json.writeStringField("mode", row.arrangement().mode().text());
          json.writeNumberField("sizeBytes", row.sizeBytes());
          switch (row.load()) {
            case PeerReport.Load.Flood flood -> json.writeNumberField("depth", flood.depth());
            case PeerReport.Load.Lone lone -> json.writeNumberField("depth", 1);
            case PeerReport.Load.Offered offered ->
                json.writeNumberField("offeredPerSecond", offered.perSecond());
            case PeerReport.Load.Workload workload -> {
              json.writeStringField("workload", workload.letter());
              json.writeNumberField("depth", workload.threads());
            }
            case PeerReport.Load.Calls calls -> {
              json.writeStringField("workload", calls.text());
              json.writeNumberField("keys", calls.keys());
              json.writeNumberField("depth", calls.threads());
              json.writeNumberField("target", calls.target());
            }
          }
          write(json, "ours", row.ours());
          write(json, "theirs", row.theirs());
          json.writeNumberField("rateRatio", row.rateRatio());
          json.writeNumberField("p50Ratio", row.p50Ratio());
          json.writeNumberField("p99Ratio", row.p99Ratio());
          json.writeBooleanField("met", row.isMet());
        });
  }

  private static void write(JsonGenerator json, String field, PeerFigures side) throws IOException {
    json.writeObjectFieldStart(field);
    write(json, "perSecond", side.perSecond());
    write(json, "p50Micros", side.p50Micros());
    write(json, "p99Micros", side.p99Micros());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String field, RoundFigures spread)
      throws IOException {
    json.writeObjectFieldStart(field);
    json.writeNumberField("median", spread.median());
    json.writeNumberField("least", spread.least());
    json.writeNumberField("most", spread.most());
    json.writeEndObject();
  }
}
