package corfu.runtime.internal.rpc;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.LostChainException;
import java.util.Optional;

/**
 * A try did not get through; after what it names has been seen to, another may. Never leaves this
 * package.
 */
public final class RetryableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What stood in the way. */
  public enum Kind {
    /** The server does not serve the epoch any more: a newer layout is needed. */
    SEALED,
    /** The server has not been told of the epoch: it needs the layout. */
    BEHIND,
    /** The server could not be reached, did not answer, or failed. */
    SERVER,
    /** The server has too much to do to take the request; it has not acted on it. */
    OVERLOADED,
    /** There is no server to ask, until what it held has been copied to another. */
    LOST
  }

  private final Kind kind;
  private final transient Optional<Endpoint> server;
  private final transient Optional<Epoch> serverEpoch;
  private final Effect effect;
  private final String reason;

  /** How much is known of what the request has brought about. */
  enum Effect {
    /** No server has been sent it. */
    UNSENT,
    /** The server has not acted on it. */
    NONE,
    /** The server may have acted on it. */
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
        "the server at " + server + " is sealed, at epoch " + serverEpoch);
  }

  static RetryableException behind(Endpoint server) {
    return new RetryableException(
        Kind.BEHIND,
        Optional.of(server),
        Optional.empty(),
        Effect.NONE,
        "the server at " + server + " has not learnt the layout yet");
  }

  public static RetryableException server(Endpoint server, boolean effectUnknown, String reason) {
    return server(server, effectUnknown ? Effect.UNKNOWN : Effect.NONE, reason);
  }

  /** The request never left this client. */
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

  /** Who stood in the way; of every kind but {@link Kind#LOST}. */
  public Endpoint server() {
    return server.orElseThrow();
  }

  /** The epoch that the server named, where it did. */
  public Optional<Epoch> serverEpoch() {
    return serverEpoch;
  }

  /** Whether the server may have acted on the request all the same. */
  public boolean effectUnknown() {
    return effect == Effect.UNKNOWN;
  }

  /** Whether no server was sent the request, so that there is no copy of it on its way either. */
  public boolean isUnsent() {
    return effect == Effect.UNSENT;
  }
}
