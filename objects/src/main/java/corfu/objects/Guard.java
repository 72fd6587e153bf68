package corfu.objects;

import corfu.protocol.stream.Condition;
import corfu.runtime.AsOf;
import corfu.runtime.StreamAppend;
import java.util.Optional;

/**
 * What must not have changed when a change is appended.
 *
 * @param condition empty: it relies on nothing
 * @param asOf when the condition's snapshot was taken
 */
record Guard(Optional<Condition> condition, AsOf asOf) {

  static final Guard NONE = new Guard(Optional.empty(), AsOf.DECIDED);

  /** It has changed, or may have: so nothing was appended. */
  static final class ChangedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient StreamAppend.Conflict conflict;

    ChangedException(StreamAppend.Conflict conflict) {
      super("changed: " + conflict, null, false, false);
      this.conflict = conflict;
    }

    StreamAppend.Conflict conflict() {
      return conflict;
    }
  }
}
