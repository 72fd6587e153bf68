package corfu.roles.logunit.logfile;

import static corfu.roles.logunit.UnitDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.roles.logunit.FaultDisk;
import corfu.roles.logunit.UnitDriver;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A start notices missing files and missing records. */
class InventoryTest {

  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(16 << 10);
  private static final int PAYLOAD_BYTES = 700;
  private static final long ADDRESSES = 80;

  private final FaultDisk disk = new FaultDisk();

  private List<String> aUnitOfSomeFilesThatIsKilled() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    for (long a = 0; a < ADDRESSES; a += 10) {
      unit.fillUp(a, a + 10, PAYLOAD_BYTES);
    }
    disk.killProcess();
    assertThat(disk.logFiles()).hasSizeGreaterThan(3);
    return disk.logFiles();
  }

  private UnitDriver reopened() {
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
    return unit;
  }

  @Test
  void aUnitOpensWithAllOfItsFiles() {
    aUnitOfSomeFilesThatIsKilled();
    assertThat(reopened().read(79)).isEqualTo(new ReadOutcome.Found(entry(79, PAYLOAD_BYTES)));
    disk.killProcess();
    assertThat(reopened().read(0)).isEqualTo(new ReadOutcome.Found(entry(0, PAYLOAD_BYTES)));
  }

  @Test
  void aUnitDoesNotOpenWithoutAnyOneOfItsFiles() {
    for (String lost : aUnitOfSomeFilesThatIsKilled()) {
      byte[] content = disk.bytesOf(lost);
      disk.delete(lost);
      assertThatThrownBy(this::reopened)
          .isInstanceOf(DamagedStorageException.class)
          .hasMessageContaining(lost)
          .hasMessageContaining("missing");
      disk.create(lost).close();
      disk.append(lost, content);
    }
    assertThat(reopened().read(0)).isEqualTo(new ReadOutcome.Found(entry(0, PAYLOAD_BYTES)));
  }

  /** Cut at the end of a record, a file looks intact. */
  @Test
  void aUnitDoesNotOpenWithAFileThatWasCutWhereARecordEnds() {
    String cut = aUnitOfSomeFilesThatIsKilled().get(1);
    long threeEntries = 3 * RecordFormat.sizeOf(entry(0, PAYLOAD_BYTES).lengthBytes());
    disk.cut(cut, RecordFormat.FILE_HEADER_BYTES + RecordFormat.sizeOf(0) + threeEntries);
    assertThatThrownBy(this::reopened)
        .isInstanceOf(DamagedStorageException.class)
        .hasMessageContaining(cut)
        .hasMessageContaining("cut");
  }

  @Test
  void filesThatNobodyNeedsAnyMoreAreNotMissed() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    for (long a = 0; a < ADDRESSES; a += 10) {
      unit.fillUp(a, a + 10, PAYLOAD_BYTES);
    }
    int before = disk.logFiles().size();
    unit.prefixTrim(60);
    unit.unit.turnEnded();
    assertThat(disk.logFiles()).hasSizeLessThan(before);
    disk.killProcess();
    assertThat(reopened().read(79)).isEqualTo(new ReadOutcome.Found(entry(79, PAYLOAD_BYTES)));
  }

  @Test
  void withoutAnInventoryNothingIsExpected() {
    List<String> files = aUnitOfSomeFilesThatIsKilled();
    disk.delete(Inventory.NAME);
    disk.delete(files.get(1));
    assertThat(reopened().read(79)).isEqualTo(new ReadOutcome.Found(entry(79, PAYLOAD_BYTES)));
  }

  @Test
  void aDamagedInventoryIsAsGoodAsNone() {
    aUnitOfSomeFilesThatIsKilled();
    for (int copy = 0; copy < 2; copy++) {
      disk.flip(Inventory.NAME, copy * disk.bytesOf(Inventory.NAME).length / 2 + 8, 1);
    }
    UnitDriver unit = reopened();
    assertThat(unit.read(79)).isEqualTo(new ReadOutcome.Found(entry(79, PAYLOAD_BYTES)));
    for (long a = ADDRESSES; a < 2 * ADDRESSES; a += 10) {
      unit.fillUp(a, a + 10, PAYLOAD_BYTES);
    }
    disk.killProcess();
    disk.delete(disk.logFiles().getFirst());
    assertThatThrownBy(this::reopened).isInstanceOf(DamagedStorageException.class);
  }
}
