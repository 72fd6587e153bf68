package corfu.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.world.Disk;
import corfu.world.DiskFile;
import corfu.world.DiskFullException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SimDiskTest {

  private static final int SECTOR = SimFile.SECTOR_BYTES;

  private final Simulator simulator = new Simulator(1, 0, line -> {});
  private final SimDisk disk = new SimDisk("disk", 1 << 20);

  @Test
  void whatWasSyncedSurvivesEveryPowerLoss() {
    use(
        mounted -> {
          try (DiskFile file = mounted.create("a")) {
            file.write(filled(3 * SECTOR, 'a'), 0);
            file.sync();
          }
          mounted.syncNames();
        });

    for (int i = 0; i < 20; i++) {
      disk.losePower(simulator.chance);
      assertThat(contentOf("a")).isEqualTo("a".repeat(3 * SECTOR));
    }
  }

  @Test
  void anySectorsOfAnUnsyncedWriteMayBeLost() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      SimDisk fresh = new SimDisk("disk", 1 << 20);
      use(
          fresh,
          mounted -> {
            try (DiskFile file = mounted.create("a")) {
              file.write(filled(2 * SECTOR, 'a'), 0);
              file.sync();
              file.write(filled(2 * SECTOR, 'b'), 0);
            }
            mounted.syncNames();
          });
      fresh.losePower(simulator.chance);
      String content = contentOf(fresh, "a");
      seen.add("" + content.charAt(0) + content.charAt(SECTOR));
      assertThat(content.substring(0, SECTOR)).isIn("a".repeat(SECTOR), "b".repeat(SECTOR));
    }

    assertThat(seen).containsExactlyInAnyOrder("aa", "ab", "ba", "bb");
  }

  @Test
  void aWriteThatComesDuringASyncIsNotCoveredByIt() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      SimDisk fresh = new SimDisk("disk", 1 << 20);
      SimFile file = fresh.create("a");
      fresh.syncedNamesUpTo(fresh.changesOfNames());
      file.write(new byte[] {'a'}, 0);
      long covered = file.changes();
      file.write(new byte[] {'b'}, 0);
      file.syncedUpTo(covered);
      fresh.losePower(simulator.chance);
      seen.add(contentOf(fresh, "a"));
    }

    assertThat(seen).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void namesThatWereNotSyncedMayBeLost() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      SimDisk fresh = new SimDisk("disk", 1 << 20);
      use(
          fresh,
          mounted -> {
            mounted.create("a").close();
            mounted.syncNames();
            mounted.create("b").close();
            mounted.rename("b", "c");
          });
      fresh.losePower(simulator.chance);
      seen.add(String.join("", fresh.list()));
    }

    assertThat(seen).containsExactlyInAnyOrder("a", "ab", "ac");
  }

  @Test
  void aKilledProcessLosesNothingThatItHadWritten() {
    use(
        mounted -> {
          try (DiskFile file = mounted.create("a")) {
            file.write(filled(10, 'x'), 0);
          }
        });

    assertThat(contentOf("a")).isEqualTo("x".repeat(10));
  }

  @Test
  void aFullDiskTakesWhatFitsAndSaysSo() {
    disk.capacity(100);
    use(
        mounted -> {
          DiskFile file = mounted.create("a");
          assertThatThrownBy(() -> file.write(filled(150, 'x'), 0))
              .isInstanceOf(DiskFullException.class)
              .hasMessage("cannot write disk/a: no space left");
        });

    assertThat(contentOf("a")).isEqualTo("x".repeat(100));
    assertThat(disk.freeBytes()).isZero();
  }

  private void use(Consumer<Disk> what) {
    use(disk, what);
  }

  private void use(SimDisk which, Consumer<Disk> what) {
    SimWorld world = simulator.born("test", 0);
    boolean[] done = {false};
    world.start(
        "test",
        () -> {
          what.accept(which.mount(world));
          done[0] = true;
        });
    assertThat(simulator.runUntil(() -> done[0], Long.MAX_VALUE, Long.MAX_VALUE))
        .as(() -> simulator.findings.all().toString())
        .isEmpty();
  }

  private String contentOf(String name) {
    return contentOf(disk, name);
  }

  private static String contentOf(SimDisk which, String name) {
    ByteBuffer content = ByteBuffer.allocate(which.file(name).size());
    which.file(name).read(content, 0);
    return new String(content.array(), StandardCharsets.US_ASCII);
  }

  private static ByteBuffer filled(int bytes, char with) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    while (buffer.hasRemaining()) {
      buffer.put((byte) with);
    }
    return buffer.flip();
  }
}
