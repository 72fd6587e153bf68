package corfu.cli.shell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The shell's commands; every other line is about an object. */
enum BuiltinCommand {
  OPEN("open KIND NAME [as ALIAS]", "opens an object: a collection, or an object of a class"),
  OBJECTS("objects", "lists the objects that clients have changed, and their types"),
  BEGIN("begin [snapshot | read-only]", "begins a transaction"),
  COMMIT("commit", "commits the transaction: all of it happens, or nothing"),
  ABORT("abort", "aborts the transaction"),
  AT("at ADDRESS", "shows all objects as they were at this log address"),
  NOW("now", "shows all objects as they are now"),
  TAIL("tail", "prints the tail of the log"),
  HISTORY("history NAME", "lists an object's changes, with their times and clients"),
  CHECKPOINT("checkpoint NAME", "writes a checkpoint, so that an object opens faster"),
  FORGET("forget NAME ADDRESS", "deletes old history, as far as a checkpoint allows"),
  ROLLBACK("rollback ADDRESS NAME ...", "rolls objects back to an address, all in one change"),
  HELP("help [COMMAND | KIND | NAME]", "prints this list, or the methods of an object"),
  EXIT("exit", "leaves the shell");

  private final String usage;
  private final String what;

  BuiltinCommand(String usage, String what) {
    this.usage = usage;
    this.what = what;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String usage() {
    return "%-30s %s".formatted(usage, what);
  }

  /** Returns the command of a word, or empty if there is none. */
  static Optional<BuiltinCommand> named(String word) {
    return word.equals("quit")
        ? Optional.of(EXIT)
        : Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
  }

  static Stream<String> words() {
    return Arrays.stream(values()).map(BuiltinCommand::word);
  }

  static List<String> help(List<String> kinds) {
    List<String> lines = new ArrayList<>();
    for (BuiltinCommand command : values()) {
      lines.add(command.usage());
    }
    lines.add("%-30s %s".formatted("NAME", "prints an object's state"));
    lines.add("%-30s %s".formatted("NAME.METHOD VALUE ...", "calls a method of an object"));
    lines.add("");
    lines.add("Kinds: " + String.join(", ", kinds) + "; or a class of --class-path.");
    lines.add("Values: alice, \"two words\", 5 (an int), 5L (a long), 2.5, true, null, [1, 2],");
    lines.add("{alice: 5}. Text behind # is a comment.");
    return lines;
  }
}
