package corfu.objects.type;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Hashes of keys, as sequencers compare them: the same for equal keys in every process, for ever.
 * Different strings, numbers, other simple values and enums have different hashes as a rule, and so
 * have lists and records of these. All keys of any one other class have the same hash, so their
 * changes conflict more often than necessary.
 */
public final class KeyHash {

  private static final long PRIME = 0x9e3779b97f4a7c15L;

  private KeyHash() {}

  /** The hash of a key. */
  public static long of(@Nullable Object key) {
    return switch (key) {
      case null -> mix(1);
      case String text -> mix(text(text));
      case Enum<?> constant -> mix(text(constant.name()));
      case Integer number -> hash(2, number);
      case Long number -> hash(3, number);
      case Short number -> hash(4, number);
      case Byte number -> hash(5, number);
      case Character character -> hash(6, character);
      case Boolean truth -> mix(truth ? 7 : 8);
      case Double number -> hash(9, Double.doubleToLongBits(number));
      case Float number -> hash(10, Float.floatToIntBits(number));
      case UUID id -> mix(id.getMostSignificantBits() * 31 + id.getLeastSignificantBits());
      case List<?> list -> hash(11, ordered(list.toArray()));
      case Set<?> ignored -> 12;
      case Map<?, ?> ignored -> 13;
      case Record record -> RecordKeys.of(record);
      default -> mix(text(key.getClass().getName()));
    };
  }

  /**
   * Whether records of a class have hashes of their components; those with an {@code equals} of
   * their own, or that can't be looked into, do not.
   */
  public static boolean isOfComponents(Class<? extends Record> type) {
    return RecordKeys.isOfComponents(type);
  }

  static long ordered(@Nullable Object[] elements) {
    long hash = elements.length;
    for (Object element : elements) {
      hash = hash * PRIME + of(element);
    }
    return hash;
  }

  static long text(String text) {
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = mix(hash * 31 + text.charAt(i));
    }
    return hash;
  }

  private static long hash(int kind, long bits) {
    return mix(bits + mix(kind));
  }

  static long mix(long bits) {
    long mixed = (bits ^ bits >>> 32) * PRIME;
    return mixed ^ mixed >>> 29;
  }
}
