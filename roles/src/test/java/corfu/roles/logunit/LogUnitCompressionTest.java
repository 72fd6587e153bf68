package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.Lease;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A unit compresses a prefix of the log, and its readers notice nothing. */
class LogUnitCompressionTest {

  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(128 << 10);
  private static final StreamId STREAM = new StreamId(1, 2);
  private static final long ADDRESSES = 600;

  private final FaultDisk disk = new FaultDisk();

  /** Returns an entry of words, which compresses well, in a stream. */
  private static Entry text(long address, int bytes) {
    StringBuilder words = new StringBuilder("entry " + address + ":");
    for (long i = 0; words.length() < bytes; i++) {
      words.append(" the log has ").append(address * i % 97).append(" of them,");
    }
    StreamHeader place = in(STREAM, address);
    byte[] payload = words.substring(0, bytes).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    return Entry.data(address, new AppendId(address, 7), List.of(place), ByteBuffer.wrap(payload));
  }

  private static void fill(UnitDriver unit, long from, long to) {
    for (long a = from; a < to; a += 20) {
      List<Entry> entries = new ArrayList<>();
      for (long b = a; b < Math.min(to, a + 20); b++) {
        entries.add(text(b, 500));
      }
      unit.write(entries.toArray(Entry[]::new));
    }
  }

  private UnitDriver filled() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    fill(unit, 0, ADDRESSES);
    return unit;
  }

  private UnitDriver reopened(UnitDriver before) {
    before.unit.close();
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
    return unit;
  }

  private static void hasAll(UnitDriver unit) {
    assertThat(LongStream.range(0, ADDRESSES).mapToObj(unit::read))
        .containsExactlyElementsOf(
            LongStream.range(0, ADDRESSES)
                .mapToObj(a -> (ReadOutcome) new ReadOutcome.Found(text(a, 500)))
                .toList());
  }

  @Test
  void compressedEntriesAreReadAsTheyWereWritten() {
    UnitDriver unit = filled();
    long before = unit.usage().fileBytes();

    unit.compressBefore(ADDRESSES);

    LogUnitReply.Compressed told = unit.compressed();
    assertThat(told.before()).isEqualTo(ADDRESSES);
    assertThat(told.waitingBytes()).isZero();
    assertThat(told.plainBytes()).isGreaterThan(ADDRESSES * 600);
    assertThat(told.storedBytes()).isLessThan(told.plainBytes() / 3);
    assertThat(told.detail()).isEmpty();
    assertThat(unit.usage().fileBytes())
        .isLessThan(before - told.plainBytes() + told.storedBytes() + OPTIONS.logFileBytes());
    hasAll(unit);
    assertThat(unit.newestOf(STREAM, 2)).containsExactly(599L, 599L, 598L, 598L);
  }

  @Test
  void aRestartFindsCompressedFilesAsTheyWere() {
    UnitDriver unit = filled();
    unit.compressBefore(ADDRESSES);
    LogUnitReply.Compressed told = unit.compressed();

    UnitDriver again = reopened(unit);

    assertThat(again.compressed()).isEqualTo(told);
    hasAll(again);
    assertThat(again.newestOf(STREAM, 2)).containsExactly(599L, 599L, 598L, 598L);
  }

  @Test
  void theAddressIsRememberedForFilesThatAreFinishedLater() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.compressBefore(ADDRESSES);
    unit = reopened(unit);

    fill(unit, 0, ADDRESSES);

    assertThat(unit.compressed().before()).isEqualTo(ADDRESSES);
    assertThat(unit.compressed().plainBytes()).isGreaterThan(2 * OPTIONS.logFileBytes());
    hasAll(unit);
  }

  @Test
  void aLowerAddressChangesNothing() {
    UnitDriver unit = filled();
    unit.compressBefore(ADDRESSES);
    LogUnitReply.Compressed told = unit.compressed();

    unit.compressBefore(3);

    assertThat(unit.compressed()).isEqualTo(told);
  }

  @Test
  void filesThatHoldMostlyLaterEntriesStayAsTheyAre() {
    UnitDriver unit = filled();

    unit.compressBefore(20);

    assertThat(unit.compressed().plainBytes()).isZero();
    assertThat(unit.compressed().waitingBytes()).isZero();
    unit.compressBefore(150);
    assertThat(unit.compressed().plainBytes()).isBetween(100_000L, 140_000L);
    hasAll(unit);
  }

  @Test
  void aReadOfOneEntryDecompressesOneBlockOrTwo() {
    UnitDriver unit = filled();
    unit.compressBefore(ADDRESSES);
    UnitDriver again = reopened(unit);
    var unused = again.read(300); // opens the file
    disk.bytesRead = 0;
    disk.reads = 0;

    assertThat(again.read(250)).isEqualTo(new ReadOutcome.Found(text(250, 500)));

    assertThat(disk.reads).isLessThanOrEqualTo(2);
    assertThat(disk.bytesRead).isLessThan(20_000);
  }

  @Test
  void partsOfLargeEntriesAreReadWithTheirChecksums() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.write(text(0, 60_000), text(1, 100_000), entry(2, 50_000));
    unit.compressBefore(3);

    assertThat(unit.compressed().plainBytes()).isGreaterThan(200_000);
    hasParts(unit);
    hasParts(reopened(unit));
  }

  private static void hasParts(UnitDriver unit) {
    for (long address = 0; address < 3; address++) {
      PayloadRange range = new PayloadRange(address, 20_000, 5_000);
      Reply reply = unit.ask(new LogUnitRequest.ReadBlocks(unit.epoch, List.of(range), 1 << 20));
      assertThat(((LogUnitReply.FoundBlocks) reply).outcomes().getFirst())
          .isInstanceOfSatisfying(
              BlocksOutcome.Found.class, found -> assertThat(found.blocks().isIntact()).isTrue());
    }
  }

  @Test
  void incompressibleBlocksAreStoredAsTheyAre() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.fillUp(0, 300, 900);

    unit.compressBefore(300);

    LogUnitReply.Compressed told = unit.compressed();
    assertThat(told.plainBytes()).isPositive();
    assertThat(told.storedBytes()).isLessThan(told.plainBytes() * 101 / 100);
    for (long a = 0; a < 300; a++) {
      assertThat(unit.read(a)).isEqualTo(new ReadOutcome.Found(entry(a, 900)));
    }
  }

  @Test
  void trimsTakeEntriesOutOfCompressedFilesAndCompactionEmptiesThem() {
    UnitDriver unit = filled();
    unit.write(hole(ADDRESSES));
    unit.compressBefore(ADDRESSES);
    long[] most = LongStream.range(0, ADDRESSES).filter(a -> a % 40 != 0).toArray();

    unit.trim(most);

    assertThat(unit.read(1)).isEqualTo(ReadOutcome.Trimmed.TRIMMED);
    assertThat(unit.read(40)).isEqualTo(new ReadOutcome.Found(text(40, 500)));
    assertThat(unit.compressed().storedBytes()).isLessThan(50_000); // some files were emptied
    UnitDriver again = reopened(unit);
    for (long a = 0; a < ADDRESSES; a++) {
      assertThat(again.read(a))
          .isEqualTo(
              a % 40 == 0 ? new ReadOutcome.Found(text(a, 500)) : ReadOutcome.Trimmed.TRIMMED);
    }
  }

  @Test
  void aFullDiskKeepsTheOldFile() {
    UnitDriver unit = filled();
    disk.capacity = disk.usedBytes() + 20_000;

    unit.compressBefore(ADDRESSES);

    assertThat(unit.compressed().plainBytes()).isZero();
    assertThat(unit.compressed().waitingBytes()).isPositive();
    assertThat(unit.compressed().detail()).contains("no room");
    hasAll(unit);
    disk.capacity = Long.MAX_VALUE;
    unit.unit.turnEnded();
    assertThat(unit.compressed().waitingBytes()).isZero();
    assertThat(unit.compressed().plainBytes()).isPositive();
    hasAll(unit);
  }

  @Test
  void aDiskThatIsFullWithoutNoticeKeepsTheOldFile() {
    filled().unit.close();
    for (int late = 1; late < 40; late++) {
      FaultDisk full = disk.copy();
      UnitDriver unit = UnitDriver.opened(full, OPTIONS);
      unit.epoch = unit.unit.epoch();
      full.fullAt = full.effects + late;

      unit.compressBefore(ADDRESSES);

      hasAll(unit);
      unit.compressBefore(ADDRESSES);
      assertThat(unit.compressed().waitingBytes()).isZero();
      assertThat(full.list()).noneMatch(name -> name.startsWith("compressed-"));
      hasAll(unit);
    }
  }

  @Test
  void aCrashAtAnyStepLeavesEveryEntry() {
    filled().unit.close();
    int last = Integer.MAX_VALUE;
    for (int step = 1; step <= last; step++) {
      for (long seed = 0; seed < 4; seed++) {
        FaultDisk crashing = disk.copy();
        UnitDriver unit = UnitDriver.opened(crashing, OPTIONS);
        unit.epoch = unit.unit.epoch();
        crashing.crashAt = crashing.effects + step;
        unit.compressBefore(ADDRESSES);
        last = crashing.effects < crashing.crashAt ? step : last; // there are no more steps
        crashing.crash(new java.util.SplittableRandom(seed));
        UnitDriver again = UnitDriver.opened(crashing, OPTIONS);
        again.epoch = again.unit.epoch();
        hasAll(again);
        again.compressBefore(ADDRESSES);
        assertThat(again.compressed().waitingBytes()).isZero();
        hasAll(again);
      }
    }
    assertThat(last).isBetween(15, 200);
  }

  @Test
  void aResetGivesUpARunningCompression() {
    UnitDriver.StepOffload background = new UnitDriver.StepOffload();
    filled().unit.close();
    var world = new UnitDriver.StillWorld(1);
    UnitDriver unit =
        new UnitDriver(
            LogUnit.open(disk, OPTIONS, world, corfu.world.Offload.inline(), background));
    unit.epoch = unit.unit.epoch();
    unit.compressBefore(ADDRESSES);
    for (int i = 0; i < 9; i++) {
      background.step();
    }
    assertThat(disk.list()).anyMatch(name -> name.startsWith("compressed-"));

    unit.install(unit.foreign(2));
    List<Reply> replies = unit.send(new LogUnitRequest.Reset(new Epoch(2)));
    for (unit.unit.turnEnded(); background.isWaiting(); unit.unit.turnEnded()) {
      background.step();
    }

    assertThat(replies).first().isInstanceOf(LogUnitReply.Blank.class);
    assertThat(disk.list()).noneMatch(name -> name.startsWith("compressed-"));
    assertThat(disk.logFiles()).isEmpty();
  }

  @Test
  void unitsInMemoryCompressNothingAndSaySo() {
    LogUnit unit =
        LogUnit.inMemory(
            LogUnitOptions.inMemory(4 << 20), new UnitDriver.StillWorld(1), Lease.always());
    UnitDriver driver = new UnitDriver(unit);
    driver.install(1);
    fill(driver, 0, ADDRESSES);

    driver.compressBefore(ADDRESSES);

    assertThat(driver.compressed())
        .isEqualTo(
            new LogUnitReply.Compressed(
                0,
                0,
                0,
                0,
                "this log unit holds its entries in memory and does not compress them"));
    hasAll(driver);
  }

  @Test
  void aMapOfSizesShowsWhatCompressionIsWorth() {
    TreeMap<Integer, Double> ratios = new TreeMap<>();
    for (int bytes : new int[] {100, 500, 4_000}) {
      FaultDisk one = new FaultDisk();
      UnitDriver unit = UnitDriver.started(one, OPTIONS);
      for (long a = 0; a < 300_000 / bytes; a++) {
        unit.write(text(a, bytes));
      }
      unit.compressBefore(300_000 / bytes);
      LogUnitReply.Compressed told = unit.compressed();
      ratios.put(bytes, (double) told.plainBytes() / told.storedBytes());
    }
    assertThat(ratios.values()).allMatch(ratio -> ratio > 3);
  }
}
