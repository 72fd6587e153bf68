package corfu.objects;

import corfu.objects.remote.Refusal;
import corfu.protocol.Endpoint;
import java.util.Optional;

/**
 * A remote view can't do what it was asked to. Either its hosts refuse, or no host answers and the
 * client may not play the object itself. Nothing has been changed.
 */
public final class RemoteViewException extends ObjectException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;
  private final transient Optional<Endpoint> host;

  public RemoteViewException(Refusal refusal, Optional<Endpoint> host, String message) {
    super(message);
    this.refusal = refusal;
    this.host = host;
  }

  /** The reason; {@link Refusal#NOT_NOW} if no host has answered. */
  public Refusal refusal() {
    return refusal;
  }

  /** The host that refused; empty if no host answered. */
  public Optional<Endpoint> host() {
    return host;
  }
}
