package corfu.cli;

import corfu.cli.command.ExitCode;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands and options in bash and zsh.",
      "To use it, add the line 'source <(corfu completion)' to ~/.bashrc or ~/.zshrc."
    },
    footer = {"", "Example:", "  corfu completion"})
final class CompletionCommand implements Callable<Integer> {

  private final Terminal terminal;

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    String script = AutoComplete.bash("corfu", RootCommand.commandLine(terminal));
    try (var out = terminal.outWriter()) {
      out.print(script);
      out.flush();
    }
    return ExitCode.OK;
  }
}
