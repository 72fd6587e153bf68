package corfu.cli.demo;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.log.LineReader;
import corfu.runtime.LogEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares a log, entry by entry, with the appended lines. Each entry of a writer must be its next
 * line, or an in-flight line that later lines have overtaken. So it proves that each line is there
 * once, and in its writer's order except for overtaken lines. Its memory does not grow with the
 * log.
 */
final class DemoCheck implements AutoCloseable {

  private final DemoInput input;
  private final List<LineReader> expected = new ArrayList<>();

  /** By writer: lines that later lines of the same writer have overtaken. */
  private final List<Map<Long, byte[]>> overtaken = new ArrayList<>();

  private long holes;
  private long late;

  DemoCheck(DemoInput input) throws IOException {
    this.input = input;
    for (int writer = 0; writer < input.writers(); writer++) {
      expected.add(input.open(writer));
      overtaken.add(new HashMap<>());
    }
  }

  /**
   * Checks the log's next entry.
   *
   * @throws CommandException if the entry is wrong
   */
  void accept(LogEntry entry) {
    switch (entry) {
      case LogEntry.Data data -> compare(data);
      case LogEntry.Hole hole -> holes++;
      case LogEntry.Trimmed trimmed -> throw wrong(entry, "was trimmed, by nobody");
      case LogEntry.Unwritten unwritten -> throw wrong(entry, "is unwritten, below the tail");
    }
  }

  private void compare(LogEntry.Data data) {
    var found = DemoEntry.decode(data.payload());
    if (found.writer() < 0 || found.writer() >= expected.size()) {
      throw wrong(data, "was written by writer " + found.writer() + ", whom nobody knows");
    }
    if (!found.line().equals(ByteBuffer.wrap(expectedLine(data, found)))) {
      throw wrong(data, "holds other text than line %d of its writer".formatted(found.number()));
    }
  }

  /** Returns the text of a writer's next line, or of an overtaken one. */
  private byte[] expectedLine(LogEntry.Data data, DemoEntry found) {
    LineReader lines = expected.get(found.writer());
    Map<Long, byte[]> waiting = overtaken.get(found.writer());
    byte[] earlier = waiting.remove(found.number());
    if (earlier != null) {
      late++;
      return earlier;
    }
    if (found.number() < lines.number()) {
      throw wrong(
          data, "holds line %d of writer %d once more".formatted(found.number(), found.writer()));
    }
    if (found.number() >= input.parts().get(found.writer()).lines()) {
      throw wrong(data, "is one line more than writer %d had".formatted(found.writer()));
    }
    while (lines.number() < found.number()) {
      if (waiting.size() == DemoWriter.IN_FLIGHT) {
        throw wrong(
            data,
            "holds line %d of writer %d, but more lines before it are missing than were under way"
                .formatted(found.number(), found.writer()));
      }
      waiting.put(lines.number(), lines.next().orElseThrow());
    }
    return lines.next().orElseThrow();
  }

  /**
   * Checks the end of the log.
   *
   * @throws CommandException if lines are missing
   */
  void end() {
    for (int writer = 0; writer < expected.size(); writer++) {
      long had = input.parts().get(writer).lines();
      long found = expected.get(writer).number() - overtaken.get(writer).size();
      if (found < had) {
        throw new CommandException(
            ExitCode.FAILED,
            "the log ends with %d of the %d lines of writer %d".formatted(found, had, writer));
      }
    }
  }

  /** Returns the number of addresses without a line. */
  long holes() {
    return holes;
  }

  /** Returns the number of lines that later lines of the same writer have overtaken. */
  long late() {
    return late;
  }

  private static CommandException wrong(LogEntry entry, String what) {
    return new CommandException(ExitCode.FAILED, "address " + entry.address() + " " + what);
  }

  @Override
  public void close() throws IOException {
    for (LineReader lines : expected) {
      lines.close();
    }
  }
}
