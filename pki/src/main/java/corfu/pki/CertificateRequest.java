package corfu.pki;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.util.IPAddress;

/**
 * The content of a certificate that an authority shall issue.
 *
 * @param name the certificate's name among those of the authority, its common name and its file's
 *     name: 1 to 63 letters, digits, dots, hyphens and underscores
 * @param profile its purpose
 * @param hosts host names and IP addresses at which clients connect to it; at least one for a
 *     server, at most 64
 * @param validity its time from now, at least a minute
 * @param id its SPIFFE id, within the authority's trust domain; empty for that of the profile
 * @param directory the directory of its file; empty for that of the authority
 * @param signingRequest the key to certify; empty for a new one, which the file gets, too
 */
public record CertificateRequest(
    String name,
    CertificateProfile profile,
    List<String> hosts,
    Duration validity,
    Optional<SpiffeId> id,
    Optional<Path> directory,
    Optional<SigningRequest> signingRequest) {

  /** The usual time of a certificate. */
  public static final Duration DEFAULT_VALIDITY = Duration.ofDays(90);

  private static final int MAX_HOSTS = 64;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,62}");
  private static final Pattern ADDRESS_6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+|.*:.*");
  private static final Pattern HOST =
      Pattern.compile("(?=.{1,253}$)[A-Za-z0-9](-*[A-Za-z0-9])*(\\.[A-Za-z0-9](-*[A-Za-z0-9])*)*");

  public CertificateRequest {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a certificate has 1 to 63 letters, digits, dots, hyphens and underscores,"
              + " and does not begin with a dot or hyphen");
    }
    hosts = List.copyOf(hosts);
    hosts.forEach(CertificateRequest::checkHost);
    if (hosts.size() > MAX_HOSTS) {
      throw new IllegalArgumentException(
          "a certificate has at most %d hosts, but %s has %d"
              .formatted(MAX_HOSTS, name, hosts.size()));
    }
    if (profile.isServer() && hosts.isEmpty()) {
      throw new IllegalArgumentException(
          "a server's certificate names the hosts at which clients reach it; give at least one for "
              + name);
    }
    if (validity.compareTo(Duration.ofMinutes(1)) < 0) {
      throw new IllegalArgumentException(
          "a certificate is valid for at least a minute, but this is for " + validity);
    }
  }

  /** Returns the request of a server's certificate for these hosts, with usual values. */
  public static CertificateRequest server(String name, List<String> hosts) {
    return usual(name, CertificateProfile.SERVER, hosts);
  }

  /** Returns the request of a client's certificate, with usual values. */
  public static CertificateRequest client(String name) {
    return usual(name, CertificateProfile.CLIENT, List.of());
  }

  /** Returns the request of an administrator's certificate, with usual values. */
  public static CertificateRequest administrator(String name) {
    return usual(name, CertificateProfile.ADMINISTRATOR, List.of());
  }

  private static CertificateRequest usual(
      String name, CertificateProfile profile, List<String> hosts) {
    return new CertificateRequest(
        name,
        profile,
        hosts,
        DEFAULT_VALIDITY,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns whether the text is an IP address, and not a name. */
  public static boolean isAddress(String host) {
    return NUMBERS.matcher(host).matches();
  }

  private static void checkHost(String host) {
    if (!isRight(host)) {
      throw new IllegalArgumentException(
          "a host is a name such as n1.example.org or an IP address, but this is '"
              + host.replaceAll("\\p{Cntrl}", "?")
              + "'");
    }
  }

  private static boolean isRight(String host) {
    if (!isAddress(host)) {
      return HOST.matcher(host).matches();
    }
    if (host.indexOf(':') < 0) {
      return IPAddress.isValidIPv4(host);
    }
    try { // brackets keep the JDK from a look-up of the name
      return ADDRESS_6.matcher(host).matches() && InetAddress.getByName("[" + host + "]") != null;
    } catch (UnknownHostException wrong) {
      return false;
    }
  }

  /** Returns this request with another time from now. */
  public CertificateRequest withValidity(Duration other) {
    return new CertificateRequest(name, profile, hosts, other, id, directory, signingRequest);
  }

  /** Returns this request with this id. */
  public CertificateRequest withId(SpiffeId other) {
    return new CertificateRequest(
        name, profile, hosts, validity, Optional.of(other), directory, signingRequest);
  }

  /** Returns this request with a file in this directory. */
  public CertificateRequest withDirectory(Path other) {
    return new CertificateRequest(
        name, profile, hosts, validity, id, Optional.of(other), signingRequest);
  }

  /** Returns this request for the key of a signing request. */
  public CertificateRequest withSigningRequest(SigningRequest other) {
    return new CertificateRequest(
        name, profile, hosts, validity, id, directory, Optional.of(other));
  }
}
