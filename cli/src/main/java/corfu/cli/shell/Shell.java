package corfu.cli.shell;

import corfu.objects.CatalogueEntry;
import corfu.objects.Isolation;
import corfu.objects.PastObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.protocol.Address;
import corfu.runtime.Log;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Executes lines: commands, and calls of open objects ({@code accounts.put alice 5}). For one
 * thread, whose transactions it begins and ends.
 */
public final class Shell implements AutoCloseable {

  private final ReplicatedObjects objects;
  private final Log log;
  private final Kinds kinds;
  private final Map<String, Open> open = new LinkedHashMap<>();
  private Optional<PastObjects> past = Optional.empty();
  private boolean isInTransaction;
  private boolean isOver;

  /**
   * An open object.
   *
   * @param now the object's present state
   * @param then the object's state at the past address of the shell; null until it is used
   */
  private record Open(ObjectName name, Kind kind, Object now, @Nullable Object then) {}

  /** Creates a shell without open objects. */
  public Shell(ReplicatedObjects objects, Log log, Kinds kinds) {
    this.objects = objects;
    this.log = log;
    this.kinds = kinds;
  }

  /** Whether the person has left the shell. */
  public boolean isOver() {
    return isOver;
  }

  /** Whether a transaction is open. */
  public boolean isInTransaction() {
    return isInTransaction;
  }

  /** Returns the prompt. */
  public String prompt() {
    String where = past.map(each -> " @" + each.address()).orElse("");
    return "corfu" + where + (isInTransaction ? " (transaction)" : "") + "> ";
  }

  /** Aborts an open transaction. */
  @Override
  public void close() {
    if (isInTransaction) {
      isInTransaction = false;
      objects.txAbort();
    }
  }

  /**
   * Executes one line.
   *
   * @throws ShellException if the line is wrong
   * @throws Throwable the exception of the called object
   */
  public Answer execute(String line) throws Throwable {
    LineParser words = new LineParser(line);
    if (words.isAtEnd()) {
      return Answer.NOTHING;
    }
    String first = words.word('.');
    if (words.rest().startsWith(".")) {
      return call(first, words);
    }
    Optional<BuiltinCommand> command = BuiltinCommand.named(first);
    return command.isPresent() ? run(command.get(), words) : show(first, words);
  }

  private Answer run(BuiltinCommand command, LineParser words) {
    Answer answer =
        switch (command) {
          case OPEN -> open(words);
          case OBJECTS -> list();
          case BEGIN -> begin(words);
          case COMMIT -> commit();
          case ABORT -> abort();
          case AT -> goTo(words.word(' '));
          case NOW -> goTo("now");
          case TAIL -> Answer.of(log.tail().value());
          case HISTORY -> history(words);
          case CHECKPOINT -> checkpoint(opened(words.name()));
          case FORGET -> forget(words);
          case ROLLBACK -> rollBack(words);
          case HELP -> help(words);
          case EXIT -> {
            isOver = true;
            yield Answer.NOTHING;
          }
        };
    if (!words.isAtEnd()) {
      throw new ShellException(
          "%s does not know what to do with: %s".formatted(command.word(), words.rest()));
    }
    return answer;
  }

  // -------------------------------------------------------------------------------------- objects

  private Answer open(LineParser words) {
    Kind kind = kinds.named(words.name());
    ObjectName name = ObjectName.parse(words.name());
    String alias = name.text();
    if (!words.isAtEnd()) {
      String as = words.word(' ');
      if (!as.equals("as") || words.isAtEnd()) {
        throw new ShellException("as in: open map accounts as a");
      }
      alias = words.word(' ');
    }
    if (BuiltinCommand.named(alias).isPresent() || !alias.matches("[^\\s.\"'\\[{(#]+")) {
      throw new ShellException(
          "'%s' can't stand in front of a call: give it another name here, as in: open %s '%s' as x"
              .formatted(alias, kind.name(), name));
    }
    open.put(alias, new Open(name, kind, kind.open(objects, name), null));
    return Answer.NOTHING;
  }

  /** Returns the open object of this name. Opens it first if its type is known. */
  private Open opened(String alias) {
    @Nullable Open before = open.get(alias);
    if (before != null) {
      return before;
    }
    ObjectName name = ObjectName.parse(alias);
    String hint =
        "Open it: open KIND %s (KIND: %s)".formatted(alias, String.join(", ", kinds.names()));
    Kind kind = kinds.of(name, objects, hint);
    Open opened = new Open(name, kind, kind.open(objects, name), null);
    open.put(alias, opened);
    return opened;
  }

  private Optional<CatalogueEntry> catalogued(ObjectName name) {
    return objects.list().stream().filter(entry -> entry.id().equals(name.id())).findFirst();
  }

  /** Returns the object that receives calls: the present or the past one. */
  private Object target(String alias, Open opened) {
    if (past.isEmpty()) {
      return opened.now;
    }
    if (opened.then != null) {
      return opened.then;
    }
    Object then = opened.kind.open(past.get(), opened.name);
    open.put(alias, new Open(opened.name, opened.kind, opened.now, then));
    return then;
  }

  private Answer call(String alias, LineParser words) throws Throwable {
    Open opened = opened(alias);
    String method = words.word('(').substring(1);
    Methods.Result result =
        new Methods(opened.kind).call(target(alias, opened), method, words.arguments());
    return result.isVoid() ? Answer.NOTHING : Answer.of(result.value());
  }

  private Answer show(String alias, LineParser words) {
    Optional<CatalogueEntry> entry =
        open.containsKey(alias) ? Optional.empty() : catalogued(ObjectName.parse(alias));
    if (!open.containsKey(alias) && entry.isEmpty()) {
      throw new ShellException(
          "%s is no command, and no object that is open or has been changed; try: help"
              .formatted(alias));
    }
    if (!words.isAtEnd()) {
      throw new ShellException("to call a method: %s.METHOD %s".formatted(alias, words.rest()));
    }
    return Answer.of(stateOf(target(alias, opened(alias))));
  }

  /** Returns an object's state in a printable form. */
  public static Object stateOf(Object object) {
    return object instanceof Map<?, ?> || object instanceof Iterable<?>
        ? object
        : object.toString();
  }

  private Answer list() {
    List<String> lines = new ArrayList<>();
    for (CatalogueEntry entry : objects.list()) {
      lines.add("%s\t%s".formatted(entry.name(), String.join(", ", entry.types())));
    }
    return Answer.lines(lines);
  }

  private Answer history(LineParser words) {
    String alias = words.name();
    @Nullable Open opened = open.get(alias);
    ObjectName name = opened == null ? ObjectName.parse(alias) : opened.name;
    List<String> lines = new ArrayList<>();
    objects.history(name.id()).forEachRemaining(entry -> lines.addAll(HistoryText.of(entry)));
    if (lines.isEmpty()) {
      throw new ShellException("nobody has changed an object " + name + " yet");
    }
    return Answer.lines(lines);
  }

  private Answer checkpoint(Open opened) {
    if (isInTransaction) {
      throw new ShellException("a checkpoint is of what is in the log: end the transaction first");
    }
    return Answer.of(objects.checkpoint(opened.now).value());
  }

  private Answer forget(LineParser words) {
    String alias = words.name();
    if (words.isAtEnd()) {
      throw new ShellException("up to which address? as in: forget %s 17".formatted(alias));
    }
    Address before = parse(words.word(' '), "forget %s 17".formatted(alias));
    checkIsNow();
    if (isInTransaction) {
      throw new ShellException("what is forgotten does not come back: end the transaction first");
    }
    Open opened = opened(alias);
    Optional<Address> kept = objects.forget(opened.now, before);
    if (kept.isEmpty()) {
      throw new ShellException(
          "nothing is forgotten: %s has no checkpoint that is of address %s or before; to write one"
                  .formatted(alias, before)
              + " of now: checkpoint %s".formatted(alias));
    }
    return Answer.of(kept.get().value());
  }

  private Answer rollBack(LineParser words) {
    String example = "rollback 17 accounts";
    if (words.isAtEnd()) {
      throw new ShellException("to which address, and what? as in: " + example);
    }
    Address then = parse(words.word(' '), example);
    if (words.isAtEnd()) {
      throw new ShellException(
          "which objects shall be what they were at %s? as in: rollback %s accounts"
              .formatted(then, then));
    }
    checkIsNow();
    List<Object> all = new ArrayList<>();
    while (!words.isAtEnd()) {
      all.add(opened(words.name()).now);
    }
    objects.rollBack(then, all.toArray());
    return Answer.NOTHING;
  }

  private void checkIsNow() {
    if (past.isPresent()) {
      throw new ShellException("nothing can be changed in the past: now");
    }
  }

  // -------------------------------------------------------------------- transactions and the past

  private Answer begin(LineParser words) {
    if (isInTransaction) {
      throw new ShellException("a transaction has been begun already: commit or abort it first");
    }
    checkIsNow();
    TransactionOptions options =
        switch (words.isAtEnd() ? "" : words.word(' ')) {
          case "" -> TransactionOptions.DEFAULT;
          case "snapshot" -> TransactionOptions.DEFAULT.with(Isolation.SNAPSHOT);
          case "read-only" -> TransactionOptions.READ_ONLY;
          default -> throw new ShellException("as in: begin, begin snapshot, begin read-only");
        };
    objects.txBegin(options);
    isInTransaction = true;
    return Answer.NOTHING;
  }

  private Answer commit() {
    checkInTransaction();
    isInTransaction = false; // whether it commits or fails
    objects.txEnd();
    return Answer.NOTHING;
  }

  private Answer abort() {
    checkInTransaction();
    isInTransaction = false;
    objects.txAbort();
    return Answer.NOTHING;
  }

  private void checkInTransaction() {
    if (!isInTransaction) {
      throw new ShellException("there is no transaction; to begin one: begin");
    }
  }

  private Answer goTo(String address) {
    if (isInTransaction) {
      throw new ShellException("a transaction reads what is there now: commit or abort it first");
    }
    Optional<PastObjects> there = Optional.empty();
    if (!address.equals("now")) {
      there = Optional.of(objects.at(parse(address, "at 17; or now")));
    }
    open.replaceAll((alias, opened) -> new Open(opened.name, opened.kind, opened.now, null));
    past = there;
    return Answer.NOTHING;
  }

  private Address parse(String address, String example) {
    long value;
    try {
      value = Long.parseLong(address);
    } catch (NumberFormatException e) {
      throw new ShellException("an address is a number, as in: " + example, e);
    }
    Address tail = log.tail();
    if (value < 0 || value > tail.value()) {
      throw new ShellException("the log ends at %s: no address %s yet".formatted(tail, address));
    }
    return new Address(value);
  }

  // ----------------------------------------------------------------------------------------- help

  private Answer help(LineParser words) {
    if (words.isAtEnd()) {
      return Answer.lines(BuiltinCommand.help(kinds.names()));
    }
    String about = words.word(' ');
    Optional<BuiltinCommand> command = BuiltinCommand.named(about);
    if (command.isPresent()) {
      return Answer.lines(List.of(command.get().usage()));
    }
    @Nullable Open opened = open.get(about);
    Kind kind = opened == null ? kinds.named(about) : opened.kind;
    return Answer.lines(new Methods(kind).described());
  }

  /** Returns all words that may stand at the cursor; the line reader chooses the matching ones. */
  public List<String> completions(List<String> before, String word) {
    List<String> all = new ArrayList<>();
    int dot = word.indexOf('.');
    if (dot > 0 && before.isEmpty()) {
      String alias = word.substring(0, dot);
      kindOf(alias)
          .ifPresent(
              kind -> new Methods(kind).names().forEach(name -> all.add(alias + "." + name)));
    } else if (before.isEmpty()) {
      BuiltinCommand.words().forEach(all::add);
      names().forEach(name -> all.add(name + "."));
    } else if (before.getFirst().equals(BuiltinCommand.OPEN.word()) && before.size() == 1) {
      all.addAll(kinds.names());
    } else if (before.size() <= 2 || before.getFirst().equals(BuiltinCommand.ROLLBACK.word())) {
      all.addAll(names());
    }
    return all;
  }

  /** Returns the names of open objects, and of objects that clients have changed. */
  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>(open.keySet());
    objects.list().forEach(entry -> names.add(entry.name()));
    return names;
  }

  private Optional<Kind> kindOf(String alias) {
    @Nullable Open opened = open.get(alias);
    return opened == null
        ? catalogued(ObjectName.parse(alias)).flatMap(entry -> kinds.of(entry, objects))
        : Optional.of(opened.kind);
  }
}
