package corfu.cli.object;

import corfu.cli.command.ExitCode;
import corfu.cli.command.Failures;
import corfu.cli.shell.Answer;
import corfu.cli.shell.Shell;
import corfu.cli.shell.ShellException;
import corfu.objects.ObjectException;
import corfu.objects.generated.ObjectTypeException;
import corfu.objects.serial.SerializationException;
import corfu.runtime.CorfuException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** The shell at a terminal: it edits lines, completes words, and keeps a history of lines. */
final class InteractiveShell {

  private static final Pattern CAST =
      Pattern.compile("^class (\\S+) cannot be cast to class (\\S+)");

  private final Shell shell;

  InteractiveShell(Shell shell) {
    this.shell = shell;
  }

  int run() throws IOException {
    try (var screen = TerminalBuilder.builder().system(true).build()) {
      LineReader reader = reader(screen);
      Path history = ShellHistory.file(System.getenv(), Path.of(System.getProperty("user.home")));
      try {
        ShellHistory.keep(reader, history);
      } catch (IOException | RuntimeException unusable) {
        screen
            .writer()
            .println("earlier lines are not kept: cannot use " + history + ": " + unusable);
      }
      return run(reader::readLine, screen.writer());
    }
  }

  /** Returns a reader of lines from a terminal, without a history file. */
  LineReader reader(Terminal screen) {
    var parser = new DefaultParser();
    parser.setEofOnUnclosedQuote(false);
    parser.setEscapeChars(new char[0]); // the shell reads backslashes by itself
    return LineReaderBuilder.builder()
        .appName("corfu")
        .terminal(screen)
        .parser(parser)
        .completer((line, typed, candidates) -> complete(typed, candidates))
        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
        .build();
  }

  /**
   * Runs lines until the person leaves.
   *
   * @param lines returns a line for a prompt, as {@link LineReader#readLine(String)} does
   */
  int run(UnaryOperator<String> lines, PrintWriter screen) {
    screen.println("Type help for a list of commands, and exit or Ctrl-D to leave.");
    while (!shell.isOver()) {
      screen.flush();
      try {
        Answer answer = shell.execute(lines.apply(shell.prompt()));
        answer.lines().forEach(screen::println);
      } catch (UserInterruptException again) {
        // drops the line
      } catch (EndOfFileException end) {
        break;
      } catch (Throwable failure) {
        screen.println(describe(failure));
      }
    }
    if (shell.isInTransaction()) {
      screen.println("the transaction was not ended, so nothing of it has happened");
    }
    screen.flush();
    return ExitCode.OK;
  }

  private void complete(ParsedLine typed, List<Candidate> candidates) {
    List<String> before = typed.words().subList(0, typed.wordIndex());
    for (String each : shell.completions(before, typed.word())) {
      boolean isWhole = !each.endsWith(".");
      candidates.add(new Candidate(each, each, null, null, null, null, isWhole));
    }
  }

  /** Returns a failure's message. A failure of an object's own method has its class before it. */
  static String describe(Throwable thrown) {
    Throwable failure = Failures.unwrap(thrown);
    return switch (failure) {
      case ShellException shell -> String.valueOf(shell.getMessage());
      case ObjectException object -> String.valueOf(object.getMessage());
      case ObjectTypeException type -> String.valueOf(type.getMessage());
      case SerializationException value -> String.valueOf(value.getMessage());
      case CorfuException corfu -> String.valueOf(corfu.getMessage());
      case ClassCastException value -> describe(value);
      default -> failure.getClass().getSimpleName() + ": " + failure.getMessage();
    };
  }

  /** Leaves out the modules and class loaders that the JVM names. */
  private static String describe(ClassCastException failure) {
    Matcher classes = CAST.matcher(String.valueOf(failure.getMessage()));
    return classes.find()
        ? "a value of class %s was given where the object has class %s"
            .formatted(simpleName(classes.group(1)), simpleName(classes.group(2)))
        : "ClassCastException: " + failure.getMessage();
  }

  private static String simpleName(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }
}
