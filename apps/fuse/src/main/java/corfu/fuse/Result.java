package corfu.fuse;

import corfu.fuse.linux.Errno;

/**
 * The outcome of a request: a value, or the error that the caller gets.
 *
 * @param <T> the type of the value
 */
public sealed interface Result<T> {

  /** The request succeeded. */
  record Success<T>(T value) implements Result<T> {}

  /** The request failed. */
  record Failure<T>(Errno errno) implements Result<T> {}

  /** Returns a success. */
  static <T> Result<T> of(T value) {
    return new Success<>(value);
  }

  /** Returns a failure. */
  static <T> Result<T> failed(Errno errno) {
    return new Failure<>(errno);
  }

  /** Returns the success of a request that has no value. */
  static Result<Done> done() {
    return new Success<>(Done.DONE);
  }

  /** Returns the outcome of a system call: {@link #done}, or the error of a negative number. */
  static Result<Done> done(long result) {
    return result < 0 ? failed(Errno.of(result)) : done();
  }
}
