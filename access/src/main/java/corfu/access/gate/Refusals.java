package corfu.access.gate;

import corfu.access.AccessPolicy;
import corfu.access.StreamNames;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import java.util.Optional;

/** The refusals of a gate. */
final class Refusals {

  /** Nothing stands against the request. */
  static final Optional<Failure> NONE = Optional.empty();

  private Refusals() {}

  /** Returns a refusal unless the client has a permission that is not for streams. */
  static Optional<Failure> without(Permission permission, IdentitySession who) {
    return who.has(permission) ? NONE : Optional.of(forbidden(permission, who));
  }

  /** Returns a refusal unless the client has any permission at all. */
  static Optional<Failure> withoutAny(IdentitySession who) {
    return who.isKnown()
        ? NONE
        : Optional.of(
            new Failure.Forbidden(
                Permission.READ,
                Optional.empty(),
                "%s has no permission at all; an administrator gives it some by: corfu access grant"
                    .formatted(who.identity())));
  }

  /** Returns a refusal unless the client has a permission on a stream. */
  static Optional<Failure> without(Permission permission, StreamId stream, IdentitySession who) {
    return who.may(permission, stream) ? NONE : Optional.of(forbidden(permission, stream, who));
  }

  static Failure forbidden(Permission permission, IdentitySession who) {
    return new Failure.Forbidden(
        permission, Optional.empty(), AccessPolicy.lack(who.identity(), permission));
  }

  /**
   * Returns the refusal for a stream.
   *
   * @param permission {@code read}, {@code append} or {@code trim}
   * @param stream the stream; {@link StreamId#NONE} for entries of no stream
   */
  static Failure forbidden(Permission permission, StreamId stream, IdentitySession who) {
    if (stream.equals(StreamId.NONE)) {
      return forbidden(
          switch (permission) {
            case READ -> Permission.READ_LOG;
            case APPEND -> Permission.APPEND_LOG;
            default -> Permission.OPERATE;
          },
          who);
    }
    if (StreamNames.isReserved(stream)) { // no grant on streams would help
      Permission needed =
          permission == Permission.READ ? Permission.OBSERVE : Permission.ADMINISTER;
      return new Failure.Forbidden(
          permission, Optional.of(stream), AccessPolicy.lack(who.identity(), needed));
    }
    String named = who.name(stream).orElse("id:" + stream);
    return new Failure.Forbidden(
        permission, Optional.of(stream), AccessPolicy.lack(who.identity(), permission, named));
  }

  static Failure tooLarge(String what, long count, long most) {
    return new Failure.Refused(
        Failure.Cause.TOO_LARGE,
        "%,d %s in one request, where %,d are the limit; ask in parts"
            .formatted(count, what, most));
  }

  static Failure notKnownYet(IdentitySession who) {
    return new Failure.NotServing(
        "this server has not read the permissions from the log yet, and serves only the identities"
            + " in its configuration, of which %s is none; try again".formatted(who.identity()));
  }
}
