package corfu.cli.shell;

import corfu.objects.serial.ValueText;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values as text. A string alone is printed as it is, in others it has quotes. */
public final class Rendering {

  private Rendering() {}

  public static String of(@Nullable Object value) {
    return value instanceof String text ? text : inner(value);
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
      default -> value.getClass().isArray() ? array(value) : value.toString();
    };
  }

  private static String array(Object array) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      texts.add(inner(Array.get(array, i)));
    }
    return "[" + String.join(", ", texts) + "]";
  }
}
