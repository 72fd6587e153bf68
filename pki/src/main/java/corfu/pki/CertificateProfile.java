package corfu.pki;

/** The purpose of a certificate: it decides the usual id, and the side of a connection. */
public enum CertificateProfile {
  /** A server, which is also a client of other servers. */
  SERVER("server"),

  /**
   * A server of an application, which is a client of the cluster. By its id it is none of the
   * cluster's own servers, which may do everything.
   */
  SERVICE("service"),

  /** A client, such as an application. */
  CLIENT("client"),

  /** A client of a person who administers the cluster. */
  ADMINISTRATOR("admin");

  private final String pathName;

  CertificateProfile(String pathName) {
    this.pathName = pathName;
  }

  /** Returns the usual id of a certificate with this profile. */
  public SpiffeId id(String trustDomain, String name) {
    return new SpiffeId(trustDomain, "/" + pathName + "/" + name);
  }

  /** Returns whether others connect to the owner of the certificate. */
  public boolean isServer() {
    return this == SERVER || this == SERVICE;
  }

  @Override
  public String toString() {
    return pathName;
  }
}
