package corfu.objects;

import org.jspecify.annotations.Nullable;

/** What came of carrying out a change: what it returned, or what it threw. */
record Outcome(@Nullable Object value, @Nullable Throwable failure) {

  static Outcome returned(@Nullable Object value) {
    return new Outcome(value, null);
  }

  static Outcome threw(Throwable failure) {
    return new Outcome(null, failure);
  }

  @Nullable Object get() throws Throwable {
    if (failure != null) {
      throw failure;
    }
    return value;
  }
}
