package corfu.cli;

import corfu.runtime.LogEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares a log, entry by entry, with the lines that were appended. It walks along each writer's
 * lines: what comes from a writer must be exactly its next line. So each line is there, once, and
 * in its writer's order, however long the log is.
 */
final class DemoCheck implements AutoCloseable {

  private final DemoInput input;
  private final List<Lines> expected = new ArrayList<>();
  private long holes;

  DemoCheck(DemoInput input) throws IOException {
    this.input = input;
    for (int writer = 0; writer < input.writers(); writer++) {
      expected.add(input.open(writer));
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
    Lines lines = expected.get(found.writer());
    long number = lines.number();
    if (number == input.parts().get(found.writer()).lines()) {
      throw wrong(data, "is one line more than writer %d had".formatted(found.writer()));
    }
    if (found.number() != number) {
      throw wrong(
          data,
          "holds line %d of writer %d, whose next line is %d"
              .formatted(found.number(), found.writer(), number));
    }
    if (!found.line().equals(ByteBuffer.wrap(lines.next().orElseThrow()))) {
      throw wrong(data, "holds other text than line %d of its writer".formatted(number));
    }
  }

  /**
   * Says that the log has ended.
   *
   * @throws CommandException if lines are missing
   */
  void end() {
    for (int writer = 0; writer < expected.size(); writer++) {
      long had = input.parts().get(writer).lines();
      long found = expected.get(writer).number();
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

  private static CommandException wrong(LogEntry entry, String what) {
    return new CommandException(ExitCode.FAILED, "address " + entry.address() + " " + what);
  }

  @Override
  public void close() throws IOException {
    for (Lines lines : expected) {
      lines.close();
    }
  }
}
