package corfu.bench.disk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A load that fio makes on an NBD export. */
final class FioLoad {

  private static final long LIMIT_MINUTES = 15;

  /** The report has a list of jobs, and each has an object for reads and one for writes. */
  private static final int JOB_DEPTH = 2;

  private final String uri;
  private final Path socket;

  /**
   * @param export the name of the export, which may be empty
   */
  FioLoad(String export, Path socket) {
    this.uri = "nbd+unix:///%s?socket=%s".formatted(export, socket);
    this.socket = socket;
  }

  /**
   * Runs a load.
   *
   * @param options the options of fio
   * @return the requests a second, without the flushes
   */
  double requestsPerSecond(String... options) throws IOException, InterruptedException {
    Path output = socket.resolveSibling("fio.json");
    Path log = socket.resolveSibling("fio.log");
    List<String> command = new ArrayList<>();
    Stream.of(
            "fio",
            "--name=load",
            "--ioengine=nbd",
            "--uri=" + uri,
            "--randrepeat=0",
            "--output-format=json",
            "--output=" + output)
        .forEach(command::add);
    command.addAll(List.of(options));
    Process fio =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!fio.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || fio.exitValue() != 0) {
      fio.destroyForcibly();
      throw new IOException(
          "%s failed: %s".formatted(command, Files.readString(log, StandardCharsets.UTF_8)));
    }
    return requestsPerSecond(Files.readString(output, StandardCharsets.UTF_8));
  }

  /** Returns the sum of reads and writes a second in a report of one job. */
  static double requestsPerSecond(String report) throws IOException {
    double sum = 0;
    int depth = 0;
    String direction = "";
    try (JsonParser json = new JsonFactory().createParser(report.substring(report.indexOf('{')))) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.START_OBJECT) {
          depth++;
        } else if (token == JsonToken.END_OBJECT) {
          depth--;
        } else if (token == JsonToken.FIELD_NAME && depth == JOB_DEPTH) {
          direction = json.currentName();
        } else if (token.isNumeric()
            && depth == JOB_DEPTH + 1
            && (direction.equals("read") || direction.equals("write"))
            && "iops".equals(json.currentName())) {
          sum += json.getDoubleValue();
        }
      }
    }
    if (sum == 0) {
      throw new IOException("fio has reported no requests: " + report);
    }
    return sum;
  }
}
