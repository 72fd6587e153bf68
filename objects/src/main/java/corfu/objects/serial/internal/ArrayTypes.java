package corfu.objects.serial.internal;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the component types of arrays by the names that were written. */
final class ArrayTypes {

  private static final Map<String, Class<?>> SIMPLE =
      Map.ofEntries(
          named(Object.class),
          named(String.class),
          named(Integer.class),
          named(Long.class),
          named(Short.class),
          named(Byte.class),
          named(Character.class),
          named(Boolean.class),
          named(Double.class),
          named(Float.class),
          named(byte[].class),
          named(int[].class),
          named(long[].class),
          named(double[].class),
          named(String[].class),
          named(Object[].class));

  private ArrayTypes() {}

  private static Map.Entry<String, Class<?>> named(Class<?> type) {
    return Map.entry(type.getName(), type);
  }

  static Class<?> named(String name, Shapes shapes) {
    @Nullable Class<?> simple = SIMPLE.get(name);
    if (simple != null) {
      return simple;
    }
    if (name.startsWith("[L") && name.endsWith(";")) {
      return shapes.named(name.substring(2, name.length() - 1)).arrayType();
    }
    return shapes.named(name);
  }

  /** Whether {@link #named} finds it without knowing it. */
  static boolean isSimple(Class<?> component) {
    return SIMPLE.containsKey(component.getName());
  }
}
