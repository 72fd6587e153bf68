package corfu.objects.internal.view;

import corfu.objects.internal.client.LogPrefix;
import org.jspecify.annotations.Nullable;

/** What was read of a state that may be old. */
public final class StaleRead {

  public final @Nullable Object value;
  public final LogPrefix prefix; // all that this sees was in the state
  public final long decidedBelow; // all of the object below this log address is decided

  StaleRead(@Nullable Object value, LogPrefix prefix, long decidedBelow) {
    this.value = value;
    this.prefix = prefix;
    this.decidedBelow = decidedBelow;
  }
}
