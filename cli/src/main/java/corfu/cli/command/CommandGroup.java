package corfu.cli.command;

import corfu.cli.output.Terminal;
import java.util.Collection;

/** A group of commands under one name. */
public interface CommandGroup {

  /** Returns the commands, each of which writes to this terminal. */
  Collection<Object> subcommands(Terminal terminal);
}
