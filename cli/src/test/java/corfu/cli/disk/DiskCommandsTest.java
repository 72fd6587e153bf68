package corfu.cli.disk;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.nbd.testing.NbdTools;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DiskCommandsTest {

  @TempDir Path directory;
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    ClusterConfig config;
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory.resolve("cluster"), world)
              .create(2, 2, UnitMode.MEMORY)
              .withSupervision(Supervision.DEFAULT.withAgent(false));
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
  }

  private Ran disk(String... arguments) {
    List<String> all = new ArrayList<>(List.of("disk"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--dir", directory.resolve("cluster").toString()));
    return Ran.corfu(all.toArray(String[]::new));
  }

  private Ran succeeds(String... arguments) {
    Ran ran = disk(arguments);
    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
    return ran;
  }

  private void assertFails(int status, String message, String... arguments) {
    Ran ran = disk(arguments);
    assertThat(ran.err()).contains(message);
    assertThat(ran.err().lines()).hasSize(1);
    assertThat(ran.status()).isEqualTo(status);
  }

  @Test
  void theListHasDisksClonesAndSnapshots() {
    assertThat(succeeds("create", "vm", "--size", "1GiB").out())
        .isEqualTo("created disk vm of 1073741824 bytes\n");
    succeeds("snapshot", "vm", "fresh");
    succeeds("clone", "vm@fresh", "vm2");
    assertThat(succeeds("list").lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("vm\t1.07 GB\t0 B used\tidle\t-\tfresh"),
            line -> assertThat(line).contains("vm2\t1.07 GB").contains("clone of vm@"));
    assertThat(succeeds("list", "--json").out())
        .contains("\"name\":\"vm2\"", "\"origin\":\"vm@", "\"snapshots\":[{\"name\":\"fresh\"");
    succeeds("delete", "vm");
    assertThat(succeeds("list").lines()).hasSize(1);
  }

  @Test
  void theHistoryTellsWhatWasDone() {
    succeeds("create", "vm", "--size", "64M", "--block", "512");
    succeeds("resize", "vm", "--size", "128M");
    succeeds("resize", "vm", "--size", "64M", "--shrink");
    succeeds("snapshot", "vm", "fresh");
    succeeds("rollback", "vm@fresh");
    succeeds("delete", "vm@fresh");
    assertThat(succeeds("history", "vm").lines())
        .extracting(line -> line.split("\t", -1)[2])
        .containsExactly(
            "created", "resized", "resized", "snapshot taken", "rolled back", "snapshot deleted");
    assertThat(succeeds("history", "vm", "--json").out())
        .contains("\"event\":\"resized\"", "\"detail\":\"from 67108864 to 134217728 bytes\"");
  }

  @Test
  void errorsNameTheDiskAndTellWhatToDo() {
    succeeds("create", "vm", "--size", "1G");
    assertFails(ExitCode.FAILED, "there is a disk vm already", "create", "vm", "--size", "1G");
    assertFails(ExitCode.FAILED, "there is no disk none", "delete", "none");
    assertFails(ExitCode.FAILED, "there is no snapshot vm@x", "clone", "vm@x", "vm2");
    assertFails(
        ExitCode.UNWRITTEN, "version vm@999999 does not exist yet", "clone", "vm@999999", "c");
    assertFails(ExitCode.USAGE, "is none", "create", "a b", "--size", "1G");
    assertFails(ExitCode.USAGE, "a multiple of its block", "create", "odd", "--size", "1000");
    assertFails(ExitCode.USAGE, "name a snapshot or version", "rollback", "vm");
    assertFails(ExitCode.FAILED, "repeat with --shrink", "resize", "vm", "--size", "1M");
    assertFails(ExitCode.USAGE, "not both", "serve", "--read-only", "--takeover");
    assertFails(ExitCode.USAGE, "not both", "serve", "--port", "1", "--socket", "/tmp/s");
    assertFails(ExitCode.USAGE, "needs both", "serve", "--nbd-tls-key", "key");
  }

  @Test
  void theDemoHolds() {
    Ran ran = Ran.corfu("disk", "demo");
    assertThat(ran.status()).as(ran.out() + ran.err()).isEqualTo(ExitCode.OK);
    assertThat(ran.out()).endsWith("all of it held\n");
  }

  @Test
  void theDemoBootsAVirtualMachineWhereQemuIsInstalled() {
    NbdTools.require("qemu-system-x86_64");
    Ran ran = Ran.corfu("disk", "demo");
    assertThat(ran.status()).as(ran.out() + ran.err()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .contains(
            "a virtual machine booted from a disk twice; it counted boot 1 and boot 2 there",
            "a clone of the snapshot between them booted, too; there it counted boot 2 again");
  }
}
