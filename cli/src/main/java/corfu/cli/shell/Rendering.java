package corfu.cli.shell;

import corfu.cli.output.BytesText;
import corfu.objects.serial.InLog;
import corfu.objects.serial.LocatedValue;
import corfu.objects.serial.ValueText;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Formats values as text. A string has quotes only inside another value. Bytes are shown as text if
 * they are text, or else as their number and the first of them in hex.
 */
public final class Rendering {

  private Rendering() {}

  /** Returns a value as a person would write it. */
  public static String of(@Nullable Object value) {
    return switch (value) {
      case String text -> text;
      case byte[] bytes -> BytesText.of(ByteBuffer.wrap(bytes));
      case ByteBuffer bytes -> BytesText.of(bytes);
      case null, default -> inner(value);
    };
  }

  private static String inner(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> ValueText.quoted(text);
      case Map<?, ?> map -> {
        List<String> entries = new ArrayList<>();
        map.forEach((key, mapped) -> entries.add(inner(key) + ": " + inner(mapped)));
        yield "{" + String.join(", ", entries) + "}";
      }
      case Optional<?> optional -> optional.isEmpty() ? "empty" : inner(optional.get());
      case Map.Entry<?, ?> entry -> inner(entry.getKey()) + ": " + inner(entry.getValue());
      case Iterable<?> elements -> {
        List<String> texts = new ArrayList<>();
        elements.forEach(element -> texts.add(inner(element)));
        yield "[" + String.join(", ", texts) + "]";
      }
      case byte[] bytes -> bytes(ByteBuffer.wrap(bytes));
      case ByteBuffer bytes -> bytes(bytes);
      case LocatedValue<?> stored -> "(%,d bytes that stay in the log)".formatted(stored.length());
      case InLog<?> fresh -> inner(fresh.get());
      default -> value.getClass().isArray() ? array(value) : textOf(value);
    };
  }

  private static String bytes(ByteBuffer bytes) {
    return BytesText.text(bytes).map(ValueText::quoted).orElseGet(() -> BytesText.preview(bytes));
  }

  /**
   * Returns a value's text. A class without a {@code toString} would show its hash code instead.
   */
  private static String textOf(Object value) {
    String text = String.valueOf(value);
    String inherited = value.getClass().getName() + "@" + Integer.toHexString(value.hashCode());
    return text.equals(inherited)
        ? "(an object of class %s, which has no toString)".formatted(simpleName(value.getClass()))
        : text;
  }

  private static String simpleName(Class<?> type) {
    return type.getSimpleName().isEmpty() ? type.getName() : type.getSimpleName();
  }

  private static String array(Object array) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      texts.add(inner(Array.get(array, i)));
    }
    return "[" + String.join(", ", texts) + "]";
  }
}
