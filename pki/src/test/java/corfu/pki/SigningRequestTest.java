package corfu.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.pki.internal.file.Pem;
import corfu.pki.internal.x509.Keys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates for keys that never leave their owners. */
class SigningRequestTest {

  @TempDir Path temporary;
  private final FixedWorld world = new FixedWorld();
  private CertificateAuthority authority;

  @BeforeEach
  void create() {
    authority =
        CertificateAuthority.create(temporary.resolve("pki"), "prod", Duration.ofDays(400), world);
  }

  private Path request(KeyPair subject, KeyPair signer, String algorithm) throws Exception {
    byte[] bytes =
        new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=admin"), subject.getPublic())
            .build(new JcaContentSignerBuilder(algorithm).build(signer.getPrivate()))
            .getEncoded();
    return Files.writeString(
        temporary.resolve("request.pem"), Pem.encode(Pem.SIGNING_REQUEST, bytes));
  }

  private static KeyPair rsa(int bits) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(bits);
    return generator.generateKeyPair();
  }

  @Test
  void theKeyStaysWithItsOwnerAndTheNamesAreTheAuthoritys() throws Exception {
    KeyPair pair = Keys.generate();
    SigningRequest request =
        CertificateAuthority.readSigningRequest(request(pair, pair, "SHA256withECDSA"));
    IssuedCertificate issued =
        authority.issue(CertificateRequest.client("app").withSigningRequest(request));

    assertThat(issued.hasKey()).isFalse();
    assertThat(Files.readString(issued.file())).doesNotContain("PRIVATE");
    assertThat(issued.info().subject()).isEqualTo("CN=app");
    assertThat(Peers.certificates(issued.file()).getFirst().getPublicKey())
        .isEqualTo(pair.getPublic());
    Peers.check(authority, issued, world.now());
  }

  @Test
  void aRenewalIsForTheSameKeyOrForThatOfANewRequest() throws Exception {
    KeyPair first = Keys.generate();
    KeyPair second = rsa(2048);
    authority.issue(
        CertificateRequest.client("app")
            .withSigningRequest(
                CertificateAuthority.readSigningRequest(request(first, first, "SHA256withECDSA"))));

    assertThat(Peers.certificates(authority.renew("app").file()).getFirst().getPublicKey())
        .isEqualTo(first.getPublic());
    SigningRequest other =
        CertificateAuthority.readSigningRequest(request(second, second, "SHA256withRSA"));
    assertThat(Peers.certificates(authority.renew("app", other).file()).getFirst().getPublicKey())
        .isEqualTo(second.getPublic());
  }

  @Test
  void aKeyThatItsAuthorDoesNotHoldIsNotCertified() throws Exception {
    Path stolen = request(Keys.generate(), Keys.generate(), "SHA256withECDSA");

    assertThatThrownBy(() -> CertificateAuthority.readSigningRequest(stolen))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("its own key");
  }

  @Test
  void aWeakKeyIsNotCertified() throws Exception {
    KeyPair weak = rsa(1024);
    Path request = request(weak, weak, "SHA256withRSA");

    assertThatThrownBy(() -> CertificateAuthority.readSigningRequest(request))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("2,048");
  }

  @Test
  void garbageIsNoRequest() throws Exception {
    KeyPair pair = Keys.generate();
    String right = Files.readString(request(pair, pair, "SHA256withECDSA"));
    Path file = temporary.resolve("garbage.pem");
    for (int length = 0; length < right.length() - 1; length += 7) {
      Files.writeString(file, right.substring(0, length));
      assertThatThrownBy(() -> CertificateAuthority.readSigningRequest(file))
          .isInstanceOf(PkiException.class)
          .hasMessageContaining("garbage.pem");
    }
    for (int at = 40; at < right.length() - 40; at += 3) {
      char[] altered = right.toCharArray();
      altered[at] = altered[at] == 'A' ? 'B' : 'A';
      Files.writeString(file, new String(altered));
      assertThatThrownBy(() -> CertificateAuthority.readSigningRequest(file))
          .isInstanceOf(PkiException.class);
    }
  }
}
