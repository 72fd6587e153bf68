package corfu.disk;

import static corfu.disk.DiskCluster.BLOCK;
import static corfu.disk.DiskCluster.block;
import static corfu.disk.DiskCluster.write;
import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.nbd.BlockDevice;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The space that disks take in the log. */
@Timeout(300)
class DiskSpaceTest {

  private static final int BLOCKS = 1_024; // 4 MiB
  private static final long SIZE = (long) BLOCKS * BLOCK;
  private static final DiskOptions OPTIONS =
      DiskCluster.OPTIONS.withReclaimBytes(SIZE / 4).withEntryBytes(256 << 10);

  private final DiskCluster cluster = new DiskCluster();
  private final Disks disks = cluster.disks();
  private final Random random = new Random(1);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void overwrite(BlockDevice device, int times, int[] model) {
    for (int i = 0; i < times; i++) {
      for (int j = 0; j < BLOCKS; j++) {
        int at = random.nextInt(BLOCKS);
        model[at] = 1 + random.nextInt(100);
        write(device, at, model[at]).join();
      }
      device.flush().join();
    }
  }

  private static void assertContent(BlockDevice device, int[] model) {
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(block(device, i)).as("block " + i).isEqualTo(model[i]);
    }
  }

  @Test
  void aDiskOfConstantSizeKeepsAConstantLog() {
    disks.create("disk", SIZE, BLOCK).value();
    int[] model = new int[BLOCKS];
    long most = 0;
    try (var server = cluster.server(DiskAccess.WRITE, OPTIONS)) {
      try (BlockDevice device = server.open("disk").join()) {
        for (int i = 0; i < 20; i++) {
          overwrite(device, 1, model);
          eventually(() -> assertThat(cluster.storedBytes()).isLessThan(4 * SIZE));
          most = Math.max(most, cluster.storedBytes());
        }
        assertThat(most).isBetween(SIZE / 2, 4 * SIZE);
        assertContent(device, model);
      }
    }
    try (var server = cluster.server(DiskAccess.WRITE);
        BlockDevice device = server.open("disk").join()) {
      assertContent(device, model);
    }
  }

  @Test
  void snapshotsAndClonesKeepTheirContentWhileTheDiskIsOverwritten() {
    disks.create("disk", SIZE, BLOCK).value();
    int[] model = new int[BLOCKS];
    try (var server = cluster.server(DiskAccess.WRITE, OPTIONS);
        BlockDevice device = server.open("disk").join()) {
      overwrite(device, 2, model);
      disks.snapshot("disk", Optional.of("one")).value();
      int[] one = model.clone();
      overwrite(device, 4, model);
      disks.clone(DiskTarget.of("disk"), "clone").value();
      int[] two = model.clone();
      overwrite(device, 6, model);
      try (BlockDevice past = server.open("disk@one").join();
          BlockDevice clone = server.open("clone").join()) {
        assertContent(past, one);
        assertContent(clone, two);
        assertContent(device, model);
      }
      disks.deleteSnapshot(DiskTarget.parse("disk@one")).value();
      assertContent(device, model);
    }
    eventually(() -> assertThat(disks.owner("disk")).isEmpty());
    long before = cluster.storedBytes();
    disks.delete("disk", IfInUse.REFUSE).value();
    disks.delete("clone", IfInUse.REFUSE).value();
    eventually(() -> assertThat(cluster.storedBytes()).isLessThan(before / 2));
  }
}
