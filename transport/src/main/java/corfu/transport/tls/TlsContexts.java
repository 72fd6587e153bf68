package corfu.transport.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * The makers of TLS engines with one set of files. Sessions can be resumed only within one such
 * object, so that a change of the files ends them.
 *
 * @param server makes engines of servers; empty without an own certificate
 * @param client makes engines of clients
 */
record TlsContexts(Optional<SslContext> server, SslContext client) {

  static final String VERSION = "TLSv1.3";

  /** AES-128 comes first, because it is the fastest where processors have instructions for it. */
  static final List<String> CIPHERS =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** The largest chain of certificates that a handshake may present, in bytes. */
  private static final int MAX_CHAIN_BYTES = 64 << 10;

  /** The largest number of sessions that one side remembers. */
  static final long MAX_SESSIONS = 4_096;

  /** The time in seconds for which a session can be resumed. */
  static final long SESSION_SECONDS = 3_600;

  static TlsContexts of(TlsOptions options, Optional<CertifiedKey> own, PeerCheck check) {
    SslProvider provider = provider(options.engine());
    try {
      SslContextBuilder client =
          SslContextBuilder.forClient().endpointIdentificationAlgorithm(null);
      Optional<SslContext> server = Optional.empty();
      if (own.isPresent()) {
        var chain = own.get().chain().toArray(X509Certificate[]::new);
        client.keyManager(new OwnCertificate(own.get()));
        server =
            Optional.of(
                tuned(SslContextBuilder.forServer(own.get().key(), chain), provider, check)
                    .clientAuth(
                        options.clients() == ClientCertificates.REQUIRED
                            ? ClientAuth.REQUIRE
                            : ClientAuth.OPTIONAL)
                    .build());
      }
      return new TlsContexts(server, tuned(client, provider, check).build());
    } catch (SSLException | RuntimeException e) {
      throw new TlsException("the TLS files cannot be used: " + e.getMessage(), e);
    }
  }

  private static SslContextBuilder tuned(
      SslContextBuilder builder, SslProvider provider, PeerCheck check) {
    builder
        .sslProvider(provider)
        .trustManager(check)
        .protocols(VERSION)
        .ciphers(CIPHERS)
        .sessionCacheSize(MAX_SESSIONS)
        .sessionTimeout(SESSION_SECONDS)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                TlsCredentials.PROTOCOL));
    if (provider == SslProvider.OPENSSL) {
      builder.option(OpenSslContextOption.MAX_CERTIFICATE_LIST_BYTES, MAX_CHAIN_BYTES);
    }
    return builder;
  }

  private static SslProvider provider(TlsEngine wanted) {
    return switch (wanted) {
      case JDK -> SslProvider.JDK;
      case AUTOMATIC -> OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
      case NATIVE -> {
        if (!OpenSsl.isAvailable()) {
          throw new TlsException(
              "the native library of BoringSSL cannot be used on this platform: add"
                  + " netty-tcnative-boringssl-static to the class path, or use the JDK's engine",
              OpenSsl.unavailabilityCause());
        }
        yield SslProvider.OPENSSL;
      }
    };
  }

  /** Returns the name of the engine that a wish leads to. */
  static String engineName(TlsEngine wanted) {
    return provider(wanted) == SslProvider.JDK
        ? "JDK " + Runtime.version()
        : String.valueOf(OpenSsl.versionString());
  }
}
