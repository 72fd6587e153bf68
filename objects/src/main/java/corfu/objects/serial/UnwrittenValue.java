package corfu.objects.serial;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A value that is not written yet, so that it is in memory. */
final class UnwrittenValue<V> implements InLog<V> {

  private final V value;

  UnwrittenValue(V value) {
    this.value = Objects.requireNonNull(value, "a value that stays in the log is not null");
  }

  @Override
  public V get() {
    return value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return switch (other) {
      case UnwrittenValue<?> fresh -> Objects.deepEquals(value, fresh.value);
      case LocatedValue<?> located -> located.isWrittenLike(this);
      case null, default -> false;
    };
  }

  @Override
  public int hashCode() {
    return LocatedValue.HASH_CODE;
  }

  @Override
  public String toString() {
    return "to be written: " + value;
  }
}
