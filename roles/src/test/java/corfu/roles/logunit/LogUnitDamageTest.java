package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Epoch;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome.Found;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Damage by a disk is noticed and named, and damaged entries are never served. */
class LogUnitDamageTest {

  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(16 << 10);
  private static final long ADDRESSES = 24;

  private final RandomGenerator random = new SplittableRandom(5);

  /** Returns a unit with records of every kind in one file. */
  private static UnitDriver aBitOfEverything(FaultDisk disk) {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.fillUp(0, 8, 50);
    unit.write(hole(8), entry(9, 300));
    unit.trim(5, 12);
    unit.prefixTrim(2);
    unit.write(entry(14, 10), entry(15, 80));
    unit.write(entry(16, 10));
    return unit;
  }

  private static List<ReadOutcome> allOf(UnitDriver unit) {
    List<ReadOutcome> all = new ArrayList<>();
    for (long a = 0; a < ADDRESSES; a++) {
      all.add(unit.read(a));
    }
    return all;
  }

  private static UnitDriver reopened(FaultDisk disk) {
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
    return unit;
  }

  /**
   * Asserts that every outcome is as before, or reported as corrupt with its address; at most one
   * is corrupt.
   */
  private static void assertOnlyReportedDamage(
      List<ReadOutcome> before, List<ReadOutcome> after, String what) {
    int corrupt = 0;
    for (int a = 0; a < ADDRESSES; a++) {
      if (after.get(a) instanceof ReadOutcome.Corrupt(String detail)) {
        assertThat(before.get(a)).as(what).isInstanceOf(Found.class);
        assertThat(detail).contains("address " + a + " ").contains("segment-0000000000000001.log");
        corrupt++;
      } else {
        assertThat(after.get(a)).as("%s, address %d", what, a).isEqualTo(before.get(a));
      }
    }
    assertThat(corrupt).as(what).isLessThanOrEqualTo(1);
  }

  @Test
  void aFlippedBitInAFinishedFileIsServedByNobody() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = aBitOfEverything(disk);
    List<ReadOutcome> before = allOf(unit);
    unit.unit.close();
    String file = disk.logFiles().getFirst();
    int corrupt = 0;
    for (int offset = 0; offset < disk.bytesOf(file).length; offset++) {
      FaultDisk damaged = disk.copy();
      damaged.flip(file, offset, random.nextInt(8));
      List<ReadOutcome> after = allOf(reopened(damaged));
      assertOnlyReportedDamage(before, after, "a bit flipped at " + offset);
      corrupt += after.stream().anyMatch(ReadOutcome.Corrupt.class::isInstance) ? 1 : 0;
    }
    assertThat(corrupt).as("flips in entries").isGreaterThan(500);
  }

  @Test
  void aFlippedBitInAFileWithoutFooterIsReportedOrTheUnitDoesNotOpen() {
    FaultDisk disk = new FaultDisk();
    List<ReadOutcome> before = allOf(aBitOfEverything(disk));
    disk.killProcess();
    String file = disk.logFiles().getFirst();
    int refused = 0;
    for (int offset = 0; offset < 2200; offset++) {
      FaultDisk damaged = disk.copy();
      damaged.flip(file, offset, random.nextInt(8));
      try {
        assertOnlyReportedDamage(before, allOf(reopened(damaged)), "a bit flipped at " + offset);
      } catch (DamagedStorageException refusal) {
        assertThat(refusal).hasMessageContaining(file).hasMessageContaining("rebuild");
        refused++;
      }
    }
    assertThat(refused).as("flips in the file's header and in trims").isBetween(64, 400);
  }

  @Test
  void damageIsStillKnownAfterTheNextRestart() {
    FaultDisk disk = new FaultDisk();
    aBitOfEverything(disk);
    disk.killProcess();
    String file = disk.logFiles().getFirst();
    disk.flip(file, RecordFormat.FILE_HEADER_BYTES + 32 + 32 + 60, 3);
    List<ReadOutcome> first = allOf(reopened(disk));
    assertThat(first.get(2)).isInstanceOf(Found.class);
    disk.killProcess();
    assertThat(allOf(reopened(disk))).isEqualTo(first);
  }

  @Test
  void aCorruptEntryIsNeitherOverwrittenNorCalledUnwritten() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = aBitOfEverything(disk);
    long offset = payloadOf9(disk) + 7;
    disk.flip(disk.logFiles().getFirst(), offset, 1);
    assertThat(unit.read(9)).isInstanceOf(ReadOutcome.Corrupt.class);
    assertThat(unit.writeOne(entry(9))).isEqualTo(WriteOutcome.Corrupt.CORRUPT);
    assertThat(unit.copy(9, 10, 1 << 20).records().getFirst().outcome())
        .isInstanceOf(ReadOutcome.Corrupt.class);
  }

  private static long payloadOf9(FaultDisk disk) {
    byte[] file = disk.bytesOf(disk.logFiles().getFirst());
    byte[] wanted = new byte[300];
    entry(9, 300).payload().get(wanted);
    for (int at = 0; at + 300 < file.length; at++) {
      if (Arrays.equals(file, at, at + 300, wanted, 0, 300)) {
        return at;
      }
    }
    throw new AssertionError("entry 9 is not in its file");
  }

  @Test
  void aTailTornAnywhereIsCutAndTheRestIsThere() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    for (int i = 0; i < 10; i++) {
      unit.write(entry(i, 50));
    }
    disk.killProcess();
    String file = disk.logFiles().getFirst();
    int record = (int) RecordFormat.sizeOf(entry(0, 50).lengthBytes());
    int padding = record - RecordFormat.RECORD_HEADER_BYTES - entry(0, 50).lengthBytes();
    int first = RecordFormat.FILE_HEADER_BYTES + RecordFormat.RECORD_HEADER_BYTES;
    for (int size = first; size <= first + 10 * record; size++) {
      FaultDisk torn = disk.copy();
      torn.cut(file, size);
      UnitDriver after = reopened(torn);
      int whole = (size - first + padding) / record;
      assertThat(after.tail().next()).isEqualTo(whole);
      for (int i = 0; i < 10; i++) {
        ReadOutcome expected =
            i < whole ? new Found(entry(i, 50)) : ReadOutcome.Unwritten.UNWRITTEN;
        assertThat(after.read(i)).isEqualTo(expected);
      }
      assertThat(after.writeOne(entry(20))).isEqualTo(WriteOutcome.Written.WRITTEN);
    }
  }

  @Test
  void garbageBehindTheLastRecordIsCut() {
    for (int length = 1; length < 300; length += 7) {
      FaultDisk disk = new FaultDisk();
      UnitDriver unit = UnitDriver.started(disk, OPTIONS);
      unit.write(entry(1), entry(2));
      disk.killProcess();
      String file = disk.logFiles().getFirst();
      FaultDisk clean = disk.copy();
      reopened(clean);
      byte[] garbage = new byte[length];
      random.nextBytes(garbage);
      disk.append(file, garbage);
      UnitDriver after = reopened(disk);
      assertThat(after.read(1)).isEqualTo(new Found(entry(1)));
      assertThat(after.read(2)).isEqualTo(new Found(entry(2)));
      assertThat(after.read(3)).isEqualTo(ReadOutcome.Unwritten.UNWRITTEN);
      assertThat(disk.bytesOf(file)).isEqualTo(clean.bytesOf(file));
    }
  }

  @Test
  void anEpochFileThatIsDamagedInOnePlaceStillTellsWhatWasSealed() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.seal(1);
    unit.unit.close();
    for (int offset = 0; offset < disk.bytesOf("epoch").length; offset += 3) {
      FaultDisk damaged = disk.copy();
      damaged.flip("epoch", offset, random.nextInt(8));
      LogUnit after = reopened(damaged).unit;
      assertThat(after.detail()).isEqualTo("this log unit is sealed at epoch 1");
      assertThat(after.incarnation()).isEqualTo(unit.unit.incarnation());
    }
  }

  @Test
  void aUnitWhoseEpochFileIsDamagedInBothPlacesDoesNotOpen() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.seal(1);
    unit.unit.close();
    byte[] bytes = disk.bytesOf("epoch");
    int half = bytes.length / 2;
    int used = half;
    while (bytes[used - 1] == 0) {
      used--;
    }
    for (int offset = 0; offset < used; offset++) {
      FaultDisk damaged = disk.copy();
      damaged.flip("epoch", offset, random.nextInt(8));
      damaged.flip("epoch", half + offset, random.nextInt(8));
      assertThatThrownBy(() -> reopened(damaged))
          .isInstanceOf(DamagedStorageException.class)
          .hasMessageContaining("epoch");
    }
  }

  @Test
  void filesThatChangedTheirNamesAreRefused() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.write(entry(1));
    unit.unit.close();
    disk.rename(disk.logFiles().getFirst(), LogFileName.of(77));
    assertThatThrownBy(() -> reopened(disk))
        .isInstanceOf(DamagedStorageException.class)
        .hasMessageContaining("renamed");
  }

  @Test
  void aFailedSyncBreaksTheUnitAndARestartShowsWhatIsThere() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.write(entry(1));
    disk.syncsFail = true;
    assertThat(unit.write(entry(2))).isInstanceOf(Failure.Broken.class);
    disk.syncsFail = false;
    assertThat(unit.write(entry(3))).isInstanceOf(Failure.Broken.class);
    assertThat(unit.seal(1)).isInstanceOf(Failure.Broken.class);
    disk.crash(random);
    UnitDriver after = reopened(disk);
    assertThat(after.read(1)).isEqualTo(new Found(entry(1)));
    assertThat(after.read(2)).isIn(new Found(entry(2)), ReadOutcome.Unwritten.UNWRITTEN);
    assertThat(after.read(3)).isEqualTo(ReadOutcome.Unwritten.UNWRITTEN);
    assertThat(after.writeOne(entry(3))).isEqualTo(WriteOutcome.Written.WRITTEN);
  }

  @Test
  void epochsOutliveTheProcess() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.seal(4);
    disk.crash(random);
    UnitDriver after = reopened(disk);
    assertThat(after.unit.clusterId()).contains(UnitDriver.CLUSTER);
    assertThat(after.unit.epoch()).isEqualTo(new Epoch(4));
    assertThat(after.write(entry(1))).isEqualTo(new Failure.Sealed(new Epoch(4)));
  }
}
