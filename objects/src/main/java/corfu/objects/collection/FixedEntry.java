package corfu.objects.collection;

import corfu.objects.type.Shared;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entry of a map, as it was at one moment. */
public record FixedEntry<K, V>(K key, V value) implements Map.Entry<K, V>, Shared {

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public V setValue(V other) {
    throw new UnsupportedOperationException("this is what the map held at one moment");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Map.Entry<?, ?> entry
        && key.equals(entry.getKey())
        && value.equals(entry.getValue());
  }

  @Override
  public int hashCode() {
    return key.hashCode() ^ value.hashCode();
  }

  @Override
  public String toString() {
    return key + "=" + value;
  }
}
