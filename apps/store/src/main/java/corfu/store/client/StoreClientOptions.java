package corfu.store.client;

import corfu.transport.tls.TlsCredentials;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The options of a client.
 *
 * @param timeout the longest time of a call
 * @param tls the trusted authorities and the own certificate, for an address that begins with
 *     {@code https}; the caller closes them after the client
 * @param token returns the token of a call, or empty if the client has none; it is asked for each
 *     call, because tokens are short-lived. It must not block
 */
public record StoreClientOptions(
    Duration timeout, TlsCredentials tls, Supplier<Optional<String>> token) {

  /** Calls may take 30 seconds; without TLS and tokens. */
  public static final StoreClientOptions DEFAULT =
      new StoreClientOptions(Duration.ofSeconds(30), TlsCredentials.off(), Optional::empty);

  public StoreClientOptions withTimeout(Duration other) {
    return new StoreClientOptions(other, tls, token);
  }

  /** Returns the same options with TLS. */
  public StoreClientOptions withTls(TlsCredentials credentials) {
    return new StoreClientOptions(timeout, credentials, token);
  }

  /** Returns the same options with tokens. */
  public StoreClientOptions withToken(Supplier<String> source) {
    return new StoreClientOptions(timeout, tls, () -> Optional.of(source.get()));
  }
}
