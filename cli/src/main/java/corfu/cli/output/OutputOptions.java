package corfu.cli.output;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command speaks; every command has these. */
public final class OutputOptions {

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(names = "--json", description = "Print JSON, an object a line, for scripts.")
  private boolean json;

  @SuppressWarnings("UnusedVariable") // Failures asks the parser for it
  @Option(names = "--verbose", description = "Show stack traces of failures.")
  private boolean verbose;

  public boolean json() {
    return json;
  }

  /** Prints one result, in the form that was asked for. */
  public void print(Terminal terminal, String text, Output.Members members) {
    try (var out = new Output(terminal.out())) {
      if (json) {
        out.json(members);
      } else {
        out.line(text);
      }
    }
  }
}
