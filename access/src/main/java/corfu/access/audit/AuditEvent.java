package corfu.access.audit;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.util.Optional;

/**
 * Something that a server reports to the audit log.
 *
 * @param kind whether it was refused or carried out
 * @param identity the client
 * @param origin the client's address, as the transport has seen it; of the first event if there are
 *     several
 * @param action the request, for example {@code TrimStream}
 * @param permission the missing permission, or empty for an action that was carried out
 * @param stream the stream, or empty if the action is about none, or about many of one client
 * @param detail further words for people, for example the epoch of a layout
 * @param count the number of such events, 1 or more
 */
public record AuditEvent(
    Kind kind,
    Identity identity,
    String origin,
    String action,
    Optional<Permission> permission,
    Optional<StreamId> stream,
    String detail,
    long count) {

  /** The kind of an event. */
  public enum Kind {
    /** The client lacks the permission, and nothing has changed. */
    REFUSED,
    /** The action was carried out, or may have been. */
    DONE,
    /** Further events of too many kinds, which are only counted. */
    UNLISTED
  }

  public AuditEvent {
    if (count < 1) {
      throw new IllegalArgumentException("an event happens once or more, but not " + count);
    }
  }

  AuditEvent times(long newCount) {
    return new AuditEvent(kind, identity, origin, action, permission, stream, detail, newCount);
  }

  AuditEvent withoutPlace() {
    return new AuditEvent(kind, identity, origin, action, permission, Optional.empty(), "", count);
  }
}
