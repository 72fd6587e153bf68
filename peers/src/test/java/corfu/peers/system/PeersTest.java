package corfu.peers.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.local.JavaCommand;
import corfu.peers.program.AbsentException;
import corfu.peers.program.ProgramCache;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeersTest {

  private static final JavaCommand JAVA = JavaCommand.likeThisProcess("none");

  @TempDir private Path cache;

  @Test
  void everyPeerOfOursCanBeMatchedByOurs() {
    var ours = new CorfuSystem(JAVA).arrangements();

    assertThat(Peers.all(JAVA))
        .allSatisfy(peer -> assertThat(ours).containsAll(peer.arrangements()));
    assertThat(MapPeers.all())
        .allSatisfy(peer -> assertThat(ours).containsAll(peer.arrangements()));
  }

  @Test
  void withoutACheckoutAPeerWithADriverIsAbsent() {
    var workshop = new ProgramCache(Optional.empty(), cache, false);

    assertThatThrownBy(() -> new KafkaPeer().prepare(workshop))
        .isInstanceOf(AbsentException.class)
        .hasMessage("its driver is in a checkout only: run ./corfu there");
  }

  @Test
  void aPackageThatIsMissingIsNotInstalledUnasked() {
    var workshop = new ProgramCache(Optional.empty(), cache, false);

    assertThatThrownBy(() -> workshop.packaged("corfu-no-such-server", "no-such-package"))
        .isInstanceOf(AbsentException.class)
        .hasMessageContaining("not on the PATH")
        .hasMessageContaining("apt-get install no-such-package")
        .hasMessageContaining("--install");
  }

  @Test
  void jarsThatAreThereAlreadyAreNotResolvedAgain() throws Exception {
    Path home = Files.createDirectories(cache.resolve("home"));
    Path driver = Files.createDirectories(home.resolve("peers/drivers/kafka"));
    Files.writeString(driver.resolve("pom.xml"), "the same");
    Path jars = Files.createDirectories(cache.resolve("kafka"));
    Files.writeString(jars.resolve("kafka-clients-1.2.3.jar"), "");
    Files.writeString(jars.resolve("made-from"), "the same");

    var program = new KafkaPeer().prepare(new ProgramCache(Optional.of(home), cache, false));

    assertThat(program.version()).isEqualTo("Kafka 1.2.3");
    assertThat(program.jars()).isEqualTo(jars);
    assertThat(program.driver()).isEqualTo(driver.resolve("KafkaLoad.java"));
  }

  @Test
  void whoHasNotBuiltCorfuDbIsToldHow() throws Exception {
    Path home = Files.createDirectories(cache.resolve("home"));
    Path driver = Files.createDirectories(home.resolve("peers/drivers/map-corfudb"));
    Files.writeString(driver.resolve("pom.xml"), "nothing that Maven could read");

    assertThatThrownBy(
            () -> new CorfuDbPeer().prepare(new ProgramCache(Optional.of(home), cache, false)))
        .isInstanceOf(AbsentException.class)
        .hasMessageContaining("Maven")
        .hasMessageContaining("git clone https://github.com/CorfuDB/CorfuDB")
        .hasMessageContaining("mvn -pl infrastructure -am install -DskipTests");
  }

  @Test
  void corfuDbIsGivenStandInsForWhatItLacksAndTellsItsCommit() throws Exception {
    Path home = Files.createDirectories(cache.resolve("home"));
    Path driver = Files.createDirectories(home.resolve("peers/drivers/map-corfudb"));
    Files.writeString(driver.resolve("pom.xml"), "the same");
    Path jars = Files.createDirectories(cache.resolve("map-corfudb"));
    Files.writeString(jars.resolve("infrastructure-0.4.0-SNAPSHOT.jar"), "");
    Files.writeString(jars.resolve("made-from"), "the same");
    Path runtime = jars.resolve("runtime-0.4.0-SNAPSHOT.jar");
    try (var jar = new JarOutputStream(Files.newOutputStream(runtime))) {
      jar.putNextEntry(new JarEntry("git.properties"));
      jar.write("git.commit.id.abbrev=97ad729\n".getBytes(StandardCharsets.UTF_8));
    }

    var program = new CorfuDbPeer().prepare(new ProgramCache(Optional.of(home), cache, false));

    assertThat(program.version()).isEqualTo("CorfuDB 0.4.0-SNAPSHOT, 97ad729");
    assertThat(program.server().resolve("jdk/internal/org/objectweb/asm/util/Textifier.class"))
        .exists();
  }

  @Test
  void whatDiffersFromRunToRunIsNotShown() {
    try (var site = new PeerSite()) {
      assertThat(site.shown("dir " + site.directory() + "/data")).isEqualTo("dir DIR/data");
    }
  }

  @Test
  void portsOfOneSystemDiffer() {
    try (var site = new PeerSite()) {
      List<Integer> ports = site.freePorts(8);

      assertThat(ports).doesNotHaveDuplicates().hasSize(8);
    }
  }

  @Test
  void aSiteTakesItsProcessesAndItsDirectoryWithIt() throws Exception {
    Path directory;
    long server;
    try (var site = new PeerSite()) {
      directory = site.directory();
      Path pid = directory.resolve("pid");
      site.run("ready", new ProcessBuilder("/bin/sh", "-c", "mkfifo pid"));
      site.start("waits", new ProcessBuilder("/bin/sh", "-c", "echo $$ > pid; exec sleep 1000"));
      server = Long.parseLong(Files.readString(pid).strip());
      assertThat(ProcessHandle.of(server)).isPresent();
    }

    assertThat(ProcessHandle.of(server)).isEmpty();
    assertThat(directory).doesNotExist();
  }
}
