package corfu.access.audit;

import corfu.access.StreamNames;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.util.Optional;
import java.util.function.Function;

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
 * @param streamName the name of the stream if the server knows it, or an empty text
 */
public record AuditEvent(
    Kind kind,
    Identity identity,
    String origin,
    String action,
    Optional<Permission> permission,
    Optional<StreamId> stream,
    String detail,
    long count,
    String streamName) {

  /** The largest number of characters of a detail or an origin. Longer ones are cut. */
  public static final int MOST_CHARS = 400;

  private static final String CUT = "...";

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
    origin = cut(origin);
    detail = cut(detail);
  }

  /** Creates an event about a stream whose name is not known, or about none. */
  public AuditEvent(
      Kind kind,
      Identity identity,
      String origin,
      String action,
      Optional<Permission> permission,
      Optional<StreamId> stream,
      String detail,
      long count) {
    this(kind, identity, origin, action, permission, stream, detail, count, "");
  }

  private static String cut(String text) {
    if (text.length() <= MOST_CHARS) {
      return text;
    }
    int end = MOST_CHARS - CUT.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + CUT;
  }

  /** Returns the stream for people: its name, {@code id:UUID}, or an empty text. */
  public String streamText() {
    return streamName.isEmpty() ? stream.map(id -> "id:" + id).orElse("") : streamName;
  }

  /**
   * Returns the event with the name of its stream.
   *
   * @param names returns the name of a stream, or empty if it is not known
   */
  public AuditEvent named(Function<StreamId, Optional<String>> names) {
    Optional<String> name =
        stream.flatMap(StreamNames::reservedName).or(() -> stream.flatMap(names));
    return new AuditEvent(
        kind, identity, origin, action, permission, stream, detail, count, name.orElse(""));
  }

  AuditEvent times(long newCount) {
    return new AuditEvent(
        kind, identity, origin, action, permission, stream, detail, newCount, streamName);
  }

  AuditEvent withoutPlace() {
    return new AuditEvent(kind, identity, origin, action, permission, Optional.empty(), "", count);
  }
}
