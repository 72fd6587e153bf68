package corfu.pki;

import static java.util.stream.Collectors.joining;

import corfu.pki.internal.directory.IssuedRecord;
import corfu.pki.internal.directory.PkiDirectory;
import corfu.pki.internal.file.Pem;
import corfu.pki.internal.file.SecureFiles;
import corfu.pki.internal.token.TokenKeys;
import corfu.pki.internal.x509.Authority;
import corfu.pki.internal.x509.Keys;
import corfu.pki.internal.x509.SigningRequests;
import corfu.world.World;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A certificate authority in a directory that only its owner may enter. It issues certificates for
 * servers, clients and administrators, renews and revokes them. At most two authorities are valid
 * at a time, so that one can follow the other while a cluster runs.
 *
 * <p>A certificate and its key are in one file, which is replaced as a whole. So a server that
 * reads the file at any moment finds a key that belongs to the certificate.
 *
 * <p>Each call reads the directory anew, and changes exclude each other by a lock. Thread-safe, but
 * a call fails while another thread or process changes the directory. All methods throw {@link
 * PkiException} if a file cannot be used, or if the call is refused.
 */
public final class CertificateAuthority {

  /** The usual time of an authority's own certificate. */
  public static final Duration DEFAULT_VALIDITY = Duration.ofDays(3650);

  private static final int MIN_FINGERPRINT_DIGITS = 8;

  private final PkiDirectory directory;
  private final World world;

  private CertificateAuthority(PkiDirectory directory, World world) {
    this.directory = directory;
    this.world = world;
  }

  /**
   * Creates an authority in a directory that has none.
   *
   * @param directory the directory, which is created unless it exists
   * @param trustDomain the first part of all ids, usually the name of the cluster; see {@link
   *     SpiffeId}
   * @param validity the time of the authority's certificate from now
   * @throws IllegalArgumentException if the trust domain is no name of one
   */
  public static CertificateAuthority create(
      Path directory, String trustDomain, Duration validity, World world) {
    SpiffeId domain = new SpiffeId(trustDomain, "");
    PkiDirectory files = new PkiDirectory(directory, world);
    if (files.hasAuthority()) {
      throw new PkiException(
          "%s has an authority already, which stays; to follow it by a new one: corfu cert init"
                  .formatted(directory)
              + " --add");
    }
    files.create();
    Authority unused =
        files.exclusively(
            () -> {
              TokenKeys.create(files);
              return addAuthority(files, domain.trustDomain(), validity, world);
            });
    return new CertificateAuthority(files, world);
  }

  /** Opens the authority of a directory. */
  public static CertificateAuthority open(Path directory, World world) {
    PkiDirectory files = new PkiDirectory(directory, world);
    if (!files.hasAuthority()) {
      throw new PkiException(
          "%s has no authority; create one: corfu cert init --dir %s"
              .formatted(directory, directory));
    }
    SecureFiles.checkSecret(directory);
    return new CertificateAuthority(files, world);
  }

  private static Authority addAuthority(
      PkiDirectory files, String trustDomain, Duration validity, World world) {
    Instant now = files.now();
    // The newest is the one that begins last, so none begins in the second of another one.
    Instant validFrom =
        files.authorities().stream()
            .map(one -> one.certificate().getNotBefore().toInstant().plusSeconds(1))
            .filter(other -> other.isAfter(now.minus(Authority.BACKDATED)))
            .findFirst()
            .orElse(now.minus(Authority.BACKDATED));
    Authority authority =
        Authority.create(trustDomain, validFrom, now.plus(validity), world.random());
    files.add(authority);
    files.publish(List.of());
    return authority;
  }

  /** Returns the name of the authority's trust domain, which is the first part of all ids. */
  public String trustDomain() {
    return directory.trustDomain();
  }

  /** Returns the file with the certificates of the authorities, which peers trust. */
  public Path caFile() {
    return directory.caFile();
  }

  /** Returns the file with the revocation lists of the authorities. */
  public Path crlFile() {
    return directory.crlFile();
  }

  /** Returns the file with the public keys of tokens. */
  public Path tokenKeysFile() {
    return directory.tokenKeysFile();
  }

  /** Returns the authorities that are valid, the newest first. */
  public List<CertificateInfo> authorities() {
    return directory.authorities().stream()
        .map(authority -> CertificateInfo.of(authority.certificate()))
        .toList();
  }

  /** Returns the newest certificate of each name, in the order of the names. */
  public List<IssuedCertificate> issued() {
    Set<BigInteger> revoked = directory.revoked();
    return directory.newestRecords().stream().map(one -> issued(one, revoked)).toList();
  }

  private static IssuedCertificate issued(IssuedRecord record, Set<BigInteger> revoked) {
    return record.issued(revoked.contains(record.certificate().getSerialNumber()));
  }

  private Authority newest() {
    List<Authority> authorities = directory.authorities();
    if (authorities.isEmpty()) {
      throw new PkiException(
          "%s has no authority with a key; restore its directory authorities from a backup"
              .formatted(directory.root()));
    }
    return authorities.getFirst();
  }

  /** Issues a server's certificate with usual values: see {@link CertificateRequest#server}. */
  public IssuedCertificate issueServer(String name, List<String> hosts) {
    return issue(CertificateRequest.server(name, hosts));
  }

  /** Issues a client's certificate with usual values. */
  public IssuedCertificate issueClient(String name) {
    return issue(CertificateRequest.client(name));
  }

  /** Issues an administrator's certificate with usual values. */
  public IssuedCertificate issueAdministrator(String name) {
    return issue(CertificateRequest.administrator(name));
  }

  /**
   * Issues a certificate, and writes it to a file.
   *
   * @throws PkiException also if the name has a certificate that is valid, or the file exists
   */
  public IssuedCertificate issue(CertificateRequest request) {
    return directory.exclusively(
        () -> {
          Authority authority = newest();
          checkId(request, authority);
          Optional<IssuedRecord> earlier = directory.newestRecord(request.name());
          earlier.ifPresent(this::checkReplaceable);
          Path folder = request.directory().orElse(directory.certificates()).toAbsolutePath();
          Path file = folder.normalize().resolve(request.name() + ".pem");
          if (SecureFiles.exists(file)
              && earlier.filter(record -> record.file().equals(file)).isEmpty()) {
            throw new PkiException(
                "%s exists, and is not overwritten; remove it, or name another directory"
                    .formatted(file));
          }
          if (file.toString().chars().anyMatch(Character::isISOControl)) {
            throw new PkiException(
                "the name of the directory for certificates has control characters");
          }
          SecureFiles.createDirectory(folder);
          return write(request, authority, file);
        });
  }

  private static void checkId(CertificateRequest request, Authority authority) {
    String domain = authority.trustDomain();
    request
        .id()
        .filter(id -> !id.trustDomain().equals(domain) || id.path().isEmpty())
        .ifPresent(
            id -> {
              throw new PkiException(
                  "this authority vouches for ids such as spiffe://%s/client/app, and not for %s"
                      .formatted(domain, id));
            });
  }

  private void checkReplaceable(IssuedRecord earlier) {
    boolean isValid =
        !earlier.info().hasEnded(directory.now())
            && !directory.revoked().contains(earlier.certificate().getSerialNumber());
    if (isValid) {
      throw new PkiException(
          "%s has a certificate until %s, in %s; renew it, or revoke it first"
              .formatted(earlier.name(), earlier.info().validTo(), earlier.file()));
    }
  }

  /** The record comes first: a crash may leave a record without file, which a renewal mends. */
  private IssuedCertificate write(CertificateRequest request, Authority authority, Path file) {
    Optional<PublicKey> theirs = request.signingRequest().map(SigningRequest::key);
    Optional<KeyPair> ours = theirs.isPresent() ? Optional.empty() : Optional.of(Keys.generate());
    PublicKey key = theirs.or(() -> ours.map(KeyPair::getPublic)).orElseThrow();
    X509Certificate certificate = authority.issue(request, key, directory.now(), world.random());
    IssuedRecord record =
        new IssuedRecord(
            directory.nextNumber(), request.name(), file, ours.isPresent(), certificate);
    directory.add(record);
    SecureFiles.replaceSecret(
        file,
        PkiDirectory.encode(certificate)
            + ours.map(pair -> Keys.encode(pair.getPrivate())).orElse(""));
    return record.issued(false);
  }

  /**
   * Replaces a name's certificate by one with the same names and the same time from now, signed by
   * the newest authority. Its key is a new one, unless the key has stayed with its owner. The file
   * is replaced as a whole; the earlier certificate remains valid until its end.
   */
  public IssuedCertificate renew(String name) {
    return renew(name, Optional.empty());
  }

  /** Renews a name's certificate as {@link #renew(String)}, for the key of a signing request. */
  public IssuedCertificate renew(String name, SigningRequest key) {
    return renew(name, Optional.of(key));
  }

  private IssuedCertificate renew(String name, Optional<SigningRequest> otherKey) {
    return directory.exclusively(
        () -> {
          IssuedRecord earlier =
              directory
                  .newestRecord(name)
                  .orElseThrow(
                      () ->
                          new PkiException(
                              "%s has issued no certificate for %s; see: corfu cert show --dir %s"
                                  .formatted(directory.root(), printable(name), directory.root())));
          if (directory.revoked().contains(earlier.certificate().getSerialNumber())) {
            throw new PkiException(
                "the certificate of %s was revoked, so it is not renewed; issue another one"
                    .formatted(name));
          }
          CertificateRequest request = earlier.renewal();
          if (otherKey.isPresent()) {
            request = request.withSigningRequest(otherKey.get());
          } else if (!earlier.hasKey()) {
            request =
                request.withSigningRequest(
                    new SigningRequest(earlier.certificate().getPublicKey()));
          }
          return write(request, newest(), earlier.file());
        });
  }

  private static String printable(String name) {
    return name.replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * Revokes all certificates of a name, or the one with a serial number.
   *
   * @param nameOrSerial a name, or a serial number in hexadecimal digits
   * @return the certificates that this call has revoked
   */
  public List<IssuedCertificate> revoke(String nameOrSerial) {
    String serial = nameOrSerial.toLowerCase(Locale.ROOT).replace(":", "");
    return directory.exclusively(
        () -> {
          List<Authority> authorities = directory.authorities();
          Set<BigInteger> before = directory.revoked();
          List<IssuedRecord> ofName =
              directory.records().stream().filter(one -> one.name().equals(nameOrSerial)).toList();
          List<IssuedRecord> named =
              ofName.isEmpty()
                  ? directory.records().stream()
                      .filter(one -> one.info().serial().equals(serial))
                      .toList()
                  : ofName;
          List<IssuedRecord> revoked =
              named.stream()
                  .filter(one -> !one.info().hasEnded(directory.now()))
                  .filter(one -> !before.contains(one.certificate().getSerialNumber()))
                  .filter(
                      one ->
                          authorities.stream()
                              .anyMatch(ca -> PkiDirectory.isIssuedBy(one.certificate(), ca)))
                  .toList();
          if (revoked.isEmpty()) {
            throw new PkiException(
                named.isEmpty()
                    ? "%s has issued no certificate with the name or serial number %s"
                        .formatted(directory.root(), printable(nameOrSerial))
                    : "all certificates of %s have ended or were revoked before"
                        .formatted(nameOrSerial));
          }
          directory.publish(revoked.stream().map(IssuedRecord::certificate).toList());
          return revoked.stream().map(one -> one.issued(true)).toList();
        });
  }

  /**
   * Adds an authority beside the present one. Peers that have the new {@link #caFile} trust both.
   * From now on the new one signs.
   *
   * @param validity the time of its certificate from now
   */
  public CertificateInfo addAuthority(Duration validity) {
    return directory.exclusively(
        () -> {
          int present = directory.authorities().size();
          if (present >= PkiDirectory.MAX_AUTHORITIES) {
            throw new PkiException(
                "%s has %d authorities; retire the older one first: corfu cert retire FINGERPRINT"
                    .formatted(directory.root(), present));
          }
          Authority added = addAuthority(directory, newest().trustDomain(), validity, world);
          return CertificateInfo.of(added.certificate());
        });
  }

  /**
   * Takes the older authority out of {@link #caFile}, and deletes its key.
   *
   * @param fingerprint the first digits of its fingerprint, at least 8
   * @param evenIfUsed whether to do it although certificates of names are still signed by it
   */
  public CertificateInfo retire(String fingerprint, boolean evenIfUsed) {
    String digits = fingerprint.toLowerCase(Locale.ROOT).replace(":", "");
    return directory.exclusively(
        () -> {
          List<Authority> authorities = directory.authorities();
          Authority retired =
              authorities.stream()
                  .filter(one -> digits.length() >= MIN_FINGERPRINT_DIGITS)
                  .filter(
                      one -> CertificateInfo.of(one.certificate()).fingerprint().startsWith(digits))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          new PkiException(
                              "%s has no authority whose fingerprint begins with %s; give 8 digits"
                                  .formatted(directory.root(), printable(fingerprint))));
          if (retired.equals(authorities.getFirst())) {
            throw new PkiException(
                "this is the authority that signs certificates; add another one before: corfu cert"
                    + " init --add");
          }
          if (!evenIfUsed) {
            checkUnused(retired);
          }
          directory.remove(retired);
          directory.publish(List.of());
          return CertificateInfo.of(retired.certificate());
        });
  }

  private void checkUnused(Authority retired) {
    Set<BigInteger> revoked = directory.revoked();
    List<String> users =
        directory.newestRecords().stream()
            .filter(one -> PkiDirectory.isIssuedBy(one.certificate(), retired))
            .filter(one -> !one.info().hasEnded(directory.now()))
            .filter(one -> !revoked.contains(one.certificate().getSerialNumber()))
            .map(IssuedRecord::name)
            .toList();
    if (!users.isEmpty()) {
      throw new PkiException(
          "certificates of this authority are in use: %s; renew them first: corfu cert renew --all"
              .formatted(
                  users.stream().limit(10).collect(joining(", "))
                      + (users.size() > 10 ? " and " + (users.size() - 10) + " more" : "")));
    }
  }

  /** Returns the certificates in a PEM file, in their order; other blocks are ignored. */
  public static List<CertificateInfo> inspect(Path file) {
    List<CertificateInfo> found =
        PkiDirectory.certificates(Pem.decode(SecureFiles.read(file), file.toString()), file)
            .stream()
            .map(CertificateInfo::of)
            .toList();
    if (found.isEmpty()) {
      throw new PkiException(file + " has no certificate in PEM format; name another file");
    }
    return found;
  }

  /** Reads a request in PKCS #10, and checks that its author holds the key. */
  public static SigningRequest readSigningRequest(Path file) {
    return SigningRequests.parse(SecureFiles.read(file), file.toString());
  }
}
