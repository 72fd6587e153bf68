package corfu.transport.tls;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The TLS of a server, of a client, or of a process that is both. All files are in PEM format, and
 * are read again when they change.
 *
 * @param mode whether connections are encrypted
 * @param certificate the own certificate, followed by those of its issuers without the root;
 *     servers need one
 * @param key the private key of the certificate: PKCS #8 without a password, EC or RSA, readable by
 *     its owner only
 * @param authorities the certificates of the trusted issuers; each file may have several, and all
 *     are valid at the same time
 * @param revocations the revoked certificates: lists (CRLs) of the authorities, or one serial
 *     number in hexadecimal digits a line
 * @param clients whether a server requires certificates of its clients
 * @param trustDomain the trust domain that the SPIFFE id of the other side must have, for example
 *     {@code prod}; empty for any, and for certificates without a SPIFFE id
 * @param hostNames whether a client compares a server's certificate with its host
 * @param engine the implementation of TLS
 */
public record TlsOptions(
    TlsMode mode,
    Optional<Path> certificate,
    Optional<Path> key,
    List<Path> authorities,
    Optional<Path> revocations,
    ClientCertificates clients,
    Optional<String> trustDomain,
    HostNameCheck hostNames,
    TlsEngine engine) {

  /** No TLS. */
  public static final TlsOptions OFF =
      new TlsOptions(
          TlsMode.OFF,
          Optional.empty(),
          Optional.empty(),
          List.of(),
          Optional.empty(),
          ClientCertificates.REQUIRED,
          Optional.empty(),
          HostNameCheck.ON,
          TlsEngine.AUTOMATIC);

  public TlsOptions {
    authorities = List.copyOf(authorities);
    if (mode != TlsMode.OFF && authorities.isEmpty()) {
      throw new IllegalArgumentException(
          "TLS needs the certificates of trusted authorities: name at least one file of them");
    }
    if (certificate.isPresent() != key.isPresent()) {
      throw new IllegalArgumentException(
          "a certificate needs its private key, and a key its certificate: name both files");
    }
    if (trustDomain.isPresent() && !trustDomain.get().matches("[a-z0-9._-]{1,255}")) {
      throw new IllegalArgumentException(
          "a trust domain has 1 to 255 lower-case letters, digits, dots, dashes and underscores,"
              + " but this is '"
              + trustDomain.get()
              + "'");
    }
  }

  /**
   * Returns options of mutual TLS, which is required.
   *
   * @param certificate the file of the own certificate and its issuers
   * @param key the file of its private key
   * @param authorities the file of the trusted authorities
   */
  public static TlsOptions mutual(Path certificate, Path key, Path authorities) {
    return new TlsOptions(
        TlsMode.REQUIRED,
        Optional.of(certificate),
        Optional.of(key),
        List.of(authorities),
        Optional.empty(),
        ClientCertificates.REQUIRED,
        Optional.empty(),
        HostNameCheck.ON,
        TlsEngine.AUTOMATIC);
  }

  /**
   * Returns options of a client without a certificate, which requires TLS.
   *
   * @param authorities the file of the trusted authorities
   */
  public static TlsOptions withoutCertificate(Path authorities) {
    return new TlsOptions(
        TlsMode.REQUIRED,
        Optional.empty(),
        Optional.empty(),
        List.of(authorities),
        Optional.empty(),
        ClientCertificates.REQUIRED,
        Optional.empty(),
        HostNameCheck.ON,
        TlsEngine.AUTOMATIC);
  }

  /** Returns the same options with another mode. */
  public TlsOptions withMode(TlsMode other) {
    return new TlsOptions(
        other, certificate, key, authorities, revocations, clients, trustDomain, hostNames, engine);
  }

  /** Returns the same options with a file of revoked certificates. */
  public TlsOptions withRevocations(Path file) {
    return new TlsOptions(
        mode,
        certificate,
        key,
        authorities,
        Optional.of(file),
        clients,
        trustDomain,
        hostNames,
        engine);
  }

  /** Returns the same options with another demand on clients. */
  public TlsOptions withClients(ClientCertificates other) {
    return new TlsOptions(
        mode, certificate, key, authorities, revocations, other, trustDomain, hostNames, engine);
  }

  /** Returns the same options with this trust domain of the other side. */
  public TlsOptions withTrustDomain(String domain) {
    return new TlsOptions(
        mode,
        certificate,
        key,
        authorities,
        revocations,
        clients,
        Optional.of(domain),
        hostNames,
        engine);
  }

  /** Returns the same options with another check of host names. */
  public TlsOptions withHostNames(HostNameCheck other) {
    return new TlsOptions(
        mode, certificate, key, authorities, revocations, clients, trustDomain, other, engine);
  }

  /** Returns the same options with another implementation of TLS. */
  public TlsOptions withEngine(TlsEngine other) {
    return new TlsOptions(
        mode, certificate, key, authorities, revocations, clients, trustDomain, hostNames, other);
  }
}
