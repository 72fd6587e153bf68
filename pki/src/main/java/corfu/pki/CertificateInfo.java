package corfu.pki;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The public content of a certificate, for people and for scripts.
 *
 * @param subject the subject, as RFC 2253 writes it
 * @param issuer the issuer, as RFC 2253 writes it
 * @param id the only SPIFFE id; empty if it has none, several, or a malformed one
 * @param hosts host names, then IP addresses
 * @param serial the serial number, in hexadecimal digits
 * @param fingerprint the SHA-256 of the certificate, in 64 hexadecimal digits
 * @param isAuthority whether it may sign other certificates
 * @param validFrom the first second at which it is valid
 * @param validTo the last second at which it is valid
 */
public record CertificateInfo(
    String subject,
    String issuer,
    Optional<SpiffeId> id,
    List<String> hosts,
    String serial,
    String fingerprint,
    boolean isAuthority,
    Instant validFrom,
    Instant validTo) {

  private static final int DNS = 2;
  private static final int URI = 6;
  private static final int IP = 7;

  public CertificateInfo {
    hosts = List.copyOf(hosts);
  }

  /**
   * Returns the content of a certificate.
   *
   * @throws PkiException if its names cannot be read
   */
  public static CertificateInfo of(X509Certificate certificate) {
    try {
      List<String> ids =
          names(certificate, URI).stream().filter(name -> name.startsWith("spiffe:")).toList();
      List<String> hosts = new ArrayList<>(names(certificate, DNS));
      hosts.addAll(names(certificate, IP));
      return new CertificateInfo(
          certificate.getSubjectX500Principal().getName(),
          certificate.getIssuerX500Principal().getName(),
          ids.size() == 1 ? idOf(ids.getFirst()) : Optional.empty(),
          hosts,
          certificate.getSerialNumber().toString(16),
          HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded())),
          certificate.getBasicConstraints() >= 0,
          certificate.getNotBefore().toInstant(),
          certificate.getNotAfter().toInstant());
    } catch (CertificateParsingException wrong) {
      throw new PkiException(
          "a name of the certificate with serial number %s cannot be read: %s"
              .formatted(certificate.getSerialNumber().toString(16), wrong.getMessage()),
          wrong);
    } catch (CertificateEncodingException | NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Optional<SpiffeId> idOf(String text) {
    try {
      return Optional.of(SpiffeId.parse(text));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private static List<String> names(X509Certificate certificate, int kind)
      throws CertificateParsingException {
    Collection<List<?>> all = certificate.getSubjectAlternativeNames();
    if (all == null) {
      return List.of();
    }
    return all.stream()
        .filter(name -> name.get(0).equals(kind))
        .map(name -> (String) name.get(1))
        .toList();
  }

  /** Returns the whole days for which the certificate is still valid; negative if it has ended. */
  public long daysLeft(Instant now) {
    return Math.floorDiv(Duration.between(now, validTo).toSeconds(), 86_400L);
  }

  /** Returns whether the certificate has ended. */
  public boolean hasEnded(Instant now) {
    return now.isAfter(validTo);
  }
}
