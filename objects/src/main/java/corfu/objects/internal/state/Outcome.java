package corfu.objects.internal.state;

import org.jspecify.annotations.Nullable;

/** The outcome of a change: the value that it returned, or the failure that it threw. */
public record Outcome(@Nullable Object value, @Nullable Throwable failure) {

  public static Outcome returned(@Nullable Object value) {
    return new Outcome(value, null);
  }

  public static Outcome threw(Throwable failure) {
    return new Outcome(null, failure);
  }

  public @Nullable Object get() throws Throwable {
    if (failure != null) {
      throw failure;
    }
    return value;
  }
}
