package corfu.transport.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The content of TLS files at one time, checked.
 *
 * @param own the own certificate and its key; empty for a client without
 * @param authorities the trusted authorities
 * @param check decides about certificates of other sides
 * @param contexts make TLS engines
 */
record LoadedTls(
    Optional<CertifiedKey> own,
    List<X509Certificate> authorities,
    PeerCheck check,
    TlsContexts contexts) {

  /**
   * Reads and checks the files.
   *
   * @throws TlsException if a file is missing, wrong, or does not fit the others
   */
  static LoadedTls read(TlsOptions options, LongSupplier wallTimeMillis) {
    List<X509Certificate> authorities = new ArrayList<>();
    for (Path file : options.authorities()) {
      authorities.addAll(PemFile.certificates(file, "the trusted authorities"));
    }
    Optional<CertifiedKey> own = own(options, wallTimeMillis);
    Revocations revocations = Revocations.read(options.revocations(), authorities);
    PeerCheck check = new PeerCheck(options, authorities, revocations, wallTimeMillis);
    return new LoadedTls(own, List.copyOf(authorities), check, TlsContexts.of(options, own, check));
  }

  private static Optional<CertifiedKey> own(TlsOptions options, LongSupplier wallTimeMillis) {
    if (options.certificate().isEmpty() || options.key().isEmpty()) {
      return Optional.empty();
    }
    Path file = options.certificate().get();
    List<X509Certificate> chain = PemFile.certificates(file, "the own certificate");
    PrivateKey key = KeyFile.read(options.key().get());
    X509Certificate first = chain.getFirst();
    if (!KeyFile.matches(key, first.getPublicKey())) {
      throw new TlsException(
          ("the private key in %s is not that of the first certificate in %s: name the key that the"
                  + " certificate was issued for, and put the own certificate first")
              .formatted(options.key().get(), file));
    }
    Instant now = Instant.ofEpochMilli(wallTimeMillis.getAsLong());
    for (X509Certificate one : chain) {
      if (now.isAfter(one.getNotAfter().toInstant())) {
        throw new TlsException(
            "%s has %s which expired on %s: renew it"
                .formatted(file, CertificateNames.describe(one), one.getNotAfter().toInstant()));
      }
      if (now.isBefore(one.getNotBefore().toInstant())) {
        throw new TlsException(
            "%s has %s which is not valid before %s: check this machine's clock"
                .formatted(file, CertificateNames.describe(one), one.getNotBefore().toInstant()));
      }
    }
    try {
      return Optional.of(new CertifiedKey(chain, key, CertificateNames.identity(first)));
    } catch (PeerCertificateException e) {
      throw new TlsException(file + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** Returns the earliest end of these certificates. */
  static Optional<Instant> earliestEnd(List<X509Certificate> certificates) {
    return certificates.stream()
        .map(one -> one.getNotAfter().toInstant())
        .min(Comparator.naturalOrder());
  }

  /** Returns the SHA-256 of a certificate in hexadecimal digits. */
  static String fingerprint(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (CertificateEncodingException e) {
      throw new TlsException("the own certificate cannot be encoded: " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new TlsException("this platform has no SHA-256", e);
    }
  }
}
