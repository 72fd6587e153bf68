package corfu.objects.collection.internal;

import corfu.objects.type.KeyHash;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hashes by which collections arrange what they hold: the same in every process for simple values,
 * so that all replicas iterate in the same order. For other classes it is as stable as their {@code
 * hashCode}.
 */
public final class StableHash {

  private StableHash() {}

  public static int of(Object key) {
    return switch (key) {
      case String text -> spread(text.hashCode());
      case Integer number -> spread(number);
      case Long number -> spread(number.hashCode());
      case Enum<?> constant -> spread(constant.name().hashCode());
      case Record record when KeyHash.isOfComponents(record.getClass()) -> (int) KeyHash.of(record);
      case Collection<?> elements -> spread(ofAll(elements));
      case Map<?, ?> map -> spread(ofAll(map.entrySet()));
      case Map.Entry<?, ?> entry -> ofOrNull(entry.getKey()) ^ 31 * ofOrNull(entry.getValue());
      case Optional<?> optional -> spread(ofOrNull(optional.orElse(null)));
      default -> spread(key.hashCode());
    };
  }

  /** Lists are in an order, sets are not. */
  private static int ofAll(Collection<?> elements) {
    int hash = 1;
    for (@Nullable Object element : elements) {
      hash = (elements instanceof List<?> ? 31 * hash : hash) + ofOrNull(element);
    }
    return hash;
  }

  private static int ofOrNull(@Nullable Object value) {
    return value == null ? 0 : of(value);
  }

  private static int spread(int hash) {
    int mixed = (hash ^ hash >>> 16) * 0x7feb352d;
    return mixed ^ mixed >>> 15;
  }
}
