package corfu.node;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.message.Health;
import corfu.protocol.message.NodeReply.Status;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.world.DiskException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A role with an unusable disk does not run; the other roles of its server serve. */
@Timeout(180)
final class UnusableDiskTest {

  private static final String VICTIM = "n2";

  @TempDir private Path directory;
  private EmbeddedCluster cluster;
  private Corfu corfu;
  private Address first;
  private Path home;
  private Endpoint victim;

  @BeforeEach
  void start() throws IOException {
    cluster =
        EmbeddedCluster.builder()
            .nodes(4)
            .spares(1)
            .replicas(2)
            .directory(directory)
            .supervision(Supervision.DEFAULT.withTrust(Duration.ofMillis(500)))
            .start();
    corfu = cluster.connect();
    for (int i = 0; i < 30; i++) {
      Address address = corfu.log().append("before".getBytes(UTF_8));
      first = i == 0 ? address : first;
    }
    victim =
        corfu.layout().servers().stream()
            .filter(server -> cluster.nameOf(server).equals(VICTIM))
            .findFirst()
            .orElseThrow();
    try (Stream<Path> files = Files.walk(directory)) {
      home = files.filter(file -> file.endsWith(VICTIM)).findFirst().orElseThrow();
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void restartWith(BrokenDisk how) throws IOException {
    cluster.kill(VICTIM);
    how.spoil();
    cluster.restart(VICTIM);
  }

  private interface BrokenDisk {
    void spoil() throws IOException;
  }

  private Status status() {
    return corfu.servers().stream()
        .filter(report -> report.endpoint().equals(victim))
        .flatMap(report -> report.status().stream())
        .findFirst()
        .orElseThrow();
  }

  private void isEventuallyLeftOut() {
    eventually(
        () -> {
          corfu.servers(); // asks for the newest layout, too
          assertThat(corfu.layout().logUnits()).doesNotContain(victim);
        });
  }

  private static Path anyFile(Path room, Predicate<String> which) throws IOException {
    try (Stream<Path> files = Files.list(room)) {
      return files
          .filter(file -> which.test(file.getFileName().toString()))
          .findFirst()
          .orElseThrow();
    }
  }

  private void theLogGoesOn() {
    Address next = corfu.log().append("after".getBytes(UTF_8));
    for (Address address : List.of(first, next)) {
      assertThat(corfu.log().read(address)).isInstanceOf(LogEntry.Data.class);
    }
  }

  @Test
  void aDirectoryInThePlaceOfASegmentFileCostsTheLogUnitOnly() throws IOException {
    Path segment = anyFile(home.resolve("log-unit"), name -> name.startsWith("segment"));
    Path kept = home.resolve("kept");
    restartWith(
        () -> {
          Files.move(segment, kept);
          Files.createDirectory(segment);
        });

    Health health = status().health();
    assertThat(health.logUnit()).isEqualTo(Health.State.BROKEN);
    assertThat(health.layoutServer()).isEqualTo(Health.State.SERVING);
    assertThat(health.detail()).contains("log-unit is out", segment.getFileName().toString());
    assertThat(status().roles()).contains("log-unit", "layout-server");
    isEventuallyLeftOut();
    theLogGoesOn();

    restartWith(
        () -> {
          Files.delete(segment);
          Files.move(kept, segment);
        });
    assertThat(status().health().logUnit()).isNotEqualTo(Health.State.BROKEN);
    theLogGoesOn();
  }

  @Test
  void aFileInThePlaceOfTheLogUnitsDirectoryCostsTheLogUnitOnly() throws IOException {
    restartWith(() -> putAFileInThePlaceOf("log-unit"));

    assertThat(status().health().logUnit()).isEqualTo(Health.State.BROKEN);
    assertThat(status().health().layoutServer()).isEqualTo(Health.State.SERVING);
    theLogGoesOn();
  }

  @Test
  void aFileInThePlaceOfTheLayoutServersDirectoryCostsTheLayoutServerOnly() throws IOException {
    restartWith(() -> putAFileInThePlaceOf("layout"));

    Health health = status().health();
    assertThat(health.layoutServer()).isEqualTo(Health.State.BROKEN);
    assertThat(health.detail()).contains("layout-server is out");
    eventually(() -> assertThat(unitOfVictim()).isIn(Health.State.SERVING, Health.State.IDLE));
    theLogGoesOn();
  }

  private Health.State unitOfVictim() {
    return status().health().logUnit();
  }

  private void putAFileInThePlaceOf(String room) throws IOException {
    Files.move(home.resolve(room), home.resolve("kept"));
    Files.createFile(home.resolve(room));
  }

  @Test
  void aServerThatHasNoOtherRoleDoesNotStart() throws IOException {
    String unitOnly = "n4";
    Path room = home.resolveSibling(unitOnly).resolve("log-unit");
    cluster.kill(unitOnly);
    Files.move(room, room.resolveSibling("kept"));
    Files.createFile(room);

    assertThatThrownBy(() -> cluster.restart(unitOnly))
        .isInstanceOf(DiskException.class)
        .hasMessageContaining("log-unit");
  }
}
