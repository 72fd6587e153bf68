package corfu.nbd;

import static corfu.nbd.testing.NbdTools.run;
import static corfu.nbd.testing.NbdTools.succeed;
import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.nbd.NbdTls.Requirement;
import corfu.nbd.internal.server.NbdListener;
import corfu.nbd.internal.server.ServerSockets;
import corfu.nbd.testing.CollectedLog;
import corfu.nbd.testing.MemoryDevice;
import corfu.nbd.testing.MemoryExports;
import corfu.nbd.testing.NbdTools;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** STARTTLS with the clients of other projects. */
@Timeout(300)
class TlsTest {

  private static final long SIZE = 16 << 20;
  private static final String ALICE = "00112233445566778899aabbccddeeff00112233445566778899aabb";
  private static final String OTHER = "ff112233445566778899aabbccddeeff00112233445566778899aabb";

  private final RealWorld world = new RealWorld();
  private final MemoryExports exports = new MemoryExports().with("disk", new MemoryDevice(SIZE));
  private Path socket;

  @TempDir private Path directory;

  @BeforeEach
  void choose() {
    socket = directory.resolve("socket");
  }

  @AfterEach
  void endWorld() {
    world.close();
  }

  private NbdServer start(NbdTls tls) {
    NbdServerOptions options = NbdServerOptions.at(new NbdAddress.UnixSocket(socket)).with(tls);
    return NbdServer.start(options, exports, world);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private NbdTls keys(Requirement requirement) throws IOException {
    String text = "# who may use the disk\nbob:" + OTHER + "\nalice:" + ALICE + "\n";
    return new NbdTls.PreSharedKeys(requirement, write("server.psk", text));
  }

  private String uri(String user, Path keys) {
    return "nbds+unix://" + user + "@/disk?socket=" + socket + "&tls-psk-file=" + keys;
  }

  private String clearUri() {
    return "nbd+unix:///disk?socket=" + socket;
  }

  @Test
  void clientsWithThePreSharedKeyAreServedAndOthersAreNot() throws Exception {
    NbdTools.require("nbdinfo", "nbdcopy");
    try (NbdServer server = start(keys(Requirement.REQUIRED))) {
      Path mine = write("mine.psk", "alice:" + ALICE + "\n");
      assertThat(succeed("nbdinfo", uri("alice", mine))).contains("with TLS", "disk");
      Path image = Files.write(directory.resolve("image"), new byte[(int) SIZE]);
      Files.write(image, "head".getBytes(UTF_8), StandardOpenOption.WRITE);
      succeed("nbdcopy", image.toString(), uri("alice", mine));
      Path copy = directory.resolve("copy");
      succeed("nbdcopy", uri("alice", mine), copy.toString());
      assertThat(copy).hasSameBinaryContentAs(image);

      Path wrong = write("wrong.psk", "alice:" + OTHER + "\ncarol:" + ALICE + "\n");
      assertThat(run("nbdinfo", uri("alice", wrong)).status()).isNotZero();
      assertThat(run("nbdinfo", uri("carol", wrong)).status()).isNotZero();
      assertThat(run("nbdinfo", clearUri()).output()).contains("Operation not supported");
      eventually(() -> assertThat(server.connections()).isZero());
    }
  }

  @Test
  void qemuUsesThePreSharedKey() throws Exception {
    NbdTools.require("qemu-img");
    try (NbdServer server = start(keys(Requirement.REQUIRED))) {
      write("keys.psk", "alice:" + ALICE + "\n");
      String credentials = "tls-creds-psk,id=tls,endpoint=client,username=alice,dir=" + directory;
      String image = "driver=nbd,path=" + socket + ",export=disk,tls-creds=tls";
      assertThat(succeed("qemu-img", "info", "--object", credentials, "--image-opts", image))
          .contains("16 MiB");
      eventually(() -> assertThat(server.connections()).isZero());
    }
  }

  @Test
  void optionalTlsLeavesTheChoiceToClients() throws Exception {
    NbdTools.require("nbdinfo");
    try (NbdServer server = start(keys(Requirement.OPTIONAL))) {
      Path mine = write("mine.psk", "alice:" + ALICE + "\n");
      assertThat(succeed("nbdinfo", uri("alice", mine))).contains("with TLS");
      assertThat(succeed("nbdinfo", clearUri())).contains("without TLS");
      eventually(() -> assertThat(server.connections()).isZero());
    }
  }

  @Test
  void aServerWithoutTlsSaysSo() throws Exception {
    NbdTools.require("nbdinfo");
    Path mine = write("mine.psk", "alice:" + ALICE + "\n");
    try (NbdServer server = start(new NbdTls.Off())) {
      assertThat(run("nbdinfo", uri("alice", mine)).status()).isNotZero();
      eventually(() -> assertThat(server.connections()).isZero());
    }
  }

  /** Makes an authority, and a certificate of it in the files that libnbd and qemu expect. */
  private void certify(String name) throws Exception {
    if (!Files.exists(directory.resolve("ca-key.pem"))) {
      write("ca.info", "cn = authority\nca\ncert_signing_key\n");
      key("ca-key.pem");
      succeed(
          "certtool",
          "--generate-self-signed",
          "--load-privkey",
          file("ca-key.pem"),
          "--template",
          file("ca.info"),
          "--outfile",
          file("ca-cert.pem"));
    }
    String purpose = name.equals("server") ? "tls_www_server" : "tls_www_client";
    write(
        name + ".info",
        "cn = localhost\ndns_name = localhost\nencryption_key\nsigning_key\n" + purpose + "\n");
    key(name + "-key.pem");
    succeed(
        "certtool",
        "--generate-certificate",
        "--load-ca-certificate",
        file("ca-cert.pem"),
        "--load-ca-privkey",
        file("ca-key.pem"),
        "--load-privkey",
        file(name + "-key.pem"),
        "--template",
        file(name + ".info"),
        "--outfile",
        file(name + "-cert.pem"));
  }

  private void key(String name) throws Exception {
    succeed("certtool", "--generate-privkey", "--bits", "2048", "--outfile", file(name));
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private NbdTls certificates(boolean withClients) {
    Path authority = directory.resolve("ca-cert.pem");
    return new NbdTls.Certificates(
        Requirement.REQUIRED,
        directory.resolve("server-key.pem"),
        directory.resolve("server-cert.pem"),
        withClients ? Optional.of(authority) : Optional.empty());
  }

  private String certificateUri() {
    return "nbds+unix://localhost/disk?socket=" + socket + "&tls-certificates=" + directory;
  }

  @Test
  void clientsThatTrustTheServersAuthorityAreServed() throws Exception {
    NbdTools.require("nbdinfo", "certtool");
    certify("server");
    try (NbdServer server = start(certificates(false))) {
      assertThat(succeed("nbdinfo", certificateUri())).contains("with TLS", "disk");
      assertThat(run("nbdinfo", clearUri()).output()).contains("Operation not supported");
      eventually(() -> assertThat(server.connections()).isZero());
    }
  }

  @Test
  void clientsNeedACertificateIfTheServerHasAnAuthorityForThem() throws Exception {
    NbdTools.require("nbdinfo", "certtool");
    certify("server");
    try (NbdServer server = start(certificates(true))) {
      assertThat(run("nbdinfo", certificateUri()).status()).isNotZero();
      certify("client");
      assertThat(succeed("nbdinfo", certificateUri())).contains("with TLS", "disk");
      eventually(() -> assertThat(server.connections()).isZero());
    }
  }

  @Test
  void aFailedHandshakeIsOneWarning() throws Exception {
    NbdTools.require("nbdinfo", "certtool");
    certify("server");
    var log = new CollectedLog();
    NbdServerOptions options =
        NbdServerOptions.at(new NbdAddress.UnixSocket(socket)).with(certificates(true));
    NbdListener listener = NbdListener.start(options, exports, world, ServerSockets.best(), log);
    assertThat(run("nbdinfo", certificateUri()).status()).isNotZero();
    eventually(() -> assertThat(listener.connections()).isZero());
    listener.close();

    assertThat(log.lines()).singleElement().asString().startsWith("WARN TLS with NBD client ");
  }

  @Test
  void wrongFilesAreTold() throws IOException {
    NbdTls missing = new NbdTls.PreSharedKeys(Requirement.REQUIRED, directory.resolve("none"));
    assertThatThrownBy(() -> start(missing))
        .isInstanceOf(NbdServerException.class)
        .hasMessageContaining("cannot read the keys in " + directory.resolve("none"));
    Path wrong = write("wrong.psk", "alice:xyz\n");
    assertThatThrownBy(() -> start(new NbdTls.PreSharedKeys(Requirement.REQUIRED, wrong)))
        .hasMessageContaining("line 1 of " + wrong)
        .hasMessageNotContaining("xyz");
    Path noKey = write("key.pem", "nothing\n");
    NbdTls certificates =
        new NbdTls.Certificates(Requirement.OPTIONAL, noKey, noKey, Optional.empty());
    assertThatThrownBy(() -> start(certificates))
        .isInstanceOf(NbdServerException.class)
        .hasMessageContaining(noKey.toString());
    assertThat(socket).doesNotExist();
  }
}
