package corfu.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.pki.internal.file.DirectoryLock;
import corfu.pki.internal.x509.Keys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertPathValidatorException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An authority's certificates, and the requests that it refuses. */
class CertificateAuthorityTest {

  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

  @TempDir Path temporary;
  private final FixedWorld world = new FixedWorld();
  private Path directory;
  private CertificateAuthority authority;

  @BeforeEach
  void create() {
    directory = temporary.resolve("pki");
    authority =
        CertificateAuthority.create(
            directory, "prod", CertificateAuthority.DEFAULT_VALIDITY, world);
  }

  private X509Certificate certificateOf(IssuedCertificate issued) {
    return Peers.certificates(issued.file()).getFirst();
  }

  private String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void anAuthoritySignsLeavesOnly() {
    X509Certificate ca = Peers.certificates(authority.caFile()).getFirst();

    assertThat(ca.getBasicConstraints()).as("path length").isZero();
    assertThat(ca.getCriticalExtensionOIDs()).contains("2.5.29.19", "2.5.29.15");
    assertThat(ca.getKeyUsage())
        .containsExactly(false, false, false, false, false, true, true, false, false);
    assertThat(authority.authorities().getFirst().id()).contains(SpiffeId.parse("spiffe://prod"));
    assertThat(authority.authorities().getFirst().daysLeft(world.now())).isEqualTo(3650);
  }

  @Test
  void aServerIsAlsoAClientAndHasItsHosts() throws Exception {
    IssuedCertificate server =
        authority.issueServer("n1", List.of("n1.example.org", "localhost", "10.0.0.1", "::1"));
    X509Certificate certificate = certificateOf(server);

    assertThat(server.file()).isEqualTo(directory.resolve("certificates/n1.pem"));
    assertThat(server.info().id()).contains(SpiffeId.parse("spiffe://prod/server/n1"));
    assertThat(server.info().hosts())
        .containsExactly("n1.example.org", "localhost", "10.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(server.info().subject()).isEqualTo("CN=n1");
    assertThat(certificate.getExtendedKeyUsage()).containsExactly(SERVER_AUTH, CLIENT_AUTH);
    assertThat(certificate.getBasicConstraints()).isNegative();
    assertThat(Keys.match(Peers.key(server.file()), certificate.getPublicKey())).isTrue();
    assertThat(server.info().daysLeft(world.now())).isEqualTo(90);
    Peers.check(authority, server, world.now());
  }

  @Test
  void clientsAndAdministratorsAreClientsOnly() throws Exception {
    IssuedCertificate client = authority.issueClient("app");
    IssuedCertificate administrator = authority.issueAdministrator("ops");

    assertThat(client.info().id()).contains(SpiffeId.parse("spiffe://prod/client/app"));
    assertThat(administrator.info().id()).contains(SpiffeId.parse("spiffe://prod/admin/ops"));
    assertThat(certificateOf(client).getExtendedKeyUsage()).containsExactly(CLIENT_AUTH);
    assertThat(certificateOf(administrator).getExtendedKeyUsage()).containsExactly(CLIENT_AUTH);
  }

  @Test
  void secretsBelongToTheirOwner() throws Exception {
    Path file = authority.issueClient("app").file();

    assertThat(permissions(directory)).isEqualTo("rwx------");
    assertThat(permissions(file)).isEqualTo("rw-------");
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path one : all.filter(Files::isRegularFile).toList()) {
        if (Files.readString(one).contains("PRIVATE KEY")) {
          assertThat(permissions(one)).as(one.toString()).isEqualTo("rw-------");
        }
      }
    }
    assertThat(permissions(authority.caFile())).isEqualTo("rw-r--r--");
    assertThat(Files.readString(authority.caFile())).doesNotContain("PRIVATE");
  }

  @Test
  void keysThatOthersMayReadAreNotUsed() throws Exception {
    Path key;
    try (Stream<Path> keys = Files.list(directory.resolve("authorities"))) {
      key = keys.findFirst().orElseThrow();
    }
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> authority.issueClient("app"))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("chmod 600 " + key);

    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThatThrownBy(() -> CertificateAuthority.open(directory, world))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("chmod 700 " + directory);
  }

  @Test
  void anAuthorityIsNotOverwritten() throws Exception {
    String before = Files.readString(authority.caFile());

    assertThatThrownBy(
            () -> CertificateAuthority.create(directory, "prod", Duration.ofDays(1), world))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("--add");
    assertThat(Files.readString(authority.caFile())).isEqualTo(before);
  }

  @Test
  void aDirectoryThatOthersMayEnterGetsNoAuthority() throws Exception {
    Path open = Files.createDirectory(temporary.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThatThrownBy(() -> CertificateAuthority.create(open, "prod", Duration.ofDays(9), world))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("chmod 700");
    assertThat(open).isEmptyDirectory();
  }

  @Test
  void aNameHasOneValidCertificate() {
    authority.issueClient("app");

    assertThatThrownBy(() -> authority.issueServer("app", List.of("localhost")))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("app")
        .hasMessageContaining("renew");
  }

  @Test
  void aFileOfSomebodyElseIsNotOverwritten() throws Exception {
    Path theirs = Files.writeString(temporary.resolve("app.pem"), "theirs");

    assertThatThrownBy(
            () -> authority.issue(CertificateRequest.client("app").withDirectory(temporary)))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("exists");
    assertThat(theirs).hasContent("theirs");
    assertThat(authority.issued()).isEmpty();
  }

  @Test
  void aCertificateGoesWhereItIsWantedAndIsRenewedThere() {
    Path wanted = temporary.resolve("n1");
    IssuedCertificate first =
        authority.issue(CertificateRequest.client("app").withDirectory(wanted));
    world.pass(Duration.ofDays(60));
    IssuedCertificate second = authority.renew("app");

    assertThat(first.file()).isEqualTo(wanted.resolve("app.pem"));
    assertThat(second.file()).isEqualTo(first.file());
    assertThat(second.info().serial()).isNotEqualTo(first.info().serial());
    assertThat(second.info().daysLeft(world.now())).isEqualTo(90);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "../n1",
        "a/b",
        "/etc/passwd",
        "a\\b",
        "a b",
        "-a",
        ".a",
        "a\nb",
        "a\0b",
        "a,CN=admin",
        "é",
        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff12345"
      })
  void aNameIsNoPath(String name) {
    assertThatThrownBy(() -> CertificateRequest.client(name))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a b", "*.org", "a..b", "-a", "a-", "1.2.3", "1.2.3.4.5", ":", "g::1", "a_b"})
  void aHostIsAName(String host) {
    assertThatThrownBy(() -> CertificateRequest.server("n1", List.of(host)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aServerHasAHostAndNotTooMany() {
    assertThatThrownBy(() -> CertificateRequest.server("n1", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("n1");
    List<String> many = Stream.generate(() -> "a").limit(65).toList();
    assertThatThrownBy(() -> CertificateRequest.server("n1", many))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spiffe://other/client/app", "spiffe://prod"})
  void anIdOutsideOfTheTrustDomainIsRefused(String id) {
    var request = CertificateRequest.client("app").withId(SpiffeId.parse(id));

    assertThatThrownBy(() -> authority.issue(request))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("spiffe://prod/");
  }

  @Test
  void anIdOfOnesOwnIsKeptByRenewals() {
    SpiffeId id = SpiffeId.parse("spiffe://prod/ns/shop/sa/orders");
    authority.issue(CertificateRequest.client("app").withId(id));

    assertThat(authority.renew("app").info().id()).contains(id);
  }

  @Test
  void aCertificateDoesNotOutliveItsAuthority() {
    assertThatThrownBy(
            () ->
                authority.issue(
                    CertificateRequest.client("app").withValidity(Duration.ofDays(3651))))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("fewer days");
    assertThat(authority.issued()).isEmpty();
  }

  @Test
  void anEndedCertificateIsRefusedByPeersAndCanBeRenewed() throws Exception {
    IssuedCertificate first = authority.issueClient("app");
    world.pass(Duration.ofDays(91));

    assertThatExceptionOfType(CertPathValidatorException.class)
        .isThrownBy(() -> Peers.check(authority, first, world.now()));
    Peers.check(authority, authority.renew("app"), world.now());
  }

  @Test
  void aCertificateIsValidForPeersWhoseClocksAreSlow() throws Exception {
    IssuedCertificate issued = authority.issueClient("app");

    Peers.check(authority, issued, world.now().minusSeconds(299));
    assertThatExceptionOfType(CertPathValidatorException.class)
        .isThrownBy(() -> Peers.check(authority, issued, world.now().minusSeconds(301)));
  }

  @Test
  void peersOfAnotherAuthorityRefuseTheCertificate() {
    CertificateAuthority other =
        CertificateAuthority.create(
            temporary.resolve("other"), "prod", Duration.ofDays(100), world);
    X509Certificate certificate = certificateOf(authority.issueClient("app"));

    assertThatExceptionOfType(CertPathValidatorException.class)
        .isThrownBy(() -> Peers.check(certificate, other.caFile(), other.crlFile(), world.now()));
  }

  @Test
  void recordsOfEndedCertificatesGo() throws Exception {
    authority.issueClient("app");
    for (int i = 0; i < 5; i++) {
      world.pass(Duration.ofDays(60));
      authority.renew("app");
    }

    try (Stream<Path> records = Files.list(directory.resolve("issued"))) {
      assertThat(records).hasSize(2);
    }
  }

  @Test
  void twoCommandsDoNotChangeTheDirectoryTogether() {
    DirectoryLock other = DirectoryLock.of(directory);
    assertThatThrownBy(() -> authority.issueClient("app"))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("another command");
    other.close();
    assertThatCode(() -> authority.issueClient("app")).doesNotThrowAnyException();
  }

  @Test
  void theNextChangeCompletesOneThatACrashHasInterrupted() throws Exception {
    String ca = Files.readString(authority.caFile());
    Files.delete(authority.caFile());
    Files.writeString(directory.resolve("certificates/.app.pem.new"), "cut");

    Peers.check(authority, authority.issueClient("app"), world.now());
    assertThat(authority.caFile()).hasContent(ca);
  }

  @Test
  void theNextChangeAddsTheListOfANewAuthorityThatACrashHasLeftOut() throws Exception {
    String lists = Files.readString(authority.crlFile());
    authority.addAuthority(Duration.ofDays(400));
    Files.writeString(authority.crlFile(), lists);

    Peers.check(authority, authority.issueClient("app"), world.now());
  }

  @Test
  void aRecordWithoutItsFileIsMendedByARenewal() throws Exception {
    IssuedCertificate issued = authority.issueClient("app");
    Files.delete(issued.file());

    Peers.check(authority, authority.renew("app"), world.now());
  }

  @Test
  void anUnknownNameIsNotRenewed() {
    assertThatThrownBy(() -> authority.renew("nobody"))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("nobody");
  }
}
