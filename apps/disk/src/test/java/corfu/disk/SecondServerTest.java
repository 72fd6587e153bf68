package corfu.disk;

import static corfu.disk.DiskCluster.BLOCK;
import static corfu.disk.DiskCluster.block;
import static corfu.disk.DiskCluster.write;
import static corfu.nbd.testing.NbdTools.run;
import static corfu.nbd.testing.NbdTools.succeed;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.disk.DiskEvent.Kind;
import corfu.nbd.BlockDevice;
import corfu.nbd.NbdAddress;
import corfu.nbd.NbdServer;
import corfu.nbd.NbdServerOptions;
import corfu.nbd.testing.NbdTools;
import corfu.nbd.testing.NbdTools.Run;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client of another project at a server of disks that another server writes. */
@Timeout(120)
class SecondServerTest {

  private static final long SIZE = 64 << 20;

  private final RealWorld world = new RealWorld();
  private final DiskCluster cluster = new DiskCluster();
  private final Disks disks = cluster.disks();
  private BlockDevice device;

  @TempDir private Path directory;

  @BeforeEach
  void start() {
    disks.create("mine", SIZE, BLOCK).value();
    disks.create("idle", 2 * SIZE, BLOCK).value();
    disks.snapshot("mine", Optional.of("empty")).value();
    device = cluster.server(DiskAccess.WRITE).open("mine").join();
    write(device, 0, 1).join();
  }

  @AfterEach
  void stop() {
    device.close();
    cluster.close();
    world.close();
  }

  private NbdServer serve(DiskAccess access) {
    NbdAddress address = new NbdAddress.UnixSocket(directory.resolve("socket"));
    return NbdServer.start(NbdServerOptions.at(address), cluster.server(access), world);
  }

  private static String uri(NbdServer server, String export) {
    return "nbd+unix:///" + export + "?socket=" + server.address();
  }

  private void assertThatTheWriterIsLeftAlone() {
    write(device, 0, 2).join();
    device.flush().join();
    assertThat(block(device, 0)).isEqualTo(2);
    assertThat(disks.history("mine").value())
        .extracting(DiskEvent::kind)
        .containsExactly(Kind.CREATED, Kind.SNAPSHOT_TAKEN, Kind.OPENED);
    assertThat(disks.owner("idle")).isEmpty();
    assertThat(disks.history("idle").value())
        .extracting(DiskEvent::kind)
        .containsExactly(Kind.CREATED);
  }

  @Test
  void nbdinfoListsAllDisksAndLeavesTheirWritersAlone() throws Exception {
    NbdTools.require("nbdinfo");
    for (DiskAccess access : List.of(DiskAccess.WRITE, DiskAccess.TAKE_OVER)) {
      try (NbdServer server = serve(access)) {
        String listing = succeed("nbdinfo", "--list", uri(server, ""));
        assertThat(listing)
            .contains("export=\"mine\"", "export=\"idle\"", "export=\"mine@empty\"")
            .contains("export-size: " + SIZE, "export-size: " + 2 * SIZE)
            .contains("qemu:dirty-bitmap:empty");
      }
      assertThatTheWriterIsLeftAlone();
    }
  }

  @Test
  void aClientThatOpensTheDiskOfAnotherServerIsRefused() throws Exception {
    NbdTools.require("nbdinfo", "nbdcopy");
    try (NbdServer server = serve(DiskAccess.WRITE)) {
      Run copy = run("nbdcopy", uri(server, "mine"), "null:");
      assertThat(copy.status()).as(copy.output()).isNotZero();
      assertThat(copy.output()).contains("policy prevents NBD_OPT_GO");
      assertThat(succeed("nbdinfo", "--no-content", uri(server, "mine")))
          .contains("export-size: " + SIZE);
    }
    assertThatTheWriterIsLeftAlone();
  }
}
