package corfu.cli.output;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The form of a command's output; every command has these options. */
public final class OutputOptions {

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(names = "--json", description = "Print JSON for scripts, one object a line.")
  private boolean json;

  @SuppressWarnings("UnusedVariable") // Failures asks the parser for it
  @Option(names = "--verbose", description = "Print stack traces of failures.")
  private boolean verbose;

  public boolean json() {
    return json;
  }

  /** Prints one result as text or as JSON. */
  public void print(Terminal terminal, String text, CommandOutput.Members members) {
    try (var out = new CommandOutput(terminal.out())) {
      if (json) {
        out.json(members);
      } else {
        out.line(text);
      }
    }
  }
}
