package corfu.architecture;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The format of Java sources, which is that of google-java-format.
 *
 * <p>{@code ./corfu format} starts this class from source, so it must compile with only the
 * formatter on the class path.
 */
final class Formatting {

  private Formatting() {}

  /** The result for one file. */
  record Outcome(Path file, Kind kind, String detail) {}

  enum Kind {
    AS_IT_SHOULD_BE,
    DIFFERS,
    DOES_NOT_PARSE
  }

  /** Formats every Java file of the checkout in place. */
  public static void main(String[] arguments) throws IOException {
    var sources = Sources.ofThisRepository();
    var outcomes = check(sources).toList();
    boolean allParse = true;
    for (Outcome outcome : outcomes) {
      switch (outcome.kind()) {
        case AS_IT_SHOULD_BE -> {}
        case DIFFERS -> {
          Files.writeString(outcome.file(), outcome.detail());
          System.out.println("formatted " + sources.nameOf(outcome.file()));
        }
        case DOES_NOT_PARSE -> {
          System.err.println(sources.nameOf(outcome.file()) + ":" + outcome.detail());
          allParse = false;
        }
      }
    }
    System.exit(allParse ? 0 : 1);
  }

  /**
   * Checks all files. The detail of a file that differs is its formatted text; that of a file that
   * does not parse is the error.
   */
  static Stream<Outcome> check(Sources sources) throws IOException {
    return sources.java().parallelStream().map(Formatting::check);
  }

  private static Outcome check(Path file) {
    try {
      String source = Files.readString(file);
      String formatted = new Formatter().formatSourceAndFixImports(source);
      return source.equals(formatted)
          ? new Outcome(file, Kind.AS_IT_SHOULD_BE, "")
          : new Outcome(file, Kind.DIFFERS, formatted);
    } catch (FormatterException e) {
      return new Outcome(file, Kind.DOES_NOT_PARSE, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
