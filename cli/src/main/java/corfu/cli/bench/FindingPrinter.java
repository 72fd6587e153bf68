package corfu.cli.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.bench.harness.PartResult;
import corfu.bench.plot.Plot;
import corfu.cli.output.CommandOutput;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Prints the findings of one benchmark as they arrive, as a table or as JSON. */
final class FindingPrinter {

  private static final String ROW = "%-9s %-64s %6s %12s %12s %12s %12s %7s";

  private final String benchmark;
  private final boolean isJson;
  private final CommandOutput out;

  FindingPrinter(String benchmark, boolean isJson, CommandOutput out) {
    this.benchmark = benchmark;
    this.isJson = isJson;
    this.out = out;
  }

  /** Prints the header of the table. */
  void header() {
    if (!isJson) {
      out.line(
          ROW.formatted(
              "part", "what", "count", "p50 ms", "p99 ms", "longest ms", "best ms", "ratio"));
      out.flush();
    }
  }

  void print(PartResult finding) {
    switch (finding) {
      case PartResult.Times times when isJson -> printJson(times);
      case PartResult.Rate rate when isJson -> printJson(rate);
      case PartResult.Values values when isJson -> printJson(values);
      case PartResult.Picture picture when isJson -> printJson(picture.plot());
      case PartResult.Picture picture -> {}
      case PartResult.Values values ->
          out.line("%-9s %s: %s".formatted(values.part(), values.what(), text(values)));
      case PartResult.Times times ->
          out.line(
              ROW.formatted(
                  times.part(),
                  times.what(),
                  times.count(),
                  millis(times.p50Millis()),
                  millis(times.p99Millis()),
                  millis(times.maxMillis()),
                  times.machineMillis().isPresent()
                      ? millis(times.machineMillis().getAsDouble())
                      : "",
                  ratio(times.ratio())));
      case PartResult.Rate rate ->
          out.line(
              "%-9s %s: %,.0f %s/s; %s: %,.0f; ratio %.3f"
                  .formatted(
                      rate.part(),
                      rate.what(),
                      rate.perSecond(),
                      rate.unit(),
                      rate.limit(),
                      rate.limitPerSecond(),
                      rate.ratio()));
    }
    out.flush();
  }

  private static String text(PartResult.Values values) {
    return values.values().stream()
        .map(value -> "%s %,.3f".formatted(value.name(), value.value()))
        .collect(Collectors.joining(", "));
  }

  private static String millis(double millis) {
    return "%,.3f".formatted(millis);
  }

  private static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? "%.3f".formatted(ratio.getAsDouble()) : "";
  }

  private void printJson(PartResult.Times times) {
    out.json(
        json -> {
          json.writeStringField("benchmark", benchmark + "/" + times.part());
          json.writeStringField("what", times.what());
          json.writeNumberField("count", times.count());
          json.writeNumberField("p50Millis", times.p50Millis());
          json.writeNumberField("p99Millis", times.p99Millis());
          json.writeNumberField("maxMillis", times.maxMillis());
          if (times.machineMillis().isPresent()) {
            json.writeNumberField("bestMillis", times.machineMillis().getAsDouble());
            json.writeNumberField("ratio", times.ratio().orElseThrow());
          }
        });
  }

  private void printJson(PartResult.Values values) {
    out.json(
        json -> {
          json.writeStringField("benchmark", benchmark + "/" + values.part());
          json.writeStringField("what", values.what());
          for (PartResult.Value value : values.values()) {
            json.writeNumberField(value.name(), value.value());
          }
        });
  }

  private void printJson(PartResult.Rate rate) {
    out.json(
        json -> {
          json.writeStringField("benchmark", benchmark + "/" + rate.part());
          json.writeStringField("what", rate.what());
          json.writeStringField("unit", rate.unit());
          json.writeNumberField("perSecond", rate.perSecond());
          json.writeStringField("limitName", rate.limit());
          json.writeNumberField("limitPerSecond", rate.limitPerSecond());
          json.writeNumberField("ratio", rate.ratio());
        });
  }

  /** Prints the points of a picture, from which {@code corfu bench all --tables} draws it again. */
  private void printJson(Plot plot) {
    out.json(
        json -> {
          json.writeStringField("benchmark", benchmark + "/picture");
          json.writeStringField("title", plot.title());
          json.writeStringField("across", plot.across().name());
          json.writeStringField("below", plot.below());
          json.writeArrayFieldStart("panels");
          for (Plot.Panel panel : plot.panels()) {
            json.writeStartObject();
            json.writeStringField("name", panel.name());
            json.writeArrayFieldStart("curves");
            for (Plot.Curve curve : panel.curves()) {
              json.writeStartObject();
              json.writeStringField("name", curve.name());
              write(json, "x", curve.points(), Plot.Point::x);
              write(json, "y", curve.points(), Plot.Point::y);
              json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void write(
      JsonGenerator json,
      String name,
      List<Plot.Point> points,
      ToDoubleFunction<Plot.Point> coordinate)
      throws IOException {
    double[] values = points.stream().mapToDouble(coordinate).toArray();
    json.writeFieldName(name);
    json.writeArray(values, 0, values.length);
  }
}
