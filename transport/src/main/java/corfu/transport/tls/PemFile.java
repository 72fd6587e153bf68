package corfu.transport.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads files of certificates. */
final class PemFile {

  /** The largest file in bytes. */
  static final int MAX_BYTES = 16 << 20;

  private static final Pattern SECTION =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \\1-----");

  /** One section of a file. */
  static final class Section {
    private final String label;
    private final byte[] bytes;

    private Section(String label, byte[] bytes) {
      this.label = label;
      this.bytes = bytes;
    }

    String label() {
      return label;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  private PemFile() {}

  /** Returns the text of a file. */
  static String text(Path file, String purpose) {
    try {
      long size = Files.size(file);
      if (size > MAX_BYTES) {
        throw new TlsException(
            "%s, the file of %s, has %d bytes; the limit is %d"
                .formatted(file, purpose, size, MAX_BYTES));
      }
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new TlsException(
          file + ", the file of " + purpose + ", does not exist: create it, or name another", e);
    } catch (IOException e) {
      throw new TlsException(file + ", the file of " + purpose + ", cannot be read: " + e, e);
    }
  }

  /** Returns the sections of a text in PEM format. */
  static List<Section> sections(Path file, String text) {
    List<Section> sections = new ArrayList<>();
    Matcher found = SECTION.matcher(text);
    while (found.find()) {
      sections.add(new Section(found.group(1), decoded(file, found.group(2))));
    }
    return sections;
  }

  private static byte[] decoded(Path file, String base64) {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new TlsException(file + " is damaged: it has a section that is not Base64", e);
    }
  }

  /**
   * Returns the certificates of a file, at least one.
   *
   * @throws TlsException if the file is missing, or has no certificates
   */
  static List<X509Certificate> certificates(Path file, String purpose) {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Section section : sections(file, text(file, purpose))) {
      if (section.label().equals("CERTIFICATE")) {
        certificates.add(certificate(file, section.bytes()));
      }
    }
    if (certificates.isEmpty()) {
      throw new TlsException(
          file
              + ", the file of "
              + purpose
              + ", has no section BEGIN CERTIFICATE: write it as PEM");
    }
    return certificates;
  }

  private static X509Certificate certificate(Path file, byte[] bytes) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(bytes));
    } catch (CertificateException e) {
      throw new TlsException(file + " has a certificate that cannot be read: " + e.getMessage(), e);
    }
  }
}
