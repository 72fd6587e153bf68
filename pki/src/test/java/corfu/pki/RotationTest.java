package corfu.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.pki.internal.x509.Keys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathValidatorException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Renewals, revocations, and one authority that follows another. */
class RotationTest {

  @TempDir Path temporary;
  private final FixedWorld world = new FixedWorld();
  private Path directory;
  private CertificateAuthority authority;

  @BeforeEach
  void create() {
    directory = temporary.resolve("pki");
    authority = CertificateAuthority.create(directory, "prod", Duration.ofDays(400), world);
  }

  @Test
  void aReaderOfTheFileNeverFindsAKeyOfAnotherCertificate() throws Exception {
    Path file = authority.issueClient("app").file();
    var ended = new AtomicBoolean();
    var reads = new AtomicInteger();
    var mismatch = new AtomicReference<Throwable>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!ended.get()) {
                      Path copy = temporary.resolve("copy.pem");
                      Files.write(copy, Files.readAllBytes(file));
                      assertThat(
                              Keys.match(
                                  Peers.key(copy),
                                  Peers.certificates(copy).getFirst().getPublicKey()))
                          .isTrue();
                      reads.incrementAndGet();
                    }
                  } catch (Throwable wrong) {
                    mismatch.set(wrong);
                  }
                });
    try {
      for (int i = 0; i < 20 || reads.get() < 20 && mismatch.get() == null; i++) {
        authority.renew("app");
      }
    } finally {
      ended.set(true);
      reader.join();
    }
    assertThat(mismatch.get()).isNull();
  }

  @Test
  void oneAuthorityFollowsAnotherWithoutAMomentOfRefusal() throws Exception {
    IssuedCertificate old = authority.issueServer("n1", List.of("localhost"));
    String oldFingerprint = authority.authorities().getFirst().fingerprint();
    var oldCertificate = Peers.certificates(old.file()).getFirst();

    CertificateInfo added = authority.addAuthority(Duration.ofDays(3650));
    assertThat(authority.authorities())
        .extracting(CertificateInfo::fingerprint)
        .containsExactly(added.fingerprint(), oldFingerprint);
    assertThat(authority.trustDomain()).isEqualTo("prod");
    Peers.check(authority, old, world.now());

    assertThatThrownBy(() -> authority.retire(oldFingerprint, false))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("n1");
    IssuedCertificate renewed = authority.renew("n1");
    assertThat(renewed.info().issuer()).isEqualTo(added.subject());
    Peers.check(authority, renewed, world.now());
    Peers.check(oldCertificate, authority.caFile(), authority.crlFile(), world.now());

    assertThat(authority.retire(oldFingerprint.substring(0, 8), false).fingerprint())
        .isEqualTo(oldFingerprint);
    Peers.check(authority, renewed, world.now());
    assertThatExceptionOfType(CertPathValidatorException.class)
        .isThrownBy(
            () ->
                Peers.check(oldCertificate, authority.caFile(), authority.crlFile(), world.now()));
    assertThat(directory.resolve("authorities")).isDirectoryContaining("glob:**.pem");
    assertThat(directory.resolve("authorities").toFile().list()).hasSize(1);
  }

  @Test
  void atMostTwoAuthoritiesAreValid() {
    authority.addAuthority(Duration.ofDays(400));

    assertThatThrownBy(() -> authority.addAuthority(Duration.ofDays(400)))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("retire");
  }

  @Test
  void theNewestAuthorityIsNotRetired() {
    String newest = authority.authorities().getFirst().fingerprint();

    assertThatThrownBy(() -> authority.retire(newest, true)).isInstanceOf(PkiException.class);
    assertThatThrownBy(() -> authority.retire("", true)).isInstanceOf(PkiException.class);
    assertThatThrownBy(() -> authority.retire(newest.substring(0, 7), true))
        .isInstanceOf(PkiException.class);
    assertThat(authority.authorities()).hasSize(1);
  }

  @Test
  void aNewAuthorityServesWhatTheOldOneCouldNotOutlive() {
    world.pass(Duration.ofDays(350));
    assertThatThrownBy(() -> authority.issueClient("app"))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("--add");

    authority.addAuthority(Duration.ofDays(3650));
    assertThat(authority.issueClient("app").info().daysLeft(world.now())).isEqualTo(90);
  }

  @Test
  void peersRefuseARevokedCertificateAndNoOther() throws Exception {
    IssuedCertificate app = authority.issueClient("app");
    IssuedCertificate other = authority.issueClient("other");

    assertThat(authority.revoke("app")).extracting(IssuedCertificate::name).containsExactly("app");
    assertThatExceptionOfType(CertPathValidatorException.class)
        .isThrownBy(() -> Peers.check(authority, app, world.now()))
        .withMessageContaining("revoked");
    Peers.check(authority, other, world.now());
    assertThat(authority.issued())
        .extracting(IssuedCertificate::isRevoked)
        .containsExactly(true, false);
    assertThatThrownBy(() -> authority.renew("app")).isInstanceOf(PkiException.class);
    assertThatThrownBy(() -> authority.revoke("app")).isInstanceOf(PkiException.class);
    assertThatThrownBy(() -> authority.revoke("nobody")).isInstanceOf(PkiException.class);
    Peers.check(authority, authority.issueClient("app"), world.now());
  }

  @Test
  void aNameIsRevokedWithItsEarlierCertificates() throws Exception {
    var first = Peers.certificates(authority.issueClient("app").file()).getFirst();
    authority.renew("app");

    assertThat(authority.revoke("app")).hasSize(2);
    assertThatExceptionOfType(CertPathValidatorException.class)
        .isThrownBy(() -> Peers.check(first, authority.caFile(), authority.crlFile(), world.now()));
  }

  @Test
  void oneCertificateIsRevokedByItsSerialNumber() throws Exception {
    IssuedCertificate first = authority.issueClient("app");
    IssuedCertificate second = authority.renew("app");

    assertThat(authority.revoke(first.info().serial().toUpperCase(java.util.Locale.ROOT)))
        .hasSize(1);
    Peers.check(authority, second, world.now());
  }

  @Test
  void revocationsOutlastARotationAndGoWhenTheCertificateHasEnded() throws Exception {
    var revoked = Peers.certificates(authority.issueClient("app").file()).getFirst();
    authority.revoke("app");
    authority.addAuthority(Duration.ofDays(3650));
    assertThatExceptionOfType(CertPathValidatorException.class)
        .isThrownBy(
            () -> Peers.check(revoked, authority.caFile(), authority.crlFile(), world.now()));

    long before = Files.size(authority.crlFile());
    world.pass(Duration.ofDays(100));
    authority.issueClient("b");
    authority.revoke("b");
    authority.issueClient("c");
    assertThat(Files.size(authority.crlFile())).isLessThanOrEqualTo(before + 100);
    assertThat(authority.issued()).extracting(IssuedCertificate::name).containsExactly("b", "c");
  }

  @Test
  void aRevokedNameIsNeverRenewed() {
    authority.issueClient("ended");
    authority.issueClient("retired");
    authority.revoke("ended");
    world.pass(Duration.ofDays(100));
    authority.issueClient("other");
    authority.revoke("other");
    assertThatThrownBy(() -> authority.renew("ended")).isInstanceOf(PkiException.class);

    authority.renew("retired");
    authority.revoke("retired");
    String old = authority.authorities().getFirst().fingerprint();
    authority.addAuthority(Duration.ofDays(3650));
    authority.retire(old, false);
    assertThatThrownBy(() -> authority.renew("retired")).isInstanceOf(PkiException.class);
    assertThatThrownBy(() -> authority.renew("other")).isInstanceOf(PkiException.class);
    assertThat(authority.issued()).isEmpty();
  }

  @Test
  void aRevocationListThatTheAuthorityHasNotSignedIsNotUsed() throws Exception {
    authority.issueClient("app");
    char[] forged = Files.readString(authority.crlFile()).toCharArray();
    int at = forged.length - 60; // within the signature
    forged[at] = forged[at] == 'A' ? 'B' : 'A';
    Files.writeString(authority.crlFile(), new String(forged));

    assertThatThrownBy(() -> authority.revoke("app"))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("crl.pem");
  }
}
