package corfu.disk.internal.device;

import static corfu.disk.internal.device.ScriptedDisk.BLOCK;
import static corfu.disk.internal.device.ScriptedDisk.filled;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.bytes.RangeChange;
import corfu.nbd.BlockDevice.StatusExtent;
import corfu.protocol.Address;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusReaderTest {

  private final ScriptedDisk all = new ScriptedDisk();

  private void write(int block, int count) {
    all.device.write((long) block * BLOCK, filled(count * BLOCK, 1), false).join();
  }

  private List<StatusExtent> status(String context, int blocks) {
    return all.device.blockStatus(context, 0, (long) blocks * BLOCK).join();
  }

  private static StatusExtent blocks(int count, long flags) {
    return new StatusExtent((long) count * BLOCK, flags);
  }

  @Test
  void allocationTellsHolesAndDataInMemoryAndInTheLog() {
    write(1, 2);
    all.log.only().succeed();
    write(4, 1);
    all.device.trim(2 * BLOCK, BLOCK, false).join();
    assertThat(status("base:allocation", 6))
        .containsExactly(blocks(1, 3), blocks(1, 0), blocks(2, 3), blocks(1, 0), blocks(1, 3));
  }

  @Test
  void depthTellsFromWhichDiskOfTheLineOfClonesTheDataIs() {
    for (int block = 0; block < 3; block++) { // entries 0, 1 and 2; the clones were at 1 and 2
      write(block, 1);
      all.log.only().succeed();
    }
    assertThat(status("qemu:allocation-depth", 4))
        .containsExactly(blocks(1, 3), blocks(1, 2), blocks(1, 1), blocks(1, 0));
  }

  @Test
  void aDirtyBitmapTellsWhatDiffersFromAVersion() {
    write(1, 2);
    all.log.only().succeed();
    write(5, 1);
    assertThat(status("qemu:dirty-bitmap:monday", 8))
        .containsExactly(blocks(1, 0), blocks(2, 1), blocks(2, 0), blocks(1, 1), blocks(2, 0));
  }

  @Test
  void aQuerySelectsContexts() {
    assertThat(all.device.contexts("base:")).containsExactly("base:allocation");
    assertThat(all.device.contexts("qemu:"))
        .containsExactly("qemu:allocation-depth", "qemu:dirty-bitmap:monday");
    assertThat(all.device.contexts("qemu:dirty-bitmap:monday")).hasSize(1);
    assertThat(all.device.contexts("qemu:dirty-bitmap:sunday")).isEmpty();
    assertThat(all.device.contexts("x:")).isEmpty();
  }

  @Test
  void onlyTheBlocksThatWereWrittenAfterwardsDiffer() {
    ScriptedLog log = new ScriptedLog(64 * BLOCK);
    StatusReader reader = new StatusReader(new PastFacts(log, 0, 32, 8));
    assertThat(reader.status("qemu:dirty-bitmap:then", Layers.of(log.content()), 0, 64 * BLOCK))
        .containsExactly(blocks(8, 0), blocks(2, 1), blocks(54, 0));
  }

  /** A disk of which the first blocks were written, then the version was taken, then two more. */
  private static final class PastFacts implements DeviceFacts {

    private final DiskContent then;

    PastFacts(ScriptedLog log, int first, int count, int changed) {
      append(log, first, count);
      then = log.content();
      append(log, changed, 2);
    }

    private static void append(ScriptedLog log, int block, int count) {
      var unused =
          log.append(
              List.of(new RangeChange.Write((long) block * BLOCK, filled(count * BLOCK, 1))));
      log.only().succeed();
    }

    @Override
    public String name() {
      return "past";
    }

    @Override
    public int blockBytes() {
      return BLOCK;
    }

    @Override
    public long sizeBytes() {
      return 64 * BLOCK;
    }

    @Override
    public List<Address> originVersions() {
      return List.of();
    }

    @Override
    public List<String> snapshots() {
      return List.of("then");
    }

    @Override
    public Optional<Address> version(String text) {
      return Optional.of(new Address(1));
    }

    @Override
    public DiskContent at(Address version) {
      return then;
    }
  }
}
