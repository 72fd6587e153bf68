package corfu.disk;

import static corfu.disk.DiskCluster.BLOCK;
import static corfu.disk.DiskCluster.block;
import static corfu.disk.DiskCluster.reason;
import static corfu.disk.DiskCluster.write;
import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.disk.DiskEvent.Kind;
import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.ExportDescription;
import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Disks of a cluster in memory, through the catalogue and through exports. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DisksTest {

  private static final long SIZE = 1L << 30;

  private final DiskCluster cluster = new DiskCluster();
  private final Disks disks = cluster.disks();
  private String name = "";

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void create(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
    disks.create(name, SIZE, BLOCK).value();
  }

  private DiskTarget target() {
    return DiskTarget.of(name);
  }

  private DiskRefusal refusal(DiskOutcome<?> outcome) {
    assertThat(outcome).isInstanceOf(DiskOutcome.Refused.class);
    return ((DiskOutcome.Refused<?>) outcome).reason();
  }

  private BlockDevice open(DiskExports server) {
    return server.open(name).join();
  }

  private List<Kind> kinds() {
    return disks.history(name).value().stream().map(DiskEvent::kind).toList();
  }

  // ------------------------------------------------------------------------------- catalogue

  @Test
  void namesAreUnique() {
    assertThat(refusal(disks.create(name, SIZE, BLOCK))).isEqualTo(new DiskRefusal.NameTaken(name));
    assertThat(refusal(disks.clone(target(), name))).isEqualTo(new DiskRefusal.NameTaken(name));
    assertThat(refusal(disks.clone(DiskTarget.of("none"), "other")))
        .isEqualTo(new DiskRefusal.NoSuchDisk("none"));
  }

  @Test
  void sizesAndNamesHaveBounds() {
    assertThatThrownBy(() -> disks.create("bad name", SIZE, BLOCK))
        .hasMessageContaining("'bad name' is none");
    assertThatThrownBy(() -> disks.create("odd", SIZE + 1, BLOCK))
        .hasMessageContaining("a multiple of its block");
    assertThatThrownBy(() -> disks.create("odd", SIZE, 3000))
        .hasMessageContaining("a power of two");
    assertThatThrownBy(() -> disks.snapshot(name, Optional.of("17")))
        .hasMessageContaining("a number is a version");
    assertThatThrownBy(() -> DiskTarget.parse("a@b@c")).hasMessageContaining("'b@c' is none");
  }

  @Test
  void concurrentClonesGetDisksOfTheirOwn() throws Exception {
    List<Disks> clients = List.of(disks, cluster.disks(), cluster.disks());
    List<Thread> threads = new ArrayList<>();
    AtomicLong refused = new AtomicLong();
    for (Disks client : clients) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int i = 0; i < 5; i++) {
                  if (client.clone(target(), name + i) instanceof DiskOutcome.Refused<?>) {
                    refused.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(refused).hasValue(10);
    assertThat(disks.list().stream().filter(one -> one.name().startsWith(name)).count())
        .isEqualTo(6);
    assertThat(
            disks.list().stream()
                .filter(one -> one.name().startsWith(name))
                .map(DiskStatus::stream)
                .distinct())
        .hasSize(6);
  }

  @Test
  void aSnapshotIsListedUntilItIsDeleted() {
    disks.snapshot(name, Optional.of("monday")).value();
    String unnamed = disks.snapshot(name, Optional.empty()).value().name();
    assertThat(refusal(disks.snapshot(name, Optional.of("monday"))))
        .isInstanceOf(DiskRefusal.SnapshotTaken.class);
    assertThat(disks.find(name).value().snapshots())
        .extracting(DiskSnapshot::name)
        .containsExactly("monday", unnamed);
    disks.deleteSnapshot(DiskTarget.parse(name + "@monday")).value();
    assertThat(refusal(disks.deleteSnapshot(DiskTarget.parse(name + "@monday"))))
        .isInstanceOf(DiskRefusal.NoSuchSnapshot.class);
    assertThat(kinds())
        .containsExactly(
            Kind.CREATED, Kind.SNAPSHOT_TAKEN, Kind.SNAPSHOT_TAKEN, Kind.SNAPSHOT_DELETED);
  }

  @Test
  void versionsOfTheFutureAreRefused() {
    assertThat(refusal(disks.version(DiskTarget.parse(name + "@999999999"))))
        .isInstanceOf(DiskRefusal.NotYet.class);
  }

  @Test
  void aDiskShrinksOnlyIfThatIsWanted() {
    assertThat(refusal(disks.resize(name, SIZE / 2, IfSmaller.REFUSE, IfInUse.REFUSE)))
        .isEqualTo(new DiskRefusal.WouldShrink(name, SIZE, SIZE / 2));
    try (var server = cluster.server(DiskAccess.WRITE)) {
      try (BlockDevice device = open(server)) {
        write(device, SIZE / BLOCK - 1, 7).join();
        assertThat(refusal(disks.resize(name, SIZE / 2, IfSmaller.SHRINK, IfInUse.REFUSE)))
            .isInstanceOf(DiskRefusal.InUse.class);
      }
    }
    Address before = disks.version();
    disks.resize(name, SIZE / 2, IfSmaller.SHRINK, IfInUse.REFUSE).value();
    disks.resize(name, SIZE, IfSmaller.REFUSE, IfInUse.REFUSE).value();
    try (var server = cluster.server(DiskAccess.WRITE);
        BlockDevice device = open(server);
        BlockDevice past = server.open(name + "@" + before).join()) {
      assertThat(device.info().sizeBytes()).isEqualTo(SIZE);
      assertThat(block(device, SIZE / BLOCK - 1)).isZero();
      assertThat(block(past, SIZE / BLOCK - 1)).isEqualTo(7);
    }
  }

  // --------------------------------------------------------------------------------- devices

  @Test
  void whatAFlushAcknowledgedIsThereForTheNextServer() {
    try (var server = cluster.server(DiskAccess.WRITE);
        BlockDevice device = open(server)) {
      write(device, 5, 1).join();
      write(device, 5, 2).join();
      device.flush().join();
      assertThat(disks.owner(name)).isPresent();
    }
    assertThat(disks.owner(name)).isEmpty();
    try (var server = cluster.server(DiskAccess.WRITE);
        BlockDevice device = open(server)) {
      assertThat(block(device, 5)).isEqualTo(2);
      assertThat(block(device, 4)).isZero();
    }
    assertThat(kinds())
        .containsExactly(Kind.CREATED, Kind.OPENED, Kind.RELEASED, Kind.OPENED, Kind.RELEASED);
    assertThat(disks.usedBytes(name)).isEqualTo(BLOCK);
  }

  @Test
  void connectionsOfOneServerShareADiskAndAnIdleDiskIsGivenBack() {
    var server = cluster.server(DiskAccess.WRITE);
    BlockDevice one = open(server);
    BlockDevice two = open(server);
    write(one, 0, 3).join();
    assertThat(block(two, 0)).isEqualTo(3);
    one.close();
    two.flush().join();
    two.close();
    eventually(() -> assertThat(disks.owner(name)).isEmpty());
    try (BlockDevice again = open(server)) {
      assertThat(block(again, 0)).isEqualTo(3);
    }
  }

  @Test
  void aServerIsRefusedADiskThatAnotherOneWritesUnlessItTakesItOver() {
    BlockDevice first = open(cluster.server(DiskAccess.WRITE));
    write(first, 1, 1).join();
    first.flush().join();

    assertThat(reason(cluster.server(DiskAccess.WRITE).open(name))).isEqualTo(Reason.NOT_PERMITTED);

    BlockDevice second = open(cluster.server(DiskAccess.TAKE_OVER));
    assertThat(block(second, 1)).isEqualTo(1);
    write(second, 1, 2).join();
    second.flush().join();

    write(first, 1, 3); // acknowledged at most by memory
    assertThat(reason(first.flush())).isEqualTo(Reason.FENCED);
    assertThat(reason(first.read(0, BLOCK))).isEqualTo(Reason.FENCED);
    assertThat(block(second, 1)).isEqualTo(2);
    assertThat(kinds()).contains(Kind.TAKEN_OVER);
    second.close();
  }

  @Test
  void aDescriptionLeavesTheWriterAlone() {
    BlockDevice device = open(cluster.server(DiskAccess.WRITE));
    write(device, 1, 1).join();
    disks.snapshot(name, Optional.of("one")).value();
    String owner = disks.owner(name).orElseThrow();

    for (DiskAccess access : List.of(DiskAccess.TAKE_OVER, DiskAccess.WRITE)) {
      ExportDescription told = cluster.server(access).describe(name).join();
      assertThat(told.info()).isEqualTo(device.info());
      assertThat(told.canResize()).isEqualTo(device.canResize());
      assertThat(told.contexts("qemu:")).contains("qemu:dirty-bitmap:one");
    }
    assertThat(reason(cluster.server(DiskAccess.WRITE).open(name))).isEqualTo(Reason.NOT_PERMITTED);

    assertThat(disks.owner(name)).hasValue(owner);
    write(device, 1, 2).join();
    device.flush().join();
    assertThat(block(device, 1)).isEqualTo(2);
    assertThat(kinds()).containsExactly(Kind.CREATED, Kind.OPENED, Kind.SNAPSHOT_TAKEN);
    device.close();
  }

  @Test
  void aDescriptionTellsTheSameAsTheOpenDeviceAndOpensNothing() {
    Address small = disks.version();
    disks.snapshot(name, Optional.of("small")).value();
    disks.resize(name, 2 * SIZE, IfSmaller.REFUSE, IfInUse.REFUSE).value();
    for (DiskAccess access : List.of(DiskAccess.WRITE, DiskAccess.READ_ONLY)) {
      var server = cluster.server(access);
      for (String export : List.of(name, name + "@small", name + "@" + small)) {
        ExportDescription told = server.describe(export).join();
        assertThat(disks.owner(name)).isEmpty();
        try (BlockDevice device = server.open(export).join()) {
          assertThat(told.info()).isEqualTo(device.info());
          assertThat(told.canResize()).isEqualTo(device.canResize());
          assertThat(told.contexts("base:")).isEqualTo(device.contexts("base:"));
          assertThat(told.contexts("qemu:")).isEqualTo(device.contexts("qemu:"));
        }
        eventually(() -> assertThat(disks.owner(name)).isEmpty());
      }
      assertThat(server.describe(name).join().info().sizeBytes()).isEqualTo(2 * SIZE);
      assertThat(server.describe(name + "@small").join().info().sizeBytes()).isEqualTo(SIZE);
    }
  }

  @Test
  void aDiskThatDoesNotExistHasNoDescription() {
    var server = cluster.server(DiskAccess.WRITE);
    for (String export : List.of("none", name + "@none", "a b")) {
      assertThat(reason(server.describe(export))).isEqualTo(Reason.UNKNOWN_EXPORT);
    }
  }

  @Test
  void readOnlyServersNeedNoRole() {
    BlockDevice writing = open(cluster.server(DiskAccess.WRITE));
    write(writing, 1, 1).join();
    writing.flush().join();
    BlockDevice reading = open(cluster.server(DiskAccess.READ_ONLY));
    assertThat(block(reading, 1)).isEqualTo(1);
    assertThat(reading.info().readOnly()).isTrue();
    assertThat(reason(write(reading, 1, 2))).isEqualTo(Reason.READ_ONLY);
    write(writing, 1, 2).join();
    writing.flush().join();
    assertThat(block(reading, 1)).isEqualTo(1);
  }

  @Test
  void snapshotsClonesAndRollBacksShowWhatWasThere() {
    var server = cluster.server(DiskAccess.WRITE);
    try (BlockDevice device = open(server)) {
      write(device, 0, 1).join();
      write(device, 1, 1).join();
      device.flush().join();
      disks.snapshot(name, Optional.of("one")).value();
      write(device, 0, 2).join();
      device.flush().join();
    }
    try (BlockDevice backup = open(server)) {
      assertThat(backup.contexts("qemu:dirty-bitmap:")).containsExactly("qemu:dirty-bitmap:one");
      assertThat(backup.blockStatus("qemu:dirty-bitmap:one", 0, 4 * BLOCK).join())
          .containsExactly(
              new BlockDevice.StatusExtent(BLOCK, 1), new BlockDevice.StatusExtent(3 * BLOCK, 0));
    }
    disks.clone(DiskTarget.parse(name + "@one"), name + "-clone").value();
    try (BlockDevice past = server.open(name + "@one").join();
        BlockDevice clone = server.open(name + "-clone").join()) {
      assertThat(block(past, 0)).isEqualTo(1);
      assertThat(past.info().readOnly()).isTrue();
      assertThat(block(clone, 0)).isEqualTo(1);
      write(clone, 1, 5).join();
      clone.flush().join();
      assertThat(block(past, 1)).isEqualTo(1);
      assertThat(clone.blockStatus("qemu:allocation-depth", 0, 3 * BLOCK).join())
          .extracting(BlockDevice.StatusExtent::flags)
          .containsExactly(2L, 1L, 0L);
    }
    eventually(() -> assertThat(disks.owner(name)).isEmpty());
    Address before = disks.version();
    disks.rollBack(DiskTarget.parse(name + "@one"), IfInUse.REFUSE).value();
    try (BlockDevice device = open(server);
        BlockDevice past = server.open(name + "@" + before).join()) {
      assertThat(block(device, 0)).isEqualTo(1);
      assertThat(block(past, 0)).isEqualTo(2);
    }
  }

  @Test
  void aRollBackOfADiskInUseIsRefusedUnlessItIsTakenOver() {
    BlockDevice device = open(cluster.server(DiskAccess.WRITE));
    Address empty = disks.version();
    write(device, 0, 1).join();
    device.flush().join();
    DiskTarget past = DiskTarget.parse(name + "@" + empty);
    assertThat(refusal(disks.rollBack(past, IfInUse.REFUSE))).isInstanceOf(DiskRefusal.InUse.class);
    assertThat(block(device, 0)).isEqualTo(1);
    disks.rollBack(past, IfInUse.TAKE_OVER).value();
    eventually(() -> assertThat(reason(device.read(0, BLOCK))).isEqualTo(Reason.FENCED));
    try (BlockDevice again = open(cluster.server(DiskAccess.WRITE))) {
      assertThat(block(again, 0)).isZero();
    }
  }

  @Test
  void connectionsLearnOfALargerSize() {
    try (BlockDevice device = open(cluster.server(DiskAccess.WRITE))) {
      AtomicLong told = new AtomicLong();
      device.onResize(told::set);
      disks.resize(name, 2 * SIZE, IfSmaller.REFUSE, IfInUse.REFUSE).value();
      eventually(() -> assertThat(told).hasValue(2 * SIZE));
      write(device, 2 * SIZE / BLOCK - 1, 1).join();
      device.flush().join();
      assertThat(device.info().sizeBytes()).isEqualTo(2 * SIZE);
    }
  }

  @Test
  void aCloneKeepsTheContentOfADeletedDisk() {
    var server = cluster.server(DiskAccess.WRITE);
    try (BlockDevice device = open(server)) {
      write(device, 0, 1).join();
      device.flush().join();
    }
    disks.clone(target(), name + "-clone").value();
    eventually(() -> assertThat(disks.owner(name)).isEmpty());
    disks.delete(name, IfInUse.REFUSE).value();
    assertThat(reason(server.open(name))).isEqualTo(Reason.UNKNOWN_EXPORT);
    disks.create(name, SIZE, BLOCK).value();
    try (BlockDevice fresh = open(server);
        BlockDevice clone = server.open(name + "-clone").join()) {
      assertThat(block(fresh, 0)).isZero();
      assertThat(block(clone, 0)).isEqualTo(1);
    }
  }

  @Test
  void theListOfExportsHasDisksAndSnapshots() {
    disks.snapshot(name, Optional.of("now")).value();
    assertThat(cluster.server(DiskAccess.WRITE).names().join()).contains(name, name + "@now");
  }
}
