package corfu.cli.shell;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a line.
 *
 * @param lines the result as lines for people
 * @param value the result for scripts; null if there is none
 */
public record Answer(List<String> lines, @Nullable Object value) {

  static final Answer NOTHING = new Answer(List.of(), null);

  public Answer {
    lines = List.copyOf(lines);
  }

  static Answer of(@Nullable Object value) {
    return new Answer(List.of(Rendering.of(value)), value);
  }

  static Answer lines(List<String> lines) {
    return new Answer(lines, lines);
  }
}
