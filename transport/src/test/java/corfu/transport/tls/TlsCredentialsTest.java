package corfu.transport.tls;

import static corfu.transport.tls.TestAuthority.future;
import static corfu.transport.tls.TestAuthority.past;
import static corfu.transport.tls.TestAuthority.pem;
import static corfu.transport.tls.TestAuthority.replace;
import static corfu.transport.tls.TestAuthority.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Identity;
import corfu.transport.tls.TestAuthority.Issued;
import corfu.transport.tls.TestAuthority.Wish;
import corfu.world.RealWorld;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of certificates, keys and authorities: right ones, and the errors of wrong ones. */
class TlsCredentialsTest {

  private final RealWorld world = new RealWorld();
  private final TestAuthority authority = new TestAuthority("root");

  @TempDir private Path directory;

  @AfterEach
  void close() {
    world.close();
  }

  private TlsStatus statusOf(TlsOptions options) {
    try (TlsCredentials credentials = TlsCredentials.open(world, options)) {
      return credentials.status();
    }
  }

  private TlsOptions of(Issued own) {
    return write(directory, "own", own, authority.certificate());
  }

  private void assertRefused(TlsOptions options, String... parts) {
    assertThatThrownBy(() -> statusOf(options))
        .isInstanceOf(TlsException.class)
        .message()
        .contains(parts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void keysOfTheUsualAlgorithmsAreRead(String algorithm) {
    var end = future(1).truncatedTo(ChronoUnit.SECONDS);
    Issued own = authority.issue(Wish.named("orders").by(algorithm).valid(past(1), end));

    TlsStatus status = statusOf(of(own).withEngine(TlsEngine.JDK));

    assertThat(status.identity()).contains(new Identity("orders"));
    assertThat(status.notAfter()).contains(end);
    assertThat(status.fingerprint().orElseThrow()).matches("[0-9a-f]{64}");
    assertThat(status.authoritiesNotAfter())
        .contains(authority.certificate().getNotAfter().toInstant());
    assertThat(status.engine()).startsWith("JDK");
    assertThat(status.loads()).isEqualTo(1);
    assertThat(status.problem()).isEmpty();
  }

  @Test
  void theNativeEngineIsUsedWhereItsLibraryIs() {
    assertThat(statusOf(of(authority.issue(Wish.named("orders")))).engine()).contains("BoringSSL");
  }

  @Test
  void withoutTlsNothingIsRead() {
    assertThat(statusOf(TlsOptions.OFF).engine()).isEqualTo("none");
    assertThat(TlsCredentials.off().mode()).isEqualTo(TlsMode.OFF);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw-rw-rw-", "rw--w----"})
  void aKeyThatOthersMayUseIsRefused(String permissions) throws Exception {
    TlsOptions options = of(authority.issue(Wish.named("orders")));
    Path key = options.key().orElseThrow();
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));

    assertRefused(options, key.toString(), "has mode 06", "chmod 600 " + key);
  }

  @Test
  void aKeyThatOnlyItsOwnerMayReadIsAccepted() throws Exception {
    TlsOptions options = of(authority.issue(Wish.named("orders")));
    Files.setPosixFilePermissions(
        options.key().orElseThrow(), PosixFilePermissions.fromString("r--------"));

    assertThat(statusOf(options).identity()).isPresent();
  }

  @Test
  void aKeyOfAnotherCertificateIsRefused() {
    TlsOptions options = of(authority.issue(Wish.named("orders")));
    TestAuthority.writeKey(
        options.key().orElseThrow(), authority.issue(Wish.named("other").by("RSA")).key());

    assertRefused(options, "own.key", "is not that of the first certificate in", "own.crt");
  }

  @Test
  void aKeyOfAnotherAlgorithmIsRefused() {
    assertRefused(of(authority.issue(Wish.named("orders").by("Ed25519"))), "own.key", "[EC, RSA]");
  }

  @Test
  void missingFilesAreNamed() throws Exception {
    TlsOptions options = of(authority.issue(Wish.named("orders")));
    Files.delete(options.key().orElseThrow());
    assertRefused(options, "own.key", "the private key", "does not exist");
    Files.delete(options.authorities().getFirst());
    assertRefused(options, "own-ca.crt", "the trusted authorities", "does not exist");
  }

  @Test
  void filesWithoutTheExpectedSectionAreNamedAndNeverQuoted() {
    TlsOptions options = of(authority.issue(Wish.named("orders")));
    Path key = options.key().orElseThrow();
    replace(key, "secret words");
    assertThatThrownBy(() -> statusOf(options))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("has no section BEGIN PRIVATE KEY")
        .hasMessageNotContaining("secret");
    replace(key, pem("EC PRIVATE KEY", new byte[] {1, 2, 3}));
    assertRefused(options, "openssl pkcs8 -topk8 -nocrypt -in " + key);
    replace(key, pem("ENCRYPTED PRIVATE KEY", new byte[] {1, 2, 3}));
    assertRefused(options, "has a key with a password");
    replace(options.authorities().getFirst(), "nothing");
    assertRefused(options, "has no section BEGIN CERTIFICATE");
  }

  @Test
  void aCertificateThatIsNotValidNowIsRefused() {
    assertRefused(
        of(authority.issue(Wish.named("orders").valid(past(3), past(1)))), "expired on", "renew");
    assertRefused(
        of(authority.issue(Wish.named("orders").valid(future(1), future(2)))),
        "not valid before",
        "clock");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spiffe://prod/orders", "prod/orders", "a*", "Anonymous"})
  void aCommonNameThatLooksLikeAnotherIdentityIsRefused(String name) {
    assertRefused(of(authority.issue(Wish.named(name))), "proves no identity");
  }

  @Test
  void aCertificateWithSeveralSpiffeIdsIsRefused() {
    assertRefused(
        of(authority.issue(Wish.named("x").spiffe("spiffe://a/b").spiffe("spiffe://a/c"))),
        "has no proper SPIFFE id");
    assertRefused(
        of(
            authority.issue(
                Wish.named("x")
                    .with(GeneralName.uniformResourceIdentifier, "https://a/b")
                    .spiffe("spiffe://a/c"))),
        "has no proper SPIFFE id");
    assertRefused(
        of(authority.issue(Wish.named("x").spiffe("SPIFFE://a/b"))), "has no proper SPIFFE id");
  }

  @Test
  void hostsAreComparedAsDnsNamesOrAddresses() throws Exception {
    var certificate =
        authority
            .issue(
                Wish.named("www.cn.org")
                    .with(GeneralName.dNSName, "Log1.example.org")
                    .with(GeneralName.dNSName, "*.pool.example.org")
                    .with(GeneralName.iPAddress, "10.0.0.7")
                    .with(GeneralName.iPAddress, "fd00::7"))
            .certificate();

    for (String host :
        List.of(
            "log1.example.org", "log1.EXAMPLE.org.", "a.pool.example.org", "10.0.0.7", "fd00::7")) {
      assertThat(CertificateNames.isOf(host, certificate)).as(host).isTrue();
    }
    for (String host :
        List.of(
            "example.org",
            "www.cn.org",
            "pool.example.org",
            "a.b.pool.example.org",
            ".pool.example.org",
            "10.0.0.8",
            "fd00::8",
            "log1.example.org.evil.org")) {
      assertThat(CertificateNames.isOf(host, certificate)).as(host).isFalse();
    }
  }

  @Test
  void revocationsMayBeSerialNumbersOrListsOfTrustedAuthorities() {
    TlsOptions options = of(authority.issue(Wish.named("orders")));
    Path file = replace(directory.resolve("revoked"), "# stolen\n0A:1b:2C\n\nff # lost\n");
    assertThat(Revocations.read(Optional.of(file), List.of()).serials()).hasSize(2);

    replace(file, "no number\n");
    assertRefused(options.withRevocations(file), "revoked", "no number", "hexadecimal");
    replace(file, new TestAuthority("root").revoking(authority.certificate()));
    assertRefused(options.withRevocations(file), "which no trusted authority has signed");
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> TlsOptions.OFF.withMode(TlsMode.REQUIRED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("trusted authorities");
    assertThatThrownBy(() -> of(authority.issue(Wish.named("a"))).withTrustDomain("a/b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a/b");
  }

  @Test
  void aClientWithoutACertificateIsNoServer() {
    TlsOptions options = of(authority.issue(Wish.named("orders")));
    try (TlsCredentials credentials =
        TlsCredentials.open(
            world, TlsOptions.withoutCertificate(options.authorities().getFirst()))) {
      assertThat(credentials.identity()).isEqualTo(Identity.ANONYMOUS);
      assertThatThrownBy(credentials::checkForServer).isInstanceOf(TlsException.class);
    }
  }

  /** The same error for every damage: nothing else escapes, and nothing of the key is told. */
  @Test
  void damagedFilesAreRefusedWhateverTheDamage() throws Exception {
    Issued own = authority.issue(Wish.named("orders"));
    TlsOptions options = of(own).withEngine(TlsEngine.JDK);
    List<Path> files =
        List.of(
            options.certificate().orElseThrow(),
            options.key().orElseThrow(),
            options.authorities().getFirst());
    String secret = Base64.getEncoder().encodeToString(own.key().getEncoded()).substring(40, 60);
    Random random = new Random(5);
    for (int i = 0; i < 600; i++) {
      Path file = files.get(i % files.size());
      String whole = Files.readString(file);
      byte[] damaged = whole.getBytes(StandardCharsets.ISO_8859_1);
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(128);
      }
      replace(file, new String(damaged, StandardCharsets.ISO_8859_1));
      try {
        statusOf(options);
      } catch (TlsException refused) {
        assertThat(refused.getMessage()).doesNotContain(secret);
      }
      replace(file, whole);
    }
    assertThat(statusOf(options).identity()).contains(new Identity("orders"));
  }
}
