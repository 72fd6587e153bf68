package corfu.pki;

import static java.nio.charset.StandardCharsets.US_ASCII;

import corfu.pki.internal.directory.PkiDirectory;
import corfu.pki.internal.file.Pem;
import corfu.pki.internal.file.SecureFiles;
import corfu.pki.internal.x509.Keys;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The view of peers: they have the files that an authority publishes, and use the JDK's checks. */
final class Peers {

  private Peers() {}

  /** Returns the certificates of a file. */
  static List<X509Certificate> certificates(Path file) {
    return PkiDirectory.certificates(Pem.decode(SecureFiles.read(file), file.toString()), file);
  }

  static PrivateKey key(Path file) {
    return Keys.privateKey(Pem.decode(SecureFiles.read(file), file.toString()), file.toString());
  }

  /** Throws if a peer with these authorities and revocation lists refuses the certificate. */
  static void check(X509Certificate certificate, Path caFile, Path crlFile, Instant now)
      throws Exception {
    Set<TrustAnchor> anchors = new HashSet<>();
    certificates(caFile).forEach(ca -> anchors.add(new TrustAnchor(ca, null)));
    PKIXParameters parameters = new PKIXParameters(anchors);
    parameters.setDate(Date.from(now));
    var factory = CertificateFactory.getInstance("X.509");
    var lists =
        factory.generateCRLs(
            new ByteArrayInputStream(Files.readString(crlFile).getBytes(US_ASCII)));
    parameters.addCertStore(
        CertStore.getInstance("Collection", new CollectionCertStoreParameters(lists)));
    parameters.setRevocationEnabled(true);
    CertPathValidator.getInstance("PKIX")
        .validate(factory.generateCertPath(List.of(certificate)), parameters);
  }

  /** Throws if a peer of this authority refuses the newest certificate of a name. */
  static void check(CertificateAuthority authority, IssuedCertificate issued, Instant now)
      throws Exception {
    check(certificates(issued.file()).getFirst(), authority.caFile(), authority.crlFile(), now);
  }

  static KeyStore keyStore(Path file) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "own", key(file), new char[0], certificates(file).toArray(X509Certificate[]::new));
    return store;
  }

  static KeyStore trustStore(Path caFile) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int number = 0;
    for (X509Certificate ca : certificates(caFile)) {
      store.setCertificateEntry("ca" + number++, ca);
    }
    return store;
  }
}
