package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome.Found;
import corfu.protocol.message.LogUnitReply.SealedAt;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.logfile.Inventory;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.DiskFullException;
import corfu.world.Offload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Space is bounded and is freed again, and freeing space needs none. */
class LogUnitSpaceTest {

  private static final int SEGMENT = 64 << 10;
  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(SEGMENT);

  /** The bound that is reached. */
  enum Bound {
    CAPACITY,
    DISK,
    MEMORY
  }

  private static UnitDriver bounded(Bound bound, FaultDisk disk) {
    long capacity = 10L * SEGMENT;
    var options = OPTIONS;
    if (bound == Bound.DISK) {
      disk.capacity = capacity;
    } else {
      options = options.withCapacityBytes(capacity);
    }
    if (bound == Bound.MEMORY) {
      var memory = LogUnitOptions.inMemory(capacity).withLogFileBytes(SEGMENT);
      var unit = new UnitDriver(LogUnit.inMemory(memory, new UnitDriver.StillWorld(1)));
      unit.install(1);
      return unit;
    }
    return UnitDriver.started(disk, options);
  }

  private static long writeUntilFull(UnitDriver unit, long from) {
    long next = from;
    while (unit.writeOne(entry(next, 1000)).equals(WriteOutcome.Written.WRITTEN)) {
      next++;
      assertThat(next).as("a bounded unit becomes full").isLessThan(from + 10_000);
    }
    return next;
  }

  @ParameterizedTest
  @EnumSource(Bound.class)
  void aFullUnitRefusesDataReadsOnAndTakesDataAgainAfterAPrefixTrim(Bound bound) {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = bounded(bound, disk);
    long end = 0;
    for (int round = 0; round < 5; round++) {
      long start = end;
      end = writeUntilFull(unit, start);
      assertThat(end - start).as("entries in round %d", round).isGreaterThan(200);
      assertThat(unit.writeOne(entry(end, 1000))).isEqualTo(WriteOutcome.NoSpace.NO_SPACE);
      for (long a = start; a < end; a++) {
        assertThat(unit.read(a)).isEqualTo(new Found(entry(a, 1000)));
      }
      assertThat(unit.writeOne(hole(end))).isEqualTo(WriteOutcome.Written.WRITTEN);
      assertThat(unit.trim(end - 1)).isEqualTo(Reply.Done.DONE);
      assertThat(unit.seal(unit.epoch.value())).isInstanceOf(SealedAt.class);
      unit.install(unit.epoch.value() + 1);
      assertThat(unit.prefixTrim(end)).isEqualTo(Reply.Done.DONE);
      end++;
    }
  }

  @ParameterizedTest
  @EnumSource(Bound.class)
  void aFullUnitGetsSpaceBackFromSparseTrims(Bound bound) {
    UnitDriver unit = bounded(bound, new FaultDisk());
    long end = writeUntilFull(unit, 0);
    unit.trim(LongStream.range(0, end).filter(a -> a % 5 != 0).toArray());
    long more = writeUntilFull(unit, end);
    assertThat(more - end).as("entries written after the trim").isGreaterThan(150);
    for (long a = 0; a < end; a++) {
      assertThat(unit.read(a))
          .isEqualTo(a % 5 == 0 ? new Found(entry(a, 1000)) : ReadOutcome.Trimmed.TRIMMED);
    }
  }

  @Test
  void onASmallDiskAUnitTakesEntriesInSmallFiles() {
    FaultDisk disk = new FaultDisk();
    disk.capacity = 4 << 20;
    LogUnitOptions usual = LogUnitOptions.onDisk(UnitMode.DURABLE);
    assertThat(UnitDriver.started(disk, usual).writeOne(entry(0)))
        .as("in files of the usual size")
        .isEqualTo(WriteOutcome.NoSpace.NO_SPACE);
    disk.killProcess();

    UnitDriver unit = UnitDriver.opened(disk, usual.fittedTo(disk));
    unit.install(1);

    long entries = writeUntilFull(unit, 0);
    assertThat(entries * 1000).as("bytes of entries").isGreaterThan(disk.capacity * 8 / 10);
    disk.killProcess();
    UnitDriver again = UnitDriver.opened(disk, usual.fittedTo(disk));
    again.install(2);
    assertThat(again.read(entries - 1)).isEqualTo(new Found(entry(entries - 1, 1000)));
    assertThat(again.prefixTrim(entries)).isEqualTo(Reply.Done.DONE);
    assertThat(again.writeOne(entry(entries))).isEqualTo(WriteOutcome.Written.WRITTEN);
  }

  @Test
  void aNewUnitDoesNotStartOnADiskWithoutRoom() {
    FaultDisk disk = new FaultDisk();
    disk.capacity = 100 << 10;

    assertThatThrownBy(() -> LogUnitOptions.onDisk(UnitMode.DURABLE).fittedTo(disk))
        .isInstanceOf(DiskFullException.class)
        .hasMessageContaining("1,048,576");
  }

  @Test
  void onALargeDiskFilesHaveTheirUsualSize() {
    FaultDisk disk = new FaultDisk();
    disk.capacity = 8L << 30;
    LogUnitOptions usual = LogUnitOptions.onDisk(UnitMode.DURABLE);

    assertThat(usual.fittedTo(disk)).isEqualTo(usual);
  }

  /** A file that was not emptied for lack of room is emptied after there is room. */
  @ParameterizedTest
  @EnumSource(Bound.class)
  void spaceComesBackFromSparseTrimsHoweverOftenTheUnitWasFull(Bound bound) {
    UnitDriver unit = bounded(bound, new FaultDisk());
    long end = 0;
    for (int round = 0; round < 12; round++) {
      long start = end;
      end = writeUntilFull(unit, start);
      assertThat(unit.usage().freeBytes()).as("free of a full unit").isZero();
      assertThat(end - start).as("entries in round %d", round).isGreaterThan(150);
      unit.trim(LongStream.range(start, end).filter(a -> a % 4 != 0).toArray());
      assertThat(unit.usage().freeBytes()).as("free after the trim").isPositive();
      assertThat(unit.usage().fileBytes())
          .as("files in round %d", round)
          .isLessThan(2 * unit.usage().liveBytes() + 2 * SEGMENT);
      if (round % 4 == 3) {
        unit.prefixTrim(end);
      }
    }
  }

  @Test
  void aUnitThatRestartsOnAFullDiskCanBeTrimmedAndFilledAgain() {
    FaultDisk disk = new FaultDisk();
    long end = writeUntilFull(bounded(Bound.DISK, disk), 0);
    disk.killProcess();
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
    assertThat(unit.read(0)).isEqualTo(new Found(entry(0, 1000)));
    assertThat(unit.prefixTrim(end)).isEqualTo(Reply.Done.DONE);
    assertThat(writeUntilFull(unit, end) - end).isGreaterThan(200);
  }

  @Test
  void sparseTrimsGiveTheDisksSpaceBackAndKeepWhatIsAlive() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    for (long a = 0; a < 2000; a += 10) {
      unit.fillUp(a, a + 10, 500);
    }
    long before = disk.usedBytes();
    for (long a = 0; a < 2000; a += 100) {
      unit.trim(LongStream.range(a, a + 100).filter(b -> b % 10 != 0).toArray());
    }
    assertThat(disk.usedBytes()).isLessThan(before / 2);
    long keptTwice = disk.bytesOf("epoch").length + disk.bytesOf(Inventory.NAME).length;
    assertThat(unit.usage().fileBytes()).isGreaterThanOrEqualTo(disk.usedBytes() - keptTwice);
    for (int life = 0; life < 2; life++) {
      for (long a = 0; a < 2000; a++) {
        assertThat(unit.read(a))
            .isEqualTo(a % 10 == 0 ? new Found(entry(a, 500)) : ReadOutcome.Trimmed.TRIMMED);
      }
      unit.unit.close();
      unit = UnitDriver.opened(disk, OPTIONS);
      unit.epoch = unit.unit.epoch();
    }
  }

  @Test
  void aFileThatHasLostItsEndIsNotTakenForOneThatNeverHadMore() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    for (long a = 0; a < 100; a += 10) {
      unit.fillUp(a, a + 10, 1000);
    }
    String first = disk.logFiles().getFirst();
    disk.cut(first, startOf(30, 1000, disk.bytesOf(first)));

    unit.trim(LongStream.range(0, 45).toArray());

    for (long a = 45; a < 60; a++) {
      assertThat(unit.read(a)).isInstanceOf(ReadOutcome.Corrupt.class);
      assertThat(unit.repair(entry(a, 1000))).isEqualTo(WriteOutcome.Written.WRITTEN);
      assertThat(unit.read(a)).isEqualTo(new Found(entry(a, 1000)));
    }
    assertThat(unit.read(65)).isEqualTo(new Found(entry(65, 1000)));
  }

  /** Returns the offset of an entry's record in a file. */
  private static long startOf(long address, int bytes, byte[] file) {
    byte[] payload = new byte[bytes];
    Entry entry = entry(address, bytes);
    entry.payload().get(payload);
    int at = 0;
    while (!Arrays.equals(file, at, at + bytes, payload, 0, bytes)) {
      at++;
    }
    return at + bytes - entry.lengthBytes() - RecordFormat.RECORD_HEADER_BYTES;
  }

  @Test
  void oneLargeDeadEntryAmongManySmallLiveOnesIsWorthACompaction() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.fillUp(0, 50, 100);
    unit.write(entry(50, 50_000));
    unit.fillUp(51, 1000, 100);
    String first = disk.logFiles().getFirst();
    unit.trim(50);
    assertThat(disk.logFiles()).doesNotContain(first);
    assertThat(unit.read(49)).isEqualTo(new Found(entry(49, 100)));
  }

  @Test
  void aPrefixTrimDropsWholeFilesAtOnce() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.fillUp(0, 1000, 1000);
    assertThat(disk.logFiles()).hasSizeGreaterThan(15);
    unit.prefixTrim(1000);
    assertThat(disk.logFiles()).hasSize(1);
    assertThat(disk.usedBytes()).isLessThan(3 * SEGMENT);
    assertThat(unit.usage().entries()).isZero();
  }

  @Test
  void manyRestartsDoNotLeaveManyFiles() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    for (long life = 0; life < 60; life++) {
      unit.write(entry(life));
      unit.unit.close();
      unit = UnitDriver.opened(disk, OPTIONS);
      unit.epoch = unit.unit.epoch();
    }
    assertThat(disk.logFiles()).hasSizeLessThan(20);
    for (long a = 0; a < 60; a++) {
      assertThat(unit.read(a)).isEqualTo(new Found(entry(a)));
    }
  }

  @Test
  void aRestartReadsFootersAndNotEntries() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.fillUp(0, 2000, 1000);
    unit.unit.close();
    disk.bytesRead = 0;
    UnitDriver after = UnitDriver.opened(disk, OPTIONS);
    assertThat(disk.bytesRead).isLessThan(disk.usedBytes() / 20);
    after.epoch = after.unit.epoch();
    assertThat(after.read(1234)).isEqualTo(new Found(entry(1234, 1000)));
  }

  @Test
  void openFilesAreBounded() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS.withOpenFiles(3));
    unit.fillUp(0, 1500, 1000);
    var random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) {
      long a = random.nextLong(1500);
      assertThat(unit.read(a)).isEqualTo(new Found(entry(a, 1000)));
    }
    assertThat(disk.openFiles).isLessThanOrEqualTo(3 + 2);
  }

  @Test
  void aBulkReadOfNeighboursIsNotOneReadAnEntry() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.fillUp(0, 150, 256);
    disk.reads = 0;
    assertThat(unit.read(new AddressSet.Strided(0, 1, 150), 1 << 20)).hasSize(150);
    assertThat(disk.reads).isEqualTo(1);
  }

  @Test
  void aDiskThatIsFullAtAnyMomentLosesNothing() {
    for (long seed = 0; seed < 100; seed++) {
      try {
        FaultDisk disk = new FaultDisk();
        var workload = new RandomWorkload(seed, disk, OPTIONS.withLogFileBytes(16 << 10));
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 6; i++) {
          disk.fullAt = disk.effects + 1 + random.nextInt(60);
          workload.run(50);
        }
        disk.fullAt = Integer.MAX_VALUE;
        workload.run(20);
        workload.finish();
        workload.verify();
        disk.fullAt = disk.effects + 1 + random.nextInt(30);
        disk.crashAt = disk.fullAt + random.nextInt(8);
        workload.run(50);
        workload.crash(true);
        workload.run(20);
        workload.finish();
        workload.verify();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  /** Uses the last part of the reserve; even there the trims find no space. */
  @Test
  void trimsThatFindNoSpaceAreRefusedUntilThereIsSome() {
    FaultDisk disk = new FaultDisk();
    disk.capacity = 10L * SEGMENT;
    var world = new UnitDriver.StillWorld(1);
    UnitDriver unit =
        new UnitDriver(LogUnit.open(disk, OPTIONS, world, Offload.inline(), Offload.inline()));
    unit.install(1);
    long end = writeUntilFull(unit, 0);
    unit.trim(1);
    long holes = end;
    while (unit.writeOne(hole(holes)).equals(WriteOutcome.Written.WRITTEN)) {
      holes++;
    }
    disk.capacity = disk.usedBytes();
    disk.fullAt = disk.effects + 1;
    assertThat(unit.trim(3, 4, end + 1)).isInstanceOf(Failure.Overloaded.class);
    for (int again = 0; again < 3; again++) {
      assertThat(unit.trim(3, 600)).isInstanceOf(Failure.Overloaded.class);
      assertThat(unit.prefixTrim(10)).isInstanceOf(Failure.Overloaded.class);
      assertThat(unit.writeOne(entry(holes))).isEqualTo(WriteOutcome.NoSpace.NO_SPACE);
      assertThat(unit.read(1)).isEqualTo(ReadOutcome.Trimmed.TRIMMED);
      assertThat(unit.read(3)).isEqualTo(new Found(entry(3, 1000)));
      assertThat(unit.read(end + 1)).isEqualTo(new Found(hole(end + 1)));
    }
    disk.capacity = 20L * SEGMENT;
    world.nanos += 2_000_000_000L;
    assertThat(unit.trim(3, 4, end + 1)).isEqualTo(Reply.Done.DONE);
    assertThat(unit.writeOne(entry(holes))).isEqualTo(WriteOutcome.Written.WRITTEN);
    for (int life = 0; life < 2; life++) {
      assertThat(unit.read(1)).isEqualTo(ReadOutcome.Trimmed.TRIMMED);
      assertThat(unit.read(3)).isEqualTo(ReadOutcome.Trimmed.TRIMMED);
      assertThat(unit.read(5)).isEqualTo(new Found(entry(5, 1000)));
      assertThat(unit.read(end + 1)).isEqualTo(ReadOutcome.Trimmed.TRIMMED);
      disk.killProcess();
      unit = UnitDriver.opened(disk, OPTIONS);
      unit.epoch = unit.unit.epoch();
    }
  }

  @Test
  void moreThanMayGatherIsOverloaded() {
    var syncs = new UnitDriver.StepOffload();
    var options = OPTIONS.withGatherBytes(3000);
    var unit =
        new UnitDriver(
            LogUnit.open(
                new FaultDisk(), options, new UnitDriver.StillWorld(1), syncs, Offload.inline()));
    List<Reply> replies = new ArrayList<>(unit.send(new LogUnitRequest.Install(unit.layout(1))));
    unit.unit.turnEnded();
    syncs.all();
    replies.addAll(send(unit, 1));
    unit.unit.turnEnded(); // starts the write
    replies.addAll(send(unit, 2));
    replies.addAll(send(unit, 3));
    assertThat(send(unit, 4)).hasOnlyElementsOfType(Failure.Overloaded.class).hasSize(1);
    syncs.all();
    assertThat(unit.read(4)).isEqualTo(ReadOutcome.Unwritten.UNWRITTEN);
    assertThat(unit.read(3)).isEqualTo(new Found(entry(3, 1000)));
  }

  private static List<Reply> send(UnitDriver unit, long address) {
    return unit.send(new LogUnitRequest.Write(unit.epoch, List.of(entry(address, 1000))));
  }
}
