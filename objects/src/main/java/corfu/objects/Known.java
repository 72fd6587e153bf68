package corfu.objects;

import org.jspecify.annotations.Nullable;

/** What was read of a state that may be old. */
final class Known {

  final @Nullable Object value;
  final Horizon horizon; // all that this sees was in the state
  final long decidedBelow; // all of the object below this log address is decided

  Known(@Nullable Object value, Horizon horizon, long decidedBelow) {
    this.value = value;
    this.horizon = horizon;
    this.decidedBelow = decidedBelow;
  }
}
