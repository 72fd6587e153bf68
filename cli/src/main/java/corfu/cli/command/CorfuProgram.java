package corfu.cli.command;

import corfu.node.local.JavaCommand;

/** This program, for commands that start it again in other processes. */
public final class CorfuProgram {

  /** A name, not the class: the class knows every command. */
  private static final String MAIN_CLASS = "corfu.cli.Main";

  private CorfuProgram() {}

  /** Returns how to start this program as this process was started. */
  public static JavaCommand command() {
    return JavaCommand.likeThisProcess(MAIN_CLASS);
  }
}
