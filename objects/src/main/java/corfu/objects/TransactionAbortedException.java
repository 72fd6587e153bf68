package corfu.objects;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.Optional;

/**
 * A transaction was aborted; it has changed nothing. The caller may try it again from its
 * beginning.
 */
public final class TransactionAbortedException extends ObjectException {
  private static final long serialVersionUID = 1L;

  private final transient Optional<Conflict> conflict;

  /**
   * The change that aborted the transaction.
   *
   * @param object the object's stream
   * @param name the name under which the object was opened
   * @param key the key as text, if the conflict is about one key and the key is known
   * @param winner the log address of the change that came first
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

  /** The conflict, or empty if no other change caused the abort. */
  public Optional<Conflict> conflict() {
    return conflict;
  }
}
