package corfu.cli;

import corfu.cli.shell.Answer;
import corfu.cli.shell.Shell;
import corfu.cli.shell.ShellException;
import corfu.objects.ObjectException;
import corfu.objects.generated.ObjectTypeException;
import corfu.objects.serial.SerializationException;
import corfu.runtime.CorfuException;
import java.io.IOException;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.TerminalBuilder;

/** The shell with a person: a line that can be edited, a history of lines, completion. */
final class ShellDialogue {

  private final Shell shell;
  private final Terminal terminal;

  ShellDialogue(Shell shell, Terminal terminal) {
    this.shell = shell;
    this.terminal = terminal;
  }

  int run() throws IOException {
    try (var screen = TerminalBuilder.builder().system(true).build()) {
      return run(screen);
    }
  }

  int run(org.jline.terminal.Terminal screen) {
    var parser = new DefaultParser();
    parser.setEofOnUnclosedQuote(false);
    parser.setEscapeChars(new char[0]); // a backslash is the shell's own to read
    LineReader reader =
        LineReaderBuilder.builder()
            .appName("corfu")
            .terminal(screen)
            .parser(parser)
            .completer((line, typed, candidates) -> complete(typed, candidates))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    screen.writer().println("help tells what there is; exit, or Ctrl-D, leaves.");
    while (!shell.isOver()) {
      try {
        Answer answer = shell.execute(reader.readLine(shell.prompt()));
        answer.lines().forEach(screen.writer()::println);
      } catch (UserInterruptException again) {
        continue; // the line is given up
      } catch (EndOfFileException end) {
        break;
      } catch (Throwable failure) {
        screen.writer().println(describe(failure));
      }
      screen.flush();
    }
    if (shell.isInTransaction()) {
      terminal.note("corfu: the transaction was not ended, so nothing of it has happened");
    }
    return ExitCode.OK;
  }

  private void complete(ParsedLine typed, List<Candidate> candidates) {
    List<String> before = typed.words().subList(0, typed.wordIndex());
    for (String each : shell.completions(before, typed.word())) {
      boolean isWhole = !each.endsWith(".");
      candidates.add(new Candidate(each, each, null, null, null, null, isWhole));
    }
  }

  /** What an object's own method threw is named with its class: nobody else knows it. */
  static String describe(Throwable thrown) {
    Throwable failure = Failures.unwrap(thrown);
    return switch (failure) {
      case ShellException shell -> String.valueOf(shell.getMessage());
      case ObjectException object -> String.valueOf(object.getMessage());
      case ObjectTypeException type -> String.valueOf(type.getMessage());
      case SerializationException value -> String.valueOf(value.getMessage());
      case CorfuException corfu -> String.valueOf(corfu.getMessage());
      default -> failure.getClass().getSimpleName() + ": " + failure.getMessage();
    };
  }
}
