package corfu.cli.silver.demo;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import corfu.node.local.TemporaryDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code corfu silver demo}. */
@Command(
    name = "demo",
    description = {
      "Demonstrates a file system of which every version stays.",
      "The demo starts a cluster inside this process, mounts a file system, and copies a directory"
          + " into it. It changes and removes files, reads them as they were, clones the past,"
          + " takes removed files back, ships a version to a file, and checks all of it. The exit"
          + " status is 0 only if every check passes. The demo deletes its files."
    },
    footer = {"", "Example:", "  corfu silver demo --tree /usr/share/doc"})
public final class SilverDemoCommand implements Callable<Integer> {

  private final Terminal terminal;

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--tree",
      paramLabel = "DIRECTORY",
      description = "The directory to copy (default: that of the running Java).")
  private Path tree = Path.of(System.getProperty("java.home"), "conf");

  /** Returns the command that prints to this terminal. */
  public SilverDemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (!Files.isDirectory(tree)) {
      throw new CommandException(ExitCode.FAILED, "there is no directory " + tree);
    }
    Logging.silent();
    try (var directory = TemporaryDirectory.create("corfu-demo-");
        var out = new CommandOutput(terminal.out());
        var demo =
            new SilverDemo(
                tree,
                directory.path(),
                line -> {
                  out.line(line);
                  out.flush();
                })) {
      demo.run();
    }
    return ExitCode.OK;
  }
}
