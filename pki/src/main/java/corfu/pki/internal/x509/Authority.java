package corfu.pki.internal.x509;

import corfu.pki.CertificateInfo;
import corfu.pki.CertificateProfile;
import corfu.pki.CertificateRequest;
import corfu.pki.PkiException;
import corfu.pki.SpiffeId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The certificate and private key of an authority, which sign others.
 *
 * @param certificate the authority's own certificate, signed by itself
 * @param key its private key
 */
public record Authority(X509Certificate certificate, PrivateKey key) {

  /** Clocks of other machines may be slow by this. */
  public static final Duration BACKDATED = Duration.ofMinutes(5);

  private static final String ALGORITHM = "SHA256withECDSA";
  private static final int SERIAL_BYTES = 16;
  private static final int MAX_DOMAIN = 41;

  /**
   * Returns a new authority.
   *
   * @param trustDomain the domain whose ids it vouches for
   * @param validFrom its first second
   * @param validTo its last second
   */
  public static Authority create(
      String trustDomain, Instant validFrom, Instant validTo, RandomGenerator random) {
    KeyPair pair = Keys.generate();
    // A name of its own, so that the revocation lists of two authorities cannot be confused.
    X500Name name = commonName("CA of " + cut(trustDomain) + " " + Keys.shortId(pair.getPublic()));
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            serial(pair.getPublic(), validFrom, random),
            Date.from(validFrom),
            Date.from(validTo.truncatedTo(ChronoUnit.SECONDS)),
            name,
            pair.getPublic());
    try {
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          extensions.createSubjectKeyIdentifier(pair.getPublic()));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(uri(new SpiffeId(trustDomain, ""))));
      X509Certificate certificate = parse(builder.build(signer(pair.getPrivate())).getEncoded());
      return new Authority(certificate, pair.getPrivate());
    } catch (IOException | GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns the part of a domain that fits into a common name, which has at most 64 characters. */
  private static String cut(String trustDomain) {
    return trustDomain.length() > MAX_DOMAIN ? trustDomain.substring(0, MAX_DOMAIN) : trustDomain;
  }

  private static X500Name commonName(String name) {
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
  }

  /**
   * Returns a certificate for a key.
   *
   * @throws PkiException if the certificate would outlive this authority
   */
  public X509Certificate issue(
      CertificateRequest request, PublicKey subjectKey, Instant now, RandomGenerator random) {
    Instant validTo = now.plus(request.validity()).truncatedTo(ChronoUnit.SECONDS);
    Instant end = certificate.getNotAfter().toInstant();
    if (validTo.isAfter(end)) {
      throw new PkiException(
          "a certificate until %s would outlive its authority, which ends at %s; give fewer days,"
                  .formatted(validTo, end)
              + " or add an authority: corfu cert init --add");
    }
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            certificate,
            serial(subjectKey, now, random),
            Date.from(now.minus(BACKDATED)),
            Date.from(validTo),
            commonName(request.name()),
            subjectKey);
    try {
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes(request.profile())));
      builder.addExtension(
          Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(subjectKey));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(certificate.getPublicKey()));
      builder.addExtension(Extension.subjectAlternativeName, false, names(request));
      return parse(builder.build(signer(key)).getEncoded());
    } catch (IOException | GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private GeneralNames names(CertificateRequest request) {
    List<GeneralName> names = new ArrayList<>();
    SpiffeId usual = request.profile().id(trustDomain(), request.name());
    names.add(uri(request.id().orElse(usual)));
    for (String host : request.hosts()) {
      boolean isAddress = CertificateRequest.isAddress(host);
      names.add(new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, host));
    }
    return new GeneralNames(names.toArray(GeneralName[]::new));
  }

  private static GeneralName uri(SpiffeId id) {
    return new GeneralName(GeneralName.uniformResourceIdentifier, id.toString());
  }

  private static KeyPurposeId[] purposes(CertificateProfile profile) {
    return switch (profile) {
      case SERVER, SERVICE ->
          new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
      case CLIENT, ADMINISTRATOR -> new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth};
    };
  }

  /** Returns the domain whose ids this authority vouches for. */
  public String trustDomain() {
    return trustDomain(certificate);
  }

  /** Returns the domain whose ids the authority with this certificate vouches for. */
  public static String trustDomain(X509Certificate authority) {
    return CertificateInfo.of(authority)
        .id()
        .map(SpiffeId::trustDomain)
        .orElseThrow(
            () ->
                new PkiException(
                    "the authority %s has no SPIFFE id, so it was not made by corfu cert init"
                        .formatted(authority.getSubjectX500Principal())));
  }

  ContentSigner signer() {
    return signer(key);
  }

  private static ContentSigner signer(PrivateKey key) {
    try {
      return new JcaContentSignerBuilder(ALGORITHM).build(key);
    } catch (OperatorCreationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns a number that no other certificate has: the key, the time and a random number. */
  private static BigInteger serial(PublicKey subject, Instant now, RandomGenerator random) {
    ByteBuffer salt = ByteBuffer.allocate(2 * Long.BYTES);
    salt.putLong(now.toEpochMilli()).putLong(random.nextLong());
    byte[] digest = Keys.sha256(subject.getEncoded(), salt.array());
    byte[] magnitude = Arrays.copyOf(digest, SERIAL_BYTES);
    magnitude[0] = (byte) ((magnitude[0] & 0x7f) | 0x40); // positive, always of the same length
    return new BigInteger(1, magnitude);
  }

  /** Returns the certificate with these bytes. */
  public static X509Certificate parse(byte[] bytes) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(bytes));
  }
}
