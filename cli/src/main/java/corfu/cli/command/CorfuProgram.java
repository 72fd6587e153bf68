package corfu.cli.command;

import corfu.node.local.JavaCommand;

/** Starts this program again in other processes. */
public final class CorfuProgram {

  /** The name instead of the class, which depends on every command. */
  private static final String MAIN_CLASS = "corfu.cli.Main";

  private CorfuProgram() {}

  /** Returns the command line that starts this program with this process's JVM and options. */
  public static JavaCommand command() {
    return JavaCommand.likeThisProcess(MAIN_CLASS);
  }
}
