package corfu.pki.internal.x509;

import corfu.pki.PkiException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;

/**
 * The revoked certificates of one authority. A list is valid as long as its authority is, so that a
 * list which nobody renews never stops a cluster.
 *
 * @param number how often the list was signed; grows
 * @param revoked the time of each revocation by serial number
 */
public record RevocationList(BigInteger number, Map<BigInteger, Instant> revoked) {

  /** The list of an authority that has not revoked anything. */
  public static final RevocationList EMPTY = new RevocationList(BigInteger.ZERO, Map.of());

  public RevocationList {
    revoked = Map.copyOf(revoked);
  }

  /**
   * Returns this list with more certificates, and without those that have ended. The time of a
   * revocation is earlier than now, because peers with slow clocks ignore those of the future.
   */
  public RevocationList with(Set<BigInteger> more, Set<BigInteger> ended, Instant now) {
    Map<BigInteger, Instant> all = new TreeMap<>(revoked);
    more.forEach(serial -> all.putIfAbsent(serial, now.minus(Authority.BACKDATED)));
    ended.forEach(all::remove);
    return new RevocationList(number.add(BigInteger.ONE), all);
  }

  /** Returns the bytes of this list, signed by its authority. */
  public byte[] sign(Authority authority, Instant now) {
    X509v2CRLBuilder builder =
        new JcaX509v2CRLBuilder(authority.certificate(), Date.from(now.minus(Authority.BACKDATED)));
    builder.setNextUpdate(authority.certificate().getNotAfter());
    new TreeMap<>(revoked)
        .forEach(
            (serial, time) ->
                builder.addCRLEntry(serial, Date.from(time), CRLReason.privilegeWithdrawn));
    try {
      builder.addExtension(Extension.cRLNumber, false, new ASN1Integer(number));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils()
              .createAuthorityKeyIdentifier(authority.certificate().getPublicKey()));
      return builder.build(authority.signer()).getEncoded();
    } catch (IOException | GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns the list with these bytes, whoever has signed it. */
  public static X509CRL parse(byte[] bytes, String source) {
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(bytes));
    } catch (GeneralSecurityException damaged) {
      throw new PkiException(
          "a revocation list in %s is damaged; restore the file from a backup".formatted(source),
          damaged);
    }
  }

  /**
   * Returns the content of a signed list.
   *
   * @throws PkiException if this authority has not signed it
   */
  public static RevocationList of(X509CRL list, Authority authority, String source) {
    try {
      list.verify(authority.certificate().getPublicKey());
      Map<BigInteger, Instant> revoked = new TreeMap<>();
      Set<? extends X509CRLEntry> entries = list.getRevokedCertificates();
      for (X509CRLEntry entry : entries == null ? Set.<X509CRLEntry>of() : entries) {
        revoked.put(entry.getSerialNumber(), entry.getRevocationDate().toInstant());
      }
      byte[] number = list.getExtensionValue(Extension.cRLNumber.getId());
      return new RevocationList(
          number == null
              ? BigInteger.ZERO
              : ASN1Integer.getInstance(ASN1OctetString.getInstance(number).getOctets()).getValue(),
          revoked);
    } catch (GeneralSecurityException | IllegalArgumentException altered) {
      throw new PkiException(
          "a revocation list in %s was not signed by its authority; restore it from a backup"
              .formatted(source),
          altered);
    }
  }
}
