package corfu.transport.tls;

import corfu.protocol.Identity;
import corfu.transport.tls.PeerCertificateException.Reason;
import io.netty.util.NetUtil;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The names in a certificate. An identity is:
 *
 * <ol>
 *   <li>the URI among the subject alternative names that begins with {@code spiffe://}. Then it is
 *       the only URI, as SPIFFE requires;
 *   <li>otherwise the common name (CN) of the subject, which must not look like another kind of
 *       identity: it has no {@code :}, {@code *} or {@code /}, and is not {@code anonymous}.
 * </ol>
 *
 * A certificate without such a name proves no identity, and is not accepted.
 */
final class CertificateNames {

  private static final String SPIFFE = "spiffe://";

  /** The kinds of subject alternative names by their numbers in X.509. */
  private static final int DNS = 2;

  private static final int URI = 6;
  private static final int ADDRESS = 7;

  private CertificateNames() {}

  /**
   * Returns the identity that a certificate proves.
   *
   * @throws PeerCertificateException if it proves none
   */
  static Identity identity(X509Certificate certificate) throws PeerCertificateException {
    List<String> uris = alternatives(certificate, URI);
    if (uris.stream().anyMatch(uri -> uri.toLowerCase(Locale.ROOT).startsWith("spiffe:"))) {
      String id = uris.getFirst();
      if (uris.size() > 1 || !id.startsWith(SPIFFE) || id.contains("*")) {
        throw new PeerCertificateException(
            Reason.REJECTED,
            describe(certificate) + " has no proper SPIFFE id, but the URIs " + uris);
      }
      return identity(certificate, id);
    }
    String name = commonName(certificate);
    if (name.isEmpty()
        || name.chars().anyMatch(c -> c == ':' || c == '*' || c == '/')
        || name.equalsIgnoreCase(Identity.ANONYMOUS.name())) {
      throw new PeerCertificateException(
          Reason.REJECTED,
          describe(certificate)
              + " proves no identity: it needs a SPIFFE id, or a common name without ':', '*' and"
              + " '/'");
    }
    return identity(certificate, name);
  }

  private static Identity identity(X509Certificate certificate, String name)
      throws PeerCertificateException {
    try {
      return new Identity(name);
    } catch (IllegalArgumentException e) {
      throw new PeerCertificateException(
          Reason.REJECTED, describe(certificate) + " proves no identity: " + e.getMessage(), e);
    }
  }

  private static String commonName(X509Certificate certificate) {
    try {
      String name = "";
      for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          name = String.valueOf(part.getValue()); // the most specific one comes last
        }
      }
      return name;
    } catch (InvalidNameException e) {
      return "";
    }
  }

  /** Returns whether a SPIFFE id is in the trust domain. */
  static boolean isIn(String trustDomain, Identity identity) {
    return identity.name().startsWith(SPIFFE + trustDomain + "/")
        || identity.name().equals(SPIFFE + trustDomain);
  }

  /** Returns whether a certificate names the host in its subject alternative names. */
  static boolean isOf(String host, X509Certificate certificate) throws PeerCertificateException {
    byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
    if (address != null) {
      return alternatives(certificate, ADDRESS).stream()
          .map(NetUtil::createByteArrayFromIpAddressString)
          .anyMatch(named -> named != null && Arrays.equals(named, address));
    }
    return alternatives(certificate, DNS).stream().anyMatch(name -> covers(name, host));
  }

  /** Returns the DNS names and addresses in a certificate. */
  static List<String> hosts(X509Certificate certificate) throws PeerCertificateException {
    List<String> hosts = new ArrayList<>(alternatives(certificate, DNS));
    hosts.addAll(alternatives(certificate, ADDRESS));
    return hosts;
  }

  private static boolean covers(String name, String host) {
    String pattern = withoutEnd(name);
    String wanted = withoutEnd(host);
    if (!pattern.startsWith("*.")) {
      return pattern.equals(wanted);
    }
    int dot = wanted.indexOf('.'); // an asterisk stands for exactly one label
    return dot > 0
        && pattern.indexOf('.', 2) > 0
        && wanted.substring(dot).equals(pattern.substring(1));
  }

  private static String withoutEnd(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static List<String> alternatives(X509Certificate certificate, int kind)
      throws PeerCertificateException {
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      if (all == null) {
        return List.of();
      }
      return all.stream()
          .filter(one -> one.get(0) instanceof Integer number && number == kind)
          .map(one -> String.valueOf(one.get(1)))
          .toList();
    } catch (CertificateParsingException e) {
      throw new PeerCertificateException(
          Reason.REJECTED,
          describe(certificate) + " has names that cannot be read: " + e.getMessage(),
          e);
    }
  }

  /** Returns a certificate's subject and serial number for a message. */
  static String describe(X509Certificate certificate) {
    return "the certificate of '"
        + certificate.getSubjectX500Principal().getName().replaceAll("\\p{Cntrl}", "?")
        + "', serial "
        + certificate.getSerialNumber().toString(16)
        + ",";
  }
}
