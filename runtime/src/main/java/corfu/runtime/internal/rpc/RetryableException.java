package corfu.runtime.internal.rpc;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.layout.LostChainException;
import corfu.protocol.message.Failure;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.CorfuException;
import corfu.runtime.QuotaExceededException;
import corfu.runtime.UnavailableException;
import java.time.Duration;
import java.util.Optional;

/**
 * A failed attempt, which may succeed after its cause has been removed. Never leaves this package.
 */
public final class RetryableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The cause of the failure. */
  public enum Kind {
    /** The server no longer serves the epoch: the client needs a newer layout. */
    SEALED,
    /** The server does not know the epoch yet: it needs the layout. */
    BEHIND,
    /** The server could not be reached, did not answer, or failed. */
    SERVER,
    /** The server has too much load to accept the request, and has not acted on it. */
    OVERLOADED,
    /** The client lacks a permission, or the server does not know a stream's name. */
    FORBIDDEN,
    /** The client has used its quota, and has to wait. */
    OVER_QUOTA,
    /** No server can be asked until the lost data has been copied to another one. */
    LOST
  }

  private final Kind kind;
  private final transient Optional<Endpoint> server;
  private final transient Optional<Epoch> serverEpoch;
  private final Effect effect;
  private final String reason;
  private final transient Optional<Failure> refusal;

  /** The known effect of the request. */
  enum Effect {
    /** The request was sent to no server. */
    UNSENT,
    /** The server has not acted on the request. */
    NONE,
    /** The server may have acted on the request. */
    UNKNOWN
  }

  private RetryableException(
      Kind kind,
      Optional<Endpoint> server,
      Optional<Epoch> serverEpoch,
      Effect effect,
      String reason) {
    this(kind, server, serverEpoch, effect, reason, Optional.empty());
  }

  private RetryableException(
      Kind kind,
      Optional<Endpoint> server,
      Optional<Epoch> serverEpoch,
      Effect effect,
      String reason,
      Optional<Failure> refusal) {
    super(reason, null, false, false);
    this.kind = kind;
    this.server = server;
    this.serverEpoch = serverEpoch;
    this.effect = effect;
    this.reason = reason;
    this.refusal = refusal;
  }

  @Override
  public String getMessage() {
    return reason;
  }

  static RetryableException sealed(Endpoint server, Epoch serverEpoch) {
    return new RetryableException(
        Kind.SEALED,
        Optional.of(server),
        Optional.of(serverEpoch),
        Effect.NONE,
        "the server at " + server + " is sealed at epoch " + serverEpoch);
  }

  static RetryableException behind(Endpoint server) {
    return new RetryableException(
        Kind.BEHIND,
        Optional.of(server),
        Optional.empty(),
        Effect.NONE,
        "the server at " + server + " does not know the layout yet");
  }

  public static RetryableException server(Endpoint server, boolean effectUnknown, String reason) {
    return server(server, effectUnknown ? Effect.UNKNOWN : Effect.NONE, reason);
  }

  /** Returns the exception for a request that never left this client. */
  static RetryableException unsent(Endpoint server, String reason) {
    return server(server, Effect.UNSENT, reason);
  }

  private static RetryableException server(Endpoint server, Effect effect, String reason) {
    return new RetryableException(
        Kind.SERVER, Optional.of(server), Optional.empty(), effect, reason);
  }

  static RetryableException overloaded(Endpoint server, String reason) {
    return new RetryableException(
        Kind.OVERLOADED,
        Optional.of(server),
        Optional.empty(),
        Effect.NONE,
        "the server at " + server + " is overloaded: " + reason);
  }

  /**
   * Returns the exception for a refusal by permissions.
   *
   * @param server the server that refused
   * @param refusal the missing permission
   */
  public static RetryableException forbidden(Endpoint server, Failure.Forbidden refusal) {
    return refused(Kind.FORBIDDEN, server, "denied access: " + refusal.reason(), refusal);
  }

  static RetryableException overQuota(Endpoint server, Failure.OverQuota refusal) {
    return refused(Kind.OVER_QUOTA, server, "says: " + refusal.reason(), refusal);
  }

  private static RetryableException refused(
      Kind kind, Endpoint server, String reason, Failure refusal) {
    return new RetryableException(
        kind,
        Optional.of(server),
        Optional.empty(),
        Effect.NONE,
        "the server at " + server + " " + reason,
        Optional.of(refusal));
  }

  public static RetryableException lost(LostChainException lost) {
    String reason = String.valueOf(lost.getMessage());
    return new RetryableException(
        Kind.LOST, Optional.empty(), Optional.empty(), Effect.NONE, reason);
  }

  public Kind kind() {
    return kind;
  }

  /** Returns the server that caused the failure; every kind but {@link Kind#LOST} has one. */
  public Endpoint server() {
    return server.orElseThrow();
  }

  /** Returns whether a server has refused the request because of a missing permission. */
  public boolean isForbidden() {
    return kind == Kind.FORBIDDEN;
  }

  /** Returns whether a server has refused the request because this permission is missing. */
  public boolean lacks(Permission permission) {
    return refusal.isPresent()
        && refusal.get() instanceof Failure.Forbidden forbidden
        && forbidden.permission() == permission;
  }

  /** Returns the stream whose permission is missing, or empty if the server named none. */
  public Optional<StreamId> forbiddenStream() {
    return refusal.flatMap(
        failure ->
            failure instanceof Failure.Forbidden forbidden ? forbidden.stream() : Optional.empty());
  }

  /** Returns the time that the server asks to wait. Zero if it has named none. */
  public Duration waitTime() {
    return refusal.isPresent() && refusal.get() instanceof Failure.OverQuota over
        ? Duration.ofMillis(over.waitMillis())
        : Duration.ZERO;
  }

  /**
   * Returns the exception of a call that ends because of this refusal.
   *
   * @param what the operation, for the message: "append"
   */
  public CorfuException refusedCall(String what) {
    if (refusal.isEmpty()) {
      return unavailable(what);
    }
    return switch (refusal.get()) {
      case Failure.Forbidden(var permission, var stream, var why) ->
          new AccessDeniedException(what, server(), permission, stream, why);
      case Failure.OverQuota(var why, var wait) ->
          new QuotaExceededException(what, server(), why, waitTime());
      default -> unavailable(what);
    };
  }

  private UnavailableException unavailable(String what) {
    return new UnavailableException("could not " + what + ": " + reason);
  }

  /** Returns the epoch that the server named, or empty if it named none. */
  public Optional<Epoch> serverEpoch() {
    return serverEpoch;
  }

  /** Returns whether the server may have acted on the request all the same. */
  public boolean effectUnknown() {
    return effect == Effect.UNKNOWN;
  }

  /**
   * Returns whether the request was sent to no server, so that no copy of it is in flight either.
   */
  public boolean isUnsent() {
    return effect == Effect.UNSENT;
  }
}
