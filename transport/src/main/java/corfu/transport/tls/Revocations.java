package corfu.transport.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/**
 * The certificates that are no longer valid although they have not expired.
 *
 * @param serials the serial numbers that are revoked whoever has issued them
 * @param issued the certificates of lists that authorities have signed
 */
record Revocations(Set<BigInteger> serials, Set<Issued> issued) {

  static final Revocations NONE = new Revocations(Set.of(), Set.of());

  private static final String PURPOSE = "the revoked certificates";

  /** A certificate by its issuer. */
  record Issued(X500Principal issuer, BigInteger serial) {}

  /**
   * Reads a file of lists (CRLs), or of serial numbers.
   *
   * @param authorities the authorities that may have signed the lists
   * @throws TlsException if the file is missing, damaged, or has a list of another authority
   */
  static Revocations read(Optional<Path> file, List<X509Certificate> authorities) {
    if (file.isEmpty()) {
      return NONE;
    }
    String text = PemFile.text(file.get(), PURPOSE);
    List<PemFile.Section> sections = PemFile.sections(file.get(), text);
    return sections.isEmpty()
        ? new Revocations(serials(file.get(), text), Set.of())
        : new Revocations(Set.of(), issued(file.get(), sections, authorities));
  }

  private static Set<BigInteger> serials(Path file, String text) {
    Set<BigInteger> serials = new HashSet<>();
    for (String line : text.lines().toList()) {
      String serial = line.replaceFirst("#.*", "").replace(":", "").strip();
      if (!serial.isEmpty()) {
        try {
          serials.add(new BigInteger(serial, 16));
        } catch (NumberFormatException e) {
          throw new TlsException(
              file
                  + ", the file of revoked certificates, has the line '"
                  + line
                  + "': write one serial number in hexadecimal digits a line, or lists (CRLs) as"
                  + " PEM",
              e);
        }
      }
    }
    return serials;
  }

  private static Set<Issued> issued(
      Path file, List<PemFile.Section> sections, List<X509Certificate> authorities) {
    Set<Issued> issued = new HashSet<>();
    for (PemFile.Section section : sections) {
      if (!section.label().equals("X509 CRL")) {
        throw new TlsException(
            file + ", the file of revoked certificates, has a section " + section.label());
      }
      X509CRL list = list(file, section.bytes());
      if (authorities.stream().noneMatch(authority -> isSignedBy(list, authority))) {
        throw new TlsException(
            ("%s has a list of revoked certificates by %s, which no trusted authority has signed:"
                    + " remove the list, or trust that authority")
                .formatted(file, list.getIssuerX500Principal()));
      }
      var entries = list.getRevokedCertificates();
      if (entries != null) {
        for (X509CRLEntry entry : entries) {
          issued.add(new Issued(list.getIssuerX500Principal(), entry.getSerialNumber()));
        }
      }
    }
    return issued;
  }

  private static X509CRL list(Path file, byte[] bytes) {
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(bytes));
    } catch (CRLException | CertificateException e) {
      throw new TlsException(file + " has a list that cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean isSignedBy(X509CRL list, X509Certificate authority) {
    try {
      list.verify(authority.getPublicKey());
      return list.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Returns whether one of these certificates is revoked. */
  boolean contains(List<X509Certificate> certificates) {
    for (X509Certificate one : certificates) {
      if (serials.contains(one.getSerialNumber())
          || issued.contains(new Issued(one.getIssuerX500Principal(), one.getSerialNumber()))) {
        return true;
      }
    }
    return false;
  }
}
