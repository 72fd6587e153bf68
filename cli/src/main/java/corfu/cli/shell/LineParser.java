package corfu.cli.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a line from left to right.
 *
 * <pre>{@code
 * alice  "two words"  'it''s'   5   5L   2.5   true   null   [1, 2, three]   {alice: 5, bob: 6}
 * }</pre>
 *
 * Numbers are as in Java: {@code 5} is an int, {@code 5L} a long, {@code 2.5} a double. A number
 * that does not fit into an int is a long.
 */
final class LineParser {

  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");
  private static final Pattern LONG = Pattern.compile("[+-]?\\d+[lL]");
  private static final Pattern DOUBLE =
      Pattern.compile("[+-]?(\\d+\\.\\d*|\\.\\d+|\\d+)([eE][+-]?\\d+)?");
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?(\\d+\\.\\d*|\\.\\d+|\\d+)([eE][+-]?\\d+)?[fF]");
  private static final int DEEPEST = 64;

  private final String line;
  private int at;
  private int depth;

  LineParser(String line) {
    this.line = line;
  }

  /** Whether only a comment is left, or nothing. */
  boolean isAtEnd() {
    skipSpace();
    return at == line.length() || line.charAt(at) == '#';
  }

  /** Returns the next word, up to a space or to this character. */
  String word(char end) {
    skipSpace();
    int from = at;
    while (at < line.length()
        && !Character.isWhitespace(line.charAt(at))
        && line.charAt(at) != end) {
      at++;
    }
    return line.substring(from, at);
  }

  /** Returns the next word, which may be in quotes. */
  String name() {
    return value().text();
  }

  /**
   * Returns the values up to the end of the line, which spaces separate, or the values in
   * parentheses.
   */
  List<Value> arguments() {
    if (at < line.length() && line.charAt(at) == '(') {
      at++;
      List<Value> values = list(')');
      if (!isAtEnd()) {
        throw new ShellException("nothing is expected behind ), but there is " + rest());
      }
      return values;
    }
    List<Value> values = new ArrayList<>();
    while (!isAtEnd()) {
      values.add(value());
    }
    return values;
  }

  String rest() {
    skipSpace();
    return line.substring(at);
  }

  private void skipSpace() {
    while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
      at++;
    }
  }

  private Value value() {
    skipSpace();
    if (at == line.length()) {
      throw new ShellException("the line ends where a value is expected");
    }
    if (depth > DEEPEST) {
      throw new ShellException("values are nested more than " + DEEPEST + " deep");
    }
    int from = at;
    return switch (line.charAt(at)) {
      case '"', '\'' -> {
        String text = quoted();
        yield new Value(text, text);
      }
      case '[' -> {
        at++;
        List<@Nullable Object> values = new ArrayList<>();
        list(']').forEach(each -> values.add(each.value()));
        yield new Value(line.substring(from, at), values);
      }
      case '{' -> {
        at++;
        Map<@Nullable Object, @Nullable Object> map = map();
        yield new Value(line.substring(from, at), map);
      }
      default -> {
        String text = bare();
        yield new Value(text, meaningOf(text));
      }
    };
  }

  /**
   * Reads up to the closing quote. A double quote character stands for itself, and a backslash
   * escapes the next character.
   */
  private String quoted() {
    char quote = line.charAt(at++);
    StringBuilder text = new StringBuilder();
    while (at < line.length()) {
      char next = line.charAt(at++);
      if (next == '\\' && at < line.length()) {
        text.append(escaped(line.charAt(at++)));
      } else if (next != quote) {
        text.append(next);
      } else if (at < line.length() && line.charAt(at) == quote) {
        at++;
        text.append(quote);
      } else {
        return text.toString();
      }
    }
    throw new ShellException("a %s is opened and not closed".formatted(quote));
  }

  private static char escaped(char letter) {
    return switch (letter) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      default -> letter;
    };
  }

  private List<Value> list(char close) {
    List<Value> values = new ArrayList<>();
    depth++;
    while (!skip(close)) {
      values.add(value());
      if (!skip(',') && !isNext(close)) {
        throw new ShellException("a , or a %s is expected before: %s".formatted(close, rest()));
      }
    }
    depth--;
    return values;
  }

  private Map<@Nullable Object, @Nullable Object> map() {
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    depth++;
    while (!skip('}')) {
      Value key = value();
      if (!skip(':')) {
        throw new ShellException("a : is expected behind " + key.text() + ", as in {alice: 5}");
      }
      map.put(key.value(), value().value());
      if (!skip(',') && !isNext('}')) {
        throw new ShellException("a , or a } is expected before: " + rest());
      }
    }
    depth--;
    return map;
  }

  private boolean isNext(char expected) {
    skipSpace();
    return at < line.length() && line.charAt(at) == expected;
  }

  private boolean skip(char expected) {
    if (isNext(expected)) {
      at++;
      return true;
    }
    if (at == line.length()) {
      throw new ShellException("a %s is missing at the end".formatted(expected));
    }
    return false;
  }

  /** Reads an unquoted value. Inside brackets it also ends at punctuation. */
  private String bare() {
    int from = at;
    while (at < line.length()
        && !Character.isWhitespace(line.charAt(at))
        && (depth == 0 || ",:]})".indexOf(line.charAt(at)) < 0)) {
      at++;
    }
    if (from == at) {
      throw new ShellException("a value is expected before: " + rest());
    }
    return line.substring(from, at);
  }

  private static @Nullable Object meaningOf(String text) {
    try {
      if (INTEGER.matcher(text).matches()) {
        long number = Long.parseLong(text);
        return number == (int) number ? (Object) (int) number : (Object) number;
      } else if (LONG.matcher(text).matches()) {
        return Long.parseLong(text.substring(0, text.length() - 1));
      }
    } catch (NumberFormatException tooLarge) {
      throw new ShellException(text + " does not fit into 64 bits", tooLarge);
    }
    if (FLOAT.matcher(text).matches()) {
      return Float.parseFloat(text);
    } else if (DOUBLE.matcher(text).matches()) {
      return Double.parseDouble(text);
    }
    return switch (text) {
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      default -> text;
    };
  }
}
