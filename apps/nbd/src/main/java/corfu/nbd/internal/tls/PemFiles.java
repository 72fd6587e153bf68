package corfu.nbd.internal.tls;

import corfu.nbd.NbdServerException;
import corfu.nbd.NbdTls;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Keys and certificates in files. */
final class PemFiles {

  private PemFiles() {}

  /** Returns the context of a server with these files. */
  static SslContext serverContext(NbdTls.Certificates files) {
    SslContextBuilder builder =
        SslContextBuilder.forServer(key(files.key()), certificates(files.chain()))
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2");
    Optional<Path> authorities = files.clientAuthorities();
    if (authorities.isPresent()) {
      builder.trustManager(authorities(authorities.get())).clientAuth(ClientAuth.REQUIRE);
    }
    try {
      return builder.build();
    } catch (SSLException | IllegalArgumentException wrong) {
      throw new NbdServerException(
          "the key %s does not fit the certificate %s".formatted(files.key(), files.chain()),
          wrong);
    }
  }

  private static PrivateKey key(Path file) {
    try (Reader text = Files.newBufferedReader(file);
        PEMParser parser = new PEMParser(text)) {
      JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof PrivateKeyInfo key) {
          return converter.getPrivateKey(key);
        }
        if (part instanceof PEMKeyPair pair) {
          return converter.getPrivateKey(pair.getPrivateKeyInfo());
        }
      }
    } catch (IOException unreadable) {
      throw new NbdServerException("cannot read the private key in " + file, unreadable);
    }
    throw new NbdServerException(
        file + " has no private key in PEM format without a password; write one there");
  }

  private static TrustManager authorities(Path file) {
    try {
      return ClientAuthorities.of(certificates(file));
    } catch (GeneralSecurityException | IOException wrong) {
      throw new NbdServerException("cannot use the authorities in " + file, wrong);
    }
  }

  private static X509Certificate[] certificates(Path file) {
    try (InputStream bytes = Files.newInputStream(file)) {
      X509Certificate[] found =
          CertificateFactory.getInstance("X.509").generateCertificates(bytes).stream()
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new);
      if (found.length == 0) {
        throw new NbdServerException(file + " has no certificate in PEM format; write one there");
      }
      return found;
    } catch (IOException | CertificateException unreadable) {
      throw new NbdServerException("cannot read the certificates in " + file, unreadable);
    }
  }
}
