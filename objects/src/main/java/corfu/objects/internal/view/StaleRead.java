package corfu.objects.internal.view;

import corfu.objects.internal.client.LogPrefix;
import org.jspecify.annotations.Nullable;

/** The value that was read from a state that may be old. */
public final class StaleRead {

  public final @Nullable Object value;
  public final LogPrefix prefix; // the state had all that this prefix sees
  public final long decidedBelow; // all of the object below this log address is decided

  StaleRead(@Nullable Object value, LogPrefix prefix, long decidedBelow) {
    this.value = value;
    this.prefix = prefix;
    this.decidedBelow = decidedBelow;
  }
}
