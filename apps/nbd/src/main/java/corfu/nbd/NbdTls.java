package corfu.nbd;

import java.nio.file.Path;
import java.util.Optional;

/** The TLS that a server offers by STARTTLS. Versions 1.2 and 1.3. */
public sealed interface NbdTls {

  /** Whether a client needs TLS. */
  enum Requirement {
    /** Clients may use exports without TLS. */
    OPTIONAL,
    /** Without TLS, clients learn nothing but that it is required. */
    REQUIRED
  }

  /** No TLS. */
  record Off() implements NbdTls {}

  /**
   * TLS with certificates. All files are in PEM format, and are read when the server starts.
   *
   * @param requirement whether a client needs TLS
   * @param key the server's private key, without a password: PKCS #8, PKCS #1 or SEC 1
   * @param chain the server's certificate, followed by those of its issuers
   * @param clientAuthorities the issuers of clients; if present, clients need a certificate
   */
  record Certificates(
      Requirement requirement, Path key, Path chain, Optional<Path> clientAuthorities)
      implements NbdTls {}

  /**
   * TLS with keys that server and clients share.
   *
   * @param requirement whether a client needs TLS
   * @param keyFile a text file with a line {@code user:key} for each user, the key in hexadecimal
   *     digits, as {@code psktool} writes it; read when the server starts
   */
  record PreSharedKeys(Requirement requirement, Path keyFile) implements NbdTls {}
}
