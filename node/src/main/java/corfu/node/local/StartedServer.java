package corfu.node.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A server that was just started.
 *
 * @param server the server
 * @param process its process
 * @param log its log file
 * @param logStart the offset in the log file at which this start begins
 */
record StartedServer(LocalServer server, Process process, Path log, long logStart) {

  private static final int LINES_TOLD = 10;

  /**
   * Throws a description of a server that ended at once.
   *
   * @throws LocalClusterException if it has ended
   */
  void failIfEnded() {
    if (!process.isAlive()) {
      throw new LocalClusterException(
          "server %s ended at once, with status %d: see %s%s"
              .formatted(server.name(), process.exitValue(), log, lastWords()));
    }
  }

  private String lastWords() {
    try (var in = Files.newInputStream(log)) {
      in.skipNBytes(logStart);
      List<String> lines =
          new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().lines().toList();
      var last = lines.subList(Math.max(0, lines.size() - LINES_TOLD), lines.size());
      return last.isEmpty() ? "" : "\n  " + String.join("\n  ", last);
    } catch (IOException e) {
      return "";
    }
  }
}
