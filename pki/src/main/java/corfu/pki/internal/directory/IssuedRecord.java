package corfu.pki.internal.directory;

import corfu.pki.CertificateInfo;
import corfu.pki.CertificateProfile;
import corfu.pki.CertificateRequest;
import corfu.pki.IssuedCertificate;
import corfu.pki.PkiException;
import corfu.pki.internal.file.Pem;
import corfu.pki.internal.x509.Authority;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An authority's own record of a certificate that it has issued: a few lines of text, then the
 * certificate in PEM format. So other programs can read it, too.
 *
 * @param number grows with each certificate of the authority
 * @param name the certificate's name
 * @param file the file that has it, and perhaps its key
 * @param hasKey whether that file has the key
 * @param certificate the certificate
 */
public record IssuedRecord(
    long number, String name, Path file, boolean hasKey, X509Certificate certificate) {

  private static final String FOR_SERVERS = "1.3.6.1.5.5.7.3.1";
  private static final int MAX_NUMBER_DIGITS = 18;

  /** Returns the name of the record's file. */
  public String fileName() {
    return certificate.getSerialNumber().toString(16) + ".pem";
  }

  /** Returns the text of this record. */
  public String encode() {
    try {
      return "number: %d%nname: %s%nfile: %s%nkey: %s%n"
              .formatted(number, name, file, hasKey ? "in the file" : "at its owner")
              .replace("\r", "")
          + Pem.encode(Pem.CERTIFICATE, certificate.getEncoded());
    } catch (CertificateEncodingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns the record that this text spells. */
  public static IssuedRecord decode(String text, String source) {
    Map<String, String> lines = new HashMap<>();
    for (String line : text.lines().takeWhile(line -> !line.startsWith("-----")).toList()) {
      int colon = line.indexOf(": ");
      if (colon > 0) {
        lines.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    List<Pem.Block> blocks = Pem.decode(text, source);
    String number = lines.getOrDefault("number", "");
    if (blocks.size() == 1
        && lines.keySet().containsAll(List.of("name", "file", "key"))
        && number.matches("\\d{1," + MAX_NUMBER_DIGITS + "}")) {
      try {
        return new IssuedRecord(
            Long.parseLong(number),
            lines.getOrDefault("name", ""),
            Path.of(lines.getOrDefault("file", "")),
            lines.getOrDefault("key", "").equals("in the file"),
            Authority.parse(blocks.getFirst().content()));
      } catch (CertificateException | IllegalArgumentException damaged) {
        throw new PkiException(
            "the record %s is damaged; restore it from a backup".formatted(source), damaged);
      }
    }
    throw new PkiException("the record %s is damaged; restore it from a backup".formatted(source));
  }

  /** Returns the request of a certificate that can replace this one. */
  public CertificateRequest renewal() {
    CertificateInfo info = info();
    Duration backdated = Authority.BACKDATED;
    return new CertificateRequest(
        name,
        isForServers() ? CertificateProfile.SERVER : CertificateProfile.CLIENT,
        info.hosts(),
        Duration.between(info.validFrom().plus(backdated), info.validTo()),
        info.id(),
        Optional.of(directory()),
        Optional.empty());
  }

  private boolean isForServers() {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return purposes != null && purposes.contains(FOR_SERVERS);
    } catch (CertificateParsingException damaged) {
      throw new PkiException(
          "the record of %s is damaged; restore it from a backup".formatted(name), damaged);
    }
  }

  private Path directory() {
    Path parent = file.getParent();
    if (parent == null) {
      throw new PkiException(
          "the record of %s names no directory; restore it from a backup".formatted(name));
    }
    return parent;
  }

  /** Returns the public content of the certificate. */
  public CertificateInfo info() {
    return CertificateInfo.of(certificate);
  }

  /** Returns the certificate as the authority's users see it. */
  public IssuedCertificate issued(boolean isRevoked) {
    return new IssuedCertificate(name, file, hasKey, isRevoked, info());
  }
}
