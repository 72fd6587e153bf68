package corfu.pki.internal.directory;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import corfu.pki.PkiException;
import corfu.pki.internal.file.DirectoryLock;
import corfu.pki.internal.file.Pem;
import corfu.pki.internal.file.SecureFiles;
import corfu.pki.internal.x509.Authority;
import corfu.pki.internal.x509.Keys;
import corfu.pki.internal.x509.RevocationList;
import corfu.world.World;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The files of an authority:
 *
 * <pre>
 *   ca.pem                 certificates of its authorities, the newest first: peers trust these
 *   crl.pem                a revocation list of each
 *   token-keys.pem         public keys of tokens, the newest first
 *   authorities/ID.pem     an authority's certificate and private key        secret
 *   retired/ID.pem         the certificate of an authority that was retired
 *   certificates/NAME.pem  a certificate, and behind it its private key      secret
 *   issued/SERIAL.pem      the record of each certificate that has not ended
 *   token-keys/ID.pem      a private key that signs tokens                   secret
 * </pre>
 *
 * <p>Only the first three leave the directory. They follow from the others. Not thread-safe.
 */
public final class PkiDirectory {

  /** Peers trust two at a time during a rotation. */
  public static final int MAX_AUTHORITIES = 2;

  private static final int MAX_RECORDS = 65_536;
  private static final String ENDING = ".pem";

  private final Path root;
  private final World world;

  public PkiDirectory(Path root, World world) {
    this.root = root;
    this.world = world;
  }

  public Path root() {
    return root;
  }

  public Path caFile() {
    return root.resolve("ca.pem");
  }

  public Path crlFile() {
    return root.resolve("crl.pem");
  }

  public Path tokenKeysFile() {
    return root.resolve("token-keys.pem");
  }

  public Path tokenKeyFile(String id) {
    return root.resolve("token-keys").resolve(id + ENDING);
  }

  public Path certificates() {
    return root.resolve("certificates");
  }

  private Path authoritiesDirectory() {
    return root.resolve("authorities");
  }

  private Path recordsDirectory() {
    return root.resolve("issued");
  }

  /** Returns the time by which certificates begin and end. */
  public Instant now() {
    return Instant.ofEpochMilli(world.wallTimeMillis());
  }

  /** Creates the directories that do not exist. */
  public void create() {
    SecureFiles.createDirectory(root);
    SecureFiles.checkSecret(root);
    for (String name : List.of("authorities", "retired", "certificates", "issued", "token-keys")) {
      SecureFiles.createDirectory(root.resolve(name));
    }
  }

  /** Returns whether an authority was created here. */
  public boolean hasAuthority() {
    return SecureFiles.exists(caFile())
        || !SecureFiles.list(authoritiesDirectory(), ENDING).isEmpty();
  }

  /**
   * Runs a change of the files while nobody else changes them. Completes a change before, which a
   * crash has interrupted.
   */
  public <T> T exclusively(Supplier<T> change) {
    SecureFiles.checkSecret(root);
    DirectoryLock lock = DirectoryLock.of(root);
    try {
      repair();
      return change.get();
    } finally {
      lock.close();
    }
  }

  private void repair() {
    List<Authority> authorities = authorities();
    boolean isCurrent =
        SecureFiles.exists(crlFile())
            && SecureFiles.exists(caFile())
            && SecureFiles.read(caFile()).equals(encode(authorities))
            && revocationLists(authorities).size() == authorities.size();
    if (!authorities.isEmpty() && !isCurrent) {
      publish(Set.of());
    }
  }

  /** Returns the authorities, the newest first. */
  public List<Authority> authorities() {
    return SecureFiles.list(authoritiesDirectory(), ENDING).stream()
        .map(PkiDirectory::authority)
        .sorted(
            Comparator.comparing((Authority one) -> one.certificate().getNotBefore()).reversed())
        .toList();
  }

  /** Returns the domain of the authorities, for which only their public file is needed. */
  public String trustDomain() {
    return certificates(Pem.decode(SecureFiles.read(caFile()), caFile().toString()), caFile())
        .stream()
        .findFirst()
        .map(Authority::trustDomain)
        .orElseThrow(
            () ->
                new PkiException(
                    caFile() + " has no certificate; restore it from a backup of its directory"));
  }

  private static Authority authority(Path file) {
    List<Pem.Block> blocks = Pem.decode(SecureFiles.readSecret(file), file.toString());
    List<X509Certificate> certificates = certificates(blocks, file);
    PrivateKey key = Keys.privateKey(blocks, file.toString());
    if (certificates.size() != 1 || !Keys.match(key, certificates.getFirst().getPublicKey())) {
      throw new PkiException(
          "the key in %s does not belong to its certificate; restore the file from a backup"
              .formatted(file));
    }
    return new Authority(certificates.getFirst(), key);
  }

  /** Returns the certificates among the blocks of a file. */
  public static List<X509Certificate> certificates(List<Pem.Block> blocks, Path file) {
    List<X509Certificate> found = new ArrayList<>();
    for (Pem.Block block : blocks) {
      if (block.label().equals(Pem.CERTIFICATE)) {
        try {
          found.add(Authority.parse(block.content()));
        } catch (CertificateException damaged) {
          throw new PkiException(
              "a certificate in %s is damaged; write the file again".formatted(file), damaged);
        }
      }
    }
    return found;
  }

  /** Adds an authority, without telling anybody: {@link #publish} does. */
  public void add(Authority authority) {
    SecureFiles.replaceSecret(
        fileOf("authorities", authority),
        encode(List.of(authority)) + Keys.encode(authority.key()));
  }

  /**
   * Forgets the key of an authority, and the records of certificates that it has revoked, because
   * its revocation list goes. Its own certificate stays in a file that no peer reads.
   */
  public void remove(Authority authority) {
    Set<BigInteger> revoked = revoked();
    for (IssuedRecord one : records()) {
      if (isIssuedBy(one.certificate(), authority)
          && revoked.contains(one.certificate().getSerialNumber())) {
        SecureFiles.delete(recordsDirectory().resolve(one.fileName()));
      }
    }
    SecureFiles.replacePublic(fileOf("retired", authority), encode(List.of(authority)));
    SecureFiles.delete(fileOf("authorities", authority));
  }

  private Path fileOf(String directory, Authority authority) {
    return root.resolve(directory)
        .resolve(Keys.shortId(authority.certificate().getPublicKey()) + ENDING);
  }

  private static String encode(List<Authority> authorities) {
    return authorities.stream()
        .map(authority -> encode(authority.certificate()))
        .collect(joining());
  }

  /** Returns a certificate in PEM format. */
  public static String encode(X509Certificate certificate) {
    try {
      return Pem.encode(Pem.CERTIFICATE, certificate.getEncoded());
    } catch (CertificateEncodingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Writes the files for peers. At no moment is there a list of an authority that is not trusted,
   * because servers refuse such a file: a new authority comes before its list, and goes after it.
   *
   * @param revoked certificates to revoke
   */
  public void publish(Collection<X509Certificate> revoked) {
    List<Authority> authorities = authorities();
    Instant now = now();
    Map<Authority, RevocationList> lists = revocationLists(authorities);
    Set<BigInteger> ended = forgetEnded(serials(lists), now);
    StringBuilder text = new StringBuilder();
    for (Authority authority : authorities) {
      Set<BigInteger> ofThis =
          revoked.stream()
              .filter(one -> isIssuedBy(one, authority))
              .map(X509Certificate::getSerialNumber)
              .collect(toSet());
      RevocationList list =
          lists.getOrDefault(authority, RevocationList.EMPTY).with(ofThis, ended, now);
      text.append(Pem.encode(Pem.REVOCATION_LIST, list.sign(authority, now)));
    }
    String trusted = encode(authorities);
    boolean shrinks =
        SecureFiles.exists(caFile()) && SecureFiles.read(caFile()).length() > trusted.length();
    if (!shrinks) {
      SecureFiles.replacePublic(caFile(), trusted);
    }
    SecureFiles.replacePublic(crlFile(), text.toString());
    if (shrinks) {
      SecureFiles.replacePublic(caFile(), trusted);
    }
  }

  /**
   * Deletes the records of revoked certificates that have ended, and returns their serial numbers.
   * Without a record, nobody renews a name whose revocation is no longer listed.
   */
  private Set<BigInteger> forgetEnded(Set<BigInteger> revoked, Instant now) {
    Set<BigInteger> ended = new HashSet<>();
    for (IssuedRecord one : records()) {
      BigInteger serial = one.certificate().getSerialNumber();
      if (revoked.contains(serial) && one.info().hasEnded(now)) {
        SecureFiles.delete(recordsDirectory().resolve(one.fileName()));
        ended.add(serial);
      }
    }
    return ended;
  }

  private Map<Authority, RevocationList> revocationLists(List<Authority> authorities) {
    if (!SecureFiles.exists(crlFile())) {
      return Map.of();
    }
    Map<Authority, RevocationList> lists = new HashMap<>();
    for (Pem.Block block : Pem.decode(SecureFiles.read(crlFile()), crlFile().toString())) {
      X509CRL list = RevocationList.parse(block.content(), crlFile().toString());
      authorities.stream()
          .filter(
              one ->
                  one.certificate().getSubjectX500Principal().equals(list.getIssuerX500Principal()))
          .forEach(one -> lists.put(one, RevocationList.of(list, one, crlFile().toString())));
    }
    return lists;
  }

  /** Returns the serial numbers of all revoked certificates. */
  public Set<BigInteger> revoked() {
    return serials(revocationLists(authorities()));
  }

  private static Set<BigInteger> serials(Map<Authority, RevocationList> lists) {
    Set<BigInteger> all = new HashSet<>();
    lists.values().forEach(list -> all.addAll(list.revoked().keySet()));
    return all;
  }

  /** Returns whether the authority has issued the certificate. */
  public static boolean isIssuedBy(X509Certificate certificate, Authority authority) {
    return certificate
        .getIssuerX500Principal()
        .equals(authority.certificate().getSubjectX500Principal());
  }

  /** Returns all records of certificates, in the order in which these were issued. */
  public List<IssuedRecord> records() {
    return SecureFiles.list(recordsDirectory(), ENDING).stream()
        .map(file -> IssuedRecord.decode(SecureFiles.read(file), file.toString()))
        .sorted(Comparator.comparingLong(IssuedRecord::number))
        .toList();
  }

  /** Returns the newest record of each name, in the order of the names. */
  public List<IssuedRecord> newestRecords() {
    Map<String, IssuedRecord> newest = new HashMap<>();
    records().forEach(one -> newest.put(one.name(), one));
    return newest.values().stream().sorted(Comparator.comparing(IssuedRecord::name)).toList();
  }

  /** Returns the newest record of a name. */
  public Optional<IssuedRecord> newestRecord(String name) {
    return newestRecords().stream().filter(one -> one.name().equals(name)).findFirst();
  }

  /** Adds a record, and forgets those of certificates that have ended and were followed. */
  public void add(IssuedRecord record) {
    List<IssuedRecord> all = records();
    if (all.size() >= MAX_RECORDS) {
      throw new PkiException(
          "%s has %d certificates that have not ended, and takes no more; use another directory"
              .formatted(root, all.size()));
    }
    Set<IssuedRecord> newest = new HashSet<>(newestRecords());
    Set<BigInteger> revoked = revoked();
    SecureFiles.replacePublic(recordsDirectory().resolve(record.fileName()), record.encode());
    for (IssuedRecord old : all) {
      boolean isNeeded =
          !old.info().hasEnded(now())
              || revoked.contains(old.certificate().getSerialNumber())
              || (newest.contains(old) && !old.name().equals(record.name()));
      if (!isNeeded) {
        SecureFiles.delete(recordsDirectory().resolve(old.fileName()));
      }
    }
  }

  /** Returns the number of the next record. */
  public long nextNumber() {
    List<IssuedRecord> all = records();
    return all.isEmpty() ? 1 : all.getLast().number() + 1;
  }
}
