package corfu.disk;

import java.util.function.Function;

/**
 * The outcome of an operation on disks.
 *
 * @param <T> the type of the result
 */
public sealed interface DiskOutcome<T> {

  /** The operation is done. */
  record Done<T>(T value) implements DiskOutcome<T> {}

  /** The operation has changed nothing. */
  record Refused<T>(DiskRefusal reason) implements DiskOutcome<T> {}

  /** Returns the same outcome with another value, if it is done. */
  default <R> DiskOutcome<R> map(Function<? super T, ? extends R> function) {
    return switch (this) {
      case Done<T>(T value) -> new Done<>(function.apply(value));
      case Refused<T>(DiskRefusal reason) -> new Refused<>(reason);
    };
  }

  /**
   * Returns the value.
   *
   * @throws IllegalStateException if the operation was refused
   */
  default T value() {
    return switch (this) {
      case Done<T>(T value) -> value;
      case Refused<T>(DiskRefusal reason) -> throw new IllegalStateException(reason.message());
    };
  }
}
