package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.PayloadRange;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.FoundBlocks;
import corfu.protocol.message.LogUnitReply.Writes;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.ReadBlocks;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Parts of entries on the disk: how much is read, what damage does, and what is not durable. */
class LogUnitBlocksDamageTest {

  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(1 << 20);
  private static final int LARGE = 300_000;
  private static final Entry ENTRY = entry(3, LARGE);

  /** A mark stands before the first record. */
  private static final int ENTRY_AT =
      RecordFormat.FILE_HEADER_BYTES + 2 * RecordFormat.RECORD_HEADER_BYTES;

  private final FaultDisk disk = new FaultDisk();

  private static BlocksOutcome read(UnitDriver unit, int offset, int length) {
    return ((FoundBlocks) unit.ask(request(unit, offset, length))).outcomes().getFirst();
  }

  private static ReadBlocks request(UnitDriver unit, int offset, int length) {
    return new ReadBlocks(unit.epoch, List.of(new PayloadRange(3, offset, length)), 1 << 20);
  }

  private static BlocksOutcome.Found found(int offset, int length) {
    return new BlocksOutcome.Found(ENTRY.blocks(new PayloadRange(3, offset, length)).orElseThrow());
  }

  @Test
  void onlyTheNeededBlocksAreReadFromTheDisk() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.write(ENTRY);
    long before = disk.bytesRead;

    assertThat(read(unit, 16 * 4_096, 4_096)).isEqualTo(found(16 * 4_096, 4_096));
    assertThat(disk.bytesRead - before).isBetween(4_096L, 4_096L + 100);
  }

  @Test
  void aFlippedBitIsNeverShown() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.write(ENTRY);
    String file = disk.logFiles().getFirst();
    SplittableRandom random = new SplittableRandom(7);
    int corrupt = 0;
    for (int i = 0; i < 300; i++) {
      boolean inHeader = i < 150;
      int at = inHeader ? i - 32 : random.nextInt(LARGE);
      int bit = random.nextInt(8);
      disk.flip(file, ENTRY_AT + at, bit);
      BlocksOutcome outcome = read(unit, 100_000, 50_000);
      if (outcome instanceof BlocksOutcome.Corrupt(String detail)) {
        assertThat(detail).contains("address 3 ", "other replicas");
        corrupt++;
      } else {
        assertThat(outcome)
            .as("bit %s of byte %s", bit, at)
            .isIn(found(100_000, 50_000), new BlocksOutcome.Whole(ENTRY));
      }
      disk.flip(file, ENTRY_AT + at, bit);
    }
    assertThat(corrupt).isBetween(20, 200);
  }

  @Test
  void aDamagedBlockDoesNotHideTheOthersAndIsReportedForRepair() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.write(ENTRY);
    int payloadAt = ENTRY.lengthBytes() - LARGE;
    disk.flip(disk.logFiles().getFirst(), ENTRY_AT + payloadAt + 100_000, 2);

    assertThat(read(unit, 0, 50_000)).isEqualTo(found(0, 50_000));
    assertThat(unit.unit.corrupt(10)).isEmpty();
    assertThat(read(unit, 99_999, 2)).isInstanceOf(BlocksOutcome.Corrupt.class);
    assertThat(unit.unit.corrupt(10)).containsExactly(3L);

    unit.repair(ENTRY);
    assertThat(read(unit, 99_999, 2)).isEqualTo(found(99_999, 2));
  }

  @Test
  void anEntryThatIsNotDurableYetIsNotShown() {
    var syncs = new UnitDriver.StepOffload();
    UnitDriver unit =
        new UnitDriver(
            LogUnit.open(disk, OPTIONS, new UnitDriver.StillWorld(1), syncs, Offload.inline()));
    unit.epoch = new Epoch(1);
    List<Reply> installed = unit.send(new LogUnitRequest.Install(unit.layout(1)));
    unit.unit.turnEnded();
    syncs.all();
    assertThat(installed).containsExactly(Reply.Done.DONE);

    List<Reply> written = unit.send(new LogUnitRequest.Write(unit.epoch, List.of(ENTRY)));
    List<Reply> parts = unit.send(request(unit, 0, 10));
    unit.unit.turnEnded();
    assertThat(written).isEmpty();
    assertThat(parts).isEmpty();

    syncs.all();
    assertThat(written.getFirst()).isInstanceOf(Writes.class);
    assertThat(parts).containsExactly(new FoundBlocks(List.of(found(0, 10))));
  }

  @Test
  void compactedEntriesAreReadFromTheirNewPlace() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.write(ENTRY);
    for (long address = 10; address < 60; address++) {
      unit.write(entry(address, LARGE));
      unit.trim(address);
    }
    assertThat(read(unit, 123_456, 4_096)).isEqualTo(found(123_456, 4_096));

    unit.unit.close();
    UnitDriver again = UnitDriver.opened(disk, OPTIONS);
    again.epoch = again.unit.epoch();
    assertThat(read(again, 123_456, 4_096)).isEqualTo(found(123_456, 4_096));
  }
}
