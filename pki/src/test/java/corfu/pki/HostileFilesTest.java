package corfu.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.pki.internal.file.Pem;
import corfu.pki.internal.file.SecureFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of keys and certificates that are damaged, cut, too large, or of somebody else. */
class HostileFilesTest {

  @TempDir Path temporary;
  private final FixedWorld world = new FixedWorld();

  private CertificateAuthority authority(String name) {
    return CertificateAuthority.create(
        temporary.resolve(name), "prod", Duration.ofDays(400), world);
  }

  private Path onlyFile(String directory) throws Exception {
    try (Stream<Path> files = Files.list(temporary.resolve(directory))) {
      return files.findFirst().orElseThrow();
    }
  }

  @Property
  void anyTextIsBlocksOrAnError(
      @ForAll @StringLength(max = 300) @CharRange(from = '\n', to = '~') String text) {
    assertDecodesOrFails(text);
    assertDecodesOrFails("-----BEGIN CERTIFICATE-----\n" + text);
    assertDecodesOrFails("-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
  }

  private static void assertDecodesOrFails(String text) {
    try {
      assertThat(Pem.decode(text, "file")).isNotNull();
    } catch (PkiException damaged) {
      assertThat(damaged).hasMessageStartingWith("file ");
    }
  }

  @Property
  void aBlockComesBackAsItWas(@ForAll byte[] content) {
    List<Pem.Block> blocks =
        Pem.decode("before\n" + Pem.encode("PUBLIC KEY", content) + "behind", "file");

    assertThat(blocks).hasSize(1);
    assertThat(blocks.getFirst().label()).isEqualTo("PUBLIC KEY");
    assertThat(blocks.getFirst().content()).isEqualTo(content);
  }

  @Test
  void aCutFileOfAnAuthorityIsAnErrorWithoutAPartOfTheKey() throws Exception {
    CertificateAuthority authority = authority("pki");
    Path file = onlyFile("pki/authorities");
    String right = Files.readString(file);
    String key = right.substring(right.indexOf("BEGIN PRIVATE")).lines().toList().get(1);
    for (int length = 0; length < right.length() - 1; length += 11) {
      Files.writeString(file, right.substring(0, length));
      assertThatThrownBy(() -> authority.issueClient("app"))
          .isInstanceOf(PkiException.class)
          .hasMessageContaining(file.toString())
          .hasMessageNotContaining(key.substring(0, 8))
          .hasMessageNotContaining(key.substring(20, 28));
    }
  }

  @Test
  void anAlteredKeyIsAnError() throws Exception {
    CertificateAuthority authority = authority("pki");
    Path file = onlyFile("pki/authorities");
    String right = Files.readString(file);
    int key = right.indexOf("PRIVATE KEY-----\n") + 17;
    for (int at = key; at < right.indexOf("-----END PRIVATE") - 4; at++) {
      char[] altered = right.toCharArray();
      altered[at] = altered[at] == 'B' ? 'C' : 'B';
      Files.writeString(file, new String(altered));
      assertThatThrownBy(() -> authority.issueClient("app"))
          .as("character " + at)
          .isInstanceOf(PkiException.class);
    }
  }

  @Test
  void aKeyOfAnotherAuthorityIsAnError() throws Exception {
    CertificateAuthority authority = authority("pki");
    CertificateAuthority other = authority("other");
    Path file = onlyFile("pki/authorities");
    String certificate = Files.readString(authority.caFile());
    String keyOfOther =
        Files.readString(onlyFile("other/authorities"))
            .replace(Files.readString(other.caFile()), "");
    Files.writeString(file, certificate + keyOfOther);

    assertThatThrownBy(() -> authority.issueClient("app"))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("does not belong");
  }

  @Test
  void aHugeFileIsNotRead() throws Exception {
    Path huge = temporary.resolve("huge.pem");
    Files.write(huge, new byte[SecureFiles.MAX_BYTES + 1]);

    assertThatThrownBy(() -> CertificateAuthority.inspect(huge))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("more than");
    assertThatThrownBy(() -> CertificateAuthority.inspect(Path.of("/dev/zero")))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("more than");
  }

  @Test
  void filesThatAreNoCertificatesAreNamed() throws Exception {
    Path binary = Files.write(temporary.resolve("binary"), new byte[] {(byte) 0xff, 0, 1});
    Path empty = Files.createFile(temporary.resolve("empty"));

    for (Path file : List.of(binary, empty, temporary, temporary.resolve("missing"))) {
      assertThatThrownBy(() -> CertificateAuthority.inspect(file))
          .isInstanceOf(PkiException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void alteredCertificatesAreErrorsOrOtherCertificates() throws Exception {
    CertificateAuthority authority = authority("pki");
    String right = Files.readString(authority.issueServer("n1", List.of("a.b")).file());
    Path file = temporary.resolve("altered.pem");
    int length = right.indexOf("-----END");
    for (int at = 28; at < length - 1; at++) {
      char[] altered = right.toCharArray();
      altered[at] = altered[at] == 'A' ? '/' : 'A';
      Files.writeString(file, new String(altered));
      try {
        assertThat(CertificateAuthority.inspect(file)).hasSize(1);
      } catch (PkiException damaged) {
        assertThat(damaged).hasMessageNotContaining("PRIVATE");
      }
    }
  }

  @Test
  void aDamagedRecordIsNamed() throws Exception {
    CertificateAuthority authority = authority("pki");
    authority.issueClient("app");
    Path record = onlyFile("pki/issued");
    for (String text : List.of("", "number: 1\nname: app\n", "number: x\nname: a\nfile: b\n")) {
      Files.writeString(record, text);
      assertThatThrownBy(authority::issued)
          .isInstanceOf(PkiException.class)
          .hasMessageContaining(record.toString());
    }
  }
}
