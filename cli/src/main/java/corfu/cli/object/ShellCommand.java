package corfu.cli.object;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.command.Failures;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputClosedException;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.cli.shell.Answer;
import corfu.cli.shell.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "shell",
    description = {
      "Opens, reads and changes replicated objects, one line at a time.",
      "At a terminal it edits lines, completes words, and remembers the lines of earlier sessions.",
      "It also reads lines from standard input. It stops at the first line that fails, with that"
          + " failure's exit status, and aborts an open transaction."
    },
    footer = {
      "",
      "Examples:",
      "  corfu shell --dir /tmp/c",
      "  printf 'open map m\\nm.put alice 5\\nm.size\\n' | corfu shell --dir /tmp/c",
      "",
      "Inside the shell, help lists its commands. The environment's XDG_STATE_HOME",
      "holds its history: corfu/shell-history (default: in ~/.local/state)."
    })
public final class ShellCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final KindOptions kinds = new KindOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  public ShellCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    try (var corfu = connection.connect();
        var shell = new Shell(KindOptions.objects(corfu), corfu.log(), kinds.kinds());
        var out = new CommandOutput(terminal.out())) {
      return terminal.interactive().getAsBoolean() && !style.json()
          ? new InteractiveShell(shell).run()
          : run(shell, out);
    }
  }

  private int run(Shell shell, CommandOutput out) {
    var lines = new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8));
    int number = 0;
    while (!shell.isOver()) {
      String line;
      try {
        line = lines.readLine();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (line == null) {
        return end(shell);
      }
      number++;
      try {
        print(line, shell.execute(line), out);
      } catch (OutputClosedException nobodyReads) {
        throw nobodyReads;
      } catch (Throwable failure) {
        out.flush();
        throw new CommandException(
            Failures.exitCodeOf(Failures.unwrap(failure)),
            "line %d: %s: %s".formatted(number, line.strip(), InteractiveShell.describe(failure)));
      }
    }
    return end(shell);
  }

  private static int end(Shell shell) {
    if (shell.isInTransaction()) {
      throw new CommandException(
          ExitCode.FAILED,
          "the transaction was begun and not ended, so nothing of it has happened");
    }
    return ExitCode.OK;
  }

  private void print(String line, Answer answer, CommandOutput out) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("line", line.strip());
            json.writeFieldName("value");
            JsonValues.write(answer.value(), json);
          });
    } else {
      answer.lines().forEach(out::line);
    }
    out.flush();
  }
}
