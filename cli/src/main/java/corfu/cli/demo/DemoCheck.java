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
 * Compares a log, entry by entry, with the lines that were appended. It walks along each writer's
 * lines: what comes from a writer must be its next line, or one of those that it had under way and
 * that have been overtaken. So each line is there, once, and in its writer's order except for
 * those, however long the log is.
 */
final class DemoCheck implements AutoCloseable {

  private final DemoInput input;
  private final List<LineReader> expected = new ArrayList<>();

  /** By writer: lines that others of the same writer have overtaken. */
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
   * Takes the log's next entry.
   *
   * @throws CommandException if it is not what it must be
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

  /** The text of a line whose turn it is, or was. */
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
   * Says that the log has ended.
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

  /** Addresses that no line got. */
  long holes() {
    return holes;
  }

  /** Lines that others of the same writer have overtaken. */
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
