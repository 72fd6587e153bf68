package corfu.objects.internal.view;

import corfu.protocol.stream.Condition;
import corfu.runtime.AsOf;
import corfu.runtime.StreamAppend;
import java.util.Optional;

/**
 * The state that must not have changed when a change is appended.
 *
 * @param condition the condition, or empty if the change relies on nothing
 * @param asOf the moment at which the condition's snapshot was taken
 */
public record Precondition(Optional<Condition> condition, AsOf asOf) {

  public static final Precondition NONE = new Precondition(Optional.empty(), AsOf.DECIDED);

  /** The state has changed, or may have changed, so nothing was appended. */
  public static final class ChangedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient StreamAppend.Conflict conflict;

    ChangedException(StreamAppend.Conflict conflict) {
      super("changed: " + conflict, null, false, false);
      this.conflict = conflict;
    }

    public StreamAppend.Conflict conflict() {
      return conflict;
    }
  }
}
