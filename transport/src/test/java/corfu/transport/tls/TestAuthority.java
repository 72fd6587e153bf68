package corfu.transport.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Issues certificates for tests. Nothing is checked in, so nothing expires. */
public final class TestAuthority {

  private static final AtomicLong SERIALS = new AtomicLong(0x1000);

  /** A certificate and its key. */
  public record Issued(X509Certificate certificate, PrivateKey key) {}

  /**
   * A wish for a certificate.
   *
   * @param subject the subject, for example {@code CN=orders}
   * @param names the subject alternative names
   * @param notBefore the begin of its validity
   * @param notAfter the end of its validity
   * @param algorithm {@code EC}, {@code RSA} or {@code Ed25519}
   */
  public record Wish(
      String subject,
      List<GeneralName> names,
      Instant notBefore,
      Instant notAfter,
      String algorithm) {

    /** Returns a wish for a certificate with this common name, valid for a day. */
    public static Wish named(String commonName) {
      Instant now = Instant.now();
      return new Wish(
          "CN=" + commonName,
          List.of(),
          now.minus(Duration.ofHours(1)),
          now.plus(Duration.ofDays(1)),
          "EC");
    }

    /** Returns a wish for a server's certificate for the loopback address. */
    public static Wish server(String commonName) {
      return named(commonName).with(GeneralName.iPAddress, "127.0.0.1");
    }

    public Wish with(int kind, String name) {
      List<GeneralName> more = new ArrayList<>(names);
      more.add(new GeneralName(kind, name));
      return new Wish(subject, more, notBefore, notAfter, algorithm);
    }

    public Wish spiffe(String id) {
      return with(GeneralName.uniformResourceIdentifier, id);
    }

    public Wish valid(Instant from, Instant to) {
      return new Wish(subject, names, from, to, algorithm);
    }

    public Wish by(String other) {
      return new Wish(subject, names, notBefore, notAfter, other);
    }
  }

  private final Issued root;

  public TestAuthority(String name) {
    this.root = make(Wish.named(name).valid(past(2), future(3650)), null, true);
  }

  private TestAuthority(Issued intermediate) {
    this.root = intermediate;
  }

  public static Instant past(int days) {
    return Instant.now().minus(Duration.ofDays(days));
  }

  public static Instant future(int days) {
    return Instant.now().plus(Duration.ofDays(days));
  }

  public X509Certificate certificate() {
    return root.certificate();
  }

  public Issued issue(Wish wish) {
    return make(wish, root, false);
  }

  /** Returns an authority whose certificate this one has issued. */
  public TestAuthority intermediate(String name) {
    return new TestAuthority(make(Wish.named(name).valid(past(2), future(3650)), root, true));
  }

  public static Issued selfSigned(Wish wish) {
    return make(wish, null, false);
  }

  private static Issued make(Wish wish, @Nullable Issued issuer, boolean isAuthority) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(wish.algorithm());
      if (wish.algorithm().equals("EC")) {
        generator.initialize(256);
      } else if (wish.algorithm().equals("RSA")) {
        generator.initialize(2048);
      }
      KeyPair keys = generator.generateKeyPair();
      X500Name subject = new X500Name(wish.subject());
      X500Name by =
          issuer == null
              ? subject
              : new X500Name(issuer.certificate().getSubjectX500Principal().getName());
      var builder =
          new JcaX509v3CertificateBuilder(
              by,
              BigInteger.valueOf(SERIALS.incrementAndGet()),
              Date.from(wish.notBefore()),
              Date.from(wish.notAfter()),
              subject,
              keys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(
              isAuthority ? KeyUsage.keyCertSign | KeyUsage.cRLSign : KeyUsage.digitalSignature));
      if (!wish.names().isEmpty()) {
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(wish.names().toArray(GeneralName[]::new)));
      }
      PrivateKey signing = issuer == null ? keys.getPrivate() : issuer.key();
      return new Issued(
          new JcaX509CertificateConverter().getCertificate(builder.build(signer(signing))),
          keys.getPrivate());
    } catch (GeneralSecurityException | IOException | OperatorException e) {
      throw new AssertionError(e);
    }
  }

  private static ContentSigner signer(PrivateKey key) throws OperatorException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> "Ed25519";
        };
    return new JcaContentSignerBuilder(algorithm).build(key);
  }

  /** Returns a list that revokes these certificates. */
  public String revoking(X509Certificate... revoked) {
    try {
      var builder =
          new JcaX509v2CRLBuilder(
              root.certificate().getSubjectX500Principal(), Date.from(Instant.now()));
      for (X509Certificate one : revoked) {
        builder.addCRLEntry(
            one.getSerialNumber(), Date.from(Instant.now()), CRLReason.keyCompromise);
      }
      X509CRL list = new JcaX509CRLConverter().getCRL(builder.build(signer(root.key())));
      return pem("X509 CRL", list.getEncoded());
    } catch (GeneralSecurityException | OperatorException e) {
      throw new AssertionError(e);
    }
  }

  public static String pem(String label, byte[] bytes) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder().encodeToString(bytes)
        + "\n-----END "
        + label
        + "-----\n";
  }

  public static String pem(X509Certificate... certificates) {
    StringBuilder text = new StringBuilder();
    try {
      for (X509Certificate one : certificates) {
        text.append(pem("CERTIFICATE", one.getEncoded()));
      }
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    return text.toString();
  }

  /** Writes a certificate, its issuers, its key, and the trusted authorities into a directory. */
  public static TlsOptions write(
      Path directory,
      String name,
      Issued own,
      List<X509Certificate> issuers,
      X509Certificate... authorities) {
    List<X509Certificate> chain = new ArrayList<>(List.of(own.certificate()));
    chain.addAll(issuers);
    return TlsOptions.mutual(
        replace(directory.resolve(name + ".crt"), pem(chain.toArray(X509Certificate[]::new))),
        writeKey(directory.resolve(name + ".key"), own.key()),
        replace(directory.resolve(name + "-ca.crt"), pem(authorities)));
  }

  public static TlsOptions write(
      Path directory, String name, Issued own, X509Certificate... authorities) {
    return write(directory, name, own, List.of(), authorities);
  }

  public static Path writeKey(Path file, PrivateKey key) {
    Path written = replace(file, pem("PRIVATE KEY", key.getEncoded()));
    try {
      return Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Replaces a file in one step, as tools that renew certificates do. */
  public static Path replace(Path file, String text) {
    try {
      Path fresh = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
      return Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns options of both sides of connections over loopback, of one new authority. */
  public static TlsOptions anyone(Path directory, TlsEngine engine) {
    TestAuthority authority = new TestAuthority("root");
    Issued own = authority.issue(Wish.server("node").spiffe("spiffe://test/node"));
    return write(directory, "node", own, authority.certificate()).withEngine(engine);
  }
}
