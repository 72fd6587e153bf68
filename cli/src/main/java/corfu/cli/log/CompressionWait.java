package corfu.cli.log;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.StatusLine;
import corfu.cli.output.Terminal;
import corfu.cli.output.Units;
import corfu.protocol.Address;
import corfu.protocol.message.LogUnitReply;
import corfu.runtime.CompressionReport;
import corfu.runtime.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Option;

/** Asks log units to compress, shows their progress, and prints the result. */
public final class CompressionWait {

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** The number of looks without any progress after which the command stops to wait: a minute. */
  private static final int PATIENCE = 600;

  @Option(
      names = "--no-wait",
      description = "Return once the log units have accepted, and print their state.")
  private boolean isHurried;

  /**
   * Compresses the log on all log units.
   *
   * @param log the log
   * @param before the address below which the log is compressed
   * @return the exit status: {@link ExitCode#PARTLY_DONE} if some log unit did not compress all
   */
  public int compress(Log log, Address before, Terminal terminal, OutputOptions style)
      throws InterruptedException {
    List<CompressionReport> reports = log.compress(before);
    if (!isHurried) {
      reports = await(log, reports, terminal);
    }
    print(before, reports, terminal, style);
    List<String> problems = reports.stream().map(this::problem).toList();
    problems.stream()
        .filter(problem -> !problem.isEmpty())
        .forEach(problem -> terminal.note("corfu: " + problem));
    return problems.stream().allMatch(String::isEmpty) ? ExitCode.OK : ExitCode.PARTLY_DONE;
  }

  /** Waits until all log units that answer are done, or none of them gets on. */
  private static List<CompressionReport> await(
      Log log, List<CompressionReport> first, Terminal terminal) throws InterruptedException {
    List<CompressionReport> reports = first;
    try (var line = new StatusLine(terminal)) {
      int still = 0;
      long least = Long.MAX_VALUE;
      while (waiting(reports) > 0 && still < PATIENCE) {
        long left = waiting(reports);
        still = left < least ? 0 : still + 1;
        least = Math.min(least, left);
        line.show("compressing: %s left".formatted(Units.bytes(left)));
        Thread.sleep(PAUSE);
        reports = log.compression();
      }
    }
    return reports;
  }

  private static long waiting(List<CompressionReport> reports) {
    return sum(reports, LogUnitReply.Compressed::waitingBytes);
  }

  private static long sum(
      List<CompressionReport> reports, ToLongFunction<LogUnitReply.Compressed> bytes) {
    return reports.stream().flatMap(report -> report.progress().stream()).mapToLong(bytes).sum();
  }

  /** Returns the reason why a log unit did not compress all, or an empty text. */
  private String problem(CompressionReport report) {
    if (report.progress().isEmpty()) {
      return report.problem() + "; run the command again when the server is back";
    }
    LogUnitReply.Compressed told = report.progress().get();
    if (!told.detail().isEmpty()) {
      return "%s: %s".formatted(report.unit(), told.detail());
    }
    return told.waitingBytes() == 0 || isHurried
        ? ""
        : "%s still compresses %s; run the command again to wait on"
            .formatted(report.unit(), Units.bytes(told.waitingBytes()));
  }

  private void print(
      Address before, List<CompressionReport> reports, Terminal terminal, OutputOptions style) {
    long plain = sum(reports, LogUnitReply.Compressed::plainBytes);
    long stored = sum(reports, LogUnitReply.Compressed::storedBytes);
    long waiting = waiting(reports);
    String left = waiting == 0 ? "" : ", and %s wait".formatted(Units.bytes(waiting));
    style.print(
        terminal,
        "log below %s: %s are stored in %s on %d log units%s"
            .formatted(before, Units.bytes(plain), Units.bytes(stored), reports.size(), left),
        json -> {
          json.writeNumberField("before", before.value());
          json.writeNumberField("plainBytes", plain);
          json.writeNumberField("storedBytes", stored);
          json.writeNumberField("waitingBytes", waiting);
          json.writeArrayFieldStart("units");
          for (CompressionReport report : reports) {
            write(report, json);
          }
          json.writeEndArray();
        });
  }

  private void write(CompressionReport report, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("server", report.unit().toString());
    if (report.progress().isPresent()) {
      LogUnitReply.Compressed told = report.progress().get();
      json.writeNumberField("before", told.before());
      json.writeNumberField("plainBytes", told.plainBytes());
      json.writeNumberField("storedBytes", told.storedBytes());
      json.writeNumberField("waitingBytes", told.waitingBytes());
    }
    String problem = problem(report);
    if (!problem.isEmpty()) {
      json.writeStringField("problem", problem);
    }
    json.writeEndObject();
  }
}
