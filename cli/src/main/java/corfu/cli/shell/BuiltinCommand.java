package corfu.cli.shell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The commands; everything else is about an object. */
enum BuiltinCommand {
  OPEN("open KIND NAME [as ALIAS]", "opens an object: a collection, or of a class in full"),
  OBJECTS("objects", "the objects that anybody has changed, and their types"),
  BEGIN("begin [snapshot | read-only]", "begins a transaction"),
  COMMIT("commit", "ends it: all of it happens, or nothing"),
  ABORT("abort", "gives it up"),
  AT("at ADDRESS", "shows all objects as they were at this address of the log"),
  NOW("now", "and as they are again"),
  TAIL("tail", "the address where the log ends"),
  HISTORY("history NAME", "who has changed an object, when, and how"),
  CHECKPOINT("checkpoint NAME", "saves an object's state, so that it opens faster"),
  FORGET("forget NAME ADDRESS", "gives up an object's history, as far as a checkpoint allows"),
  ROLLBACK("rollback ADDRESS NAME ...", "makes objects what they were there, all in one change"),
  HELP("help [COMMAND | KIND | NAME]", "this; or what can be called on an object"),
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

  /** The command that a word means. */
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
    lines.add("%-30s %s".formatted("NAME", "what an object holds"));
    lines.add("%-30s %s".formatted("NAME.METHOD VALUE ...", "calls a method of an object"));
    lines.add("");
    lines.add("Kinds: " + String.join(", ", kinds) + "; or a class of --class-path.");
    lines.add("Values: alice, \"two words\", 5 (an int), 5L (a long), 2.5, true, null, [1, 2],");
    lines.add("{alice: 5}. What stands behind # is a comment.");
    return lines;
  }
}
