package corfu.runtime.internal.rpc;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.LostChainException;
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
    /** No server can be asked until the lost data has been copied to another one. */
    LOST
  }

  private final Kind kind;
  private final transient Optional<Endpoint> server;
  private final transient Optional<Epoch> serverEpoch;
  private final Effect effect;
  private final String reason;

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
    super(reason, null, false, false);
    this.kind = kind;
    this.server = server;
    this.serverEpoch = serverEpoch;
    this.effect = effect;
    this.reason = reason;
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
