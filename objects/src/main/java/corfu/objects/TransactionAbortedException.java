package corfu.objects;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.Optional;

/**
 * A transaction was given up; nothing of it has happened. It may be tried again, from its
 * beginning.
 */
public final class TransactionAbortedException extends ObjectException {
  private static final long serialVersionUID = 1L;

  private final transient Optional<Conflict> conflict;

  /**
   * What stood in its way.
   *
   * @param object whose stream it is
   * @param name what the object was opened as
   * @param key as text, where the conflict is about one key and it is known which
   * @param winner where in the log the change is that came first
   */
  public record Conflict(StreamId object, String name, Optional<String> key, Address winner) {}

  public TransactionAbortedException(String message) {
    super(message);
    this.conflict = Optional.empty();
  }

  public TransactionAbortedException(Conflict conflict) {
    super(
        "object %s%s was changed by another at address %s since this transaction read it; try again"
            .formatted(
                conflict.name(),
                conflict.key().map(key -> ", key " + key + ",").orElse(""),
                conflict.winner()));
    this.conflict = Optional.of(conflict);
  }

  /** Empty if nobody else was to blame. */
  public Optional<Conflict> conflict() {
    return conflict;
  }
}
