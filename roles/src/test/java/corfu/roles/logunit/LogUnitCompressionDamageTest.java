package corfu.roles.logunit;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A damaged compressed file never shows a wrong entry, and is repaired like any other file. */
class LogUnitCompressionDamageTest {

  private static final long SECOND = 1_000_000_000L;
  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE)
          .withLogFileBytes(128 << 10)
          .withScrub(new ScrubRate(1 << 20, Duration.ZERO));
  private static final long ADDRESSES = 180;

  /** The offset of the first block's content in a compressed file. */
  private static final int FIRST_BLOCK = 64 + 16;

  private final FaultDisk disk = new FaultDisk();
  private final UnitDriver.StillWorld world = new UnitDriver.StillWorld(1);
  private UnitDriver unit = opened(disk);

  private UnitDriver opened(FaultDisk from) {
    UnitDriver driver =
        new UnitDriver(LogUnit.open(from, OPTIONS, world, Offload.inline(), Offload.inline()));
    driver.epoch = driver.unit.epoch();
    return driver;
  }

  private static Entry text(long address) {
    String words = ("entry " + address + " says hello to the log; ").repeat(20);
    return Entry.data(
        address,
        new AppendId(address, 7),
        ByteBuffer.wrap(words.getBytes(StandardCharsets.US_ASCII)));
  }

  /** Leaves one compressed file with all entries, and returns its name. */
  private String compressed() {
    unit.install(1);
    for (long a = 0; a < ADDRESSES; a++) {
      unit.write(text(a));
    }
    unit.compressBefore(ADDRESSES);
    assertThat(unit.compressed().plainBytes()).isGreaterThan(100_000);
    assertThat(disk.logFiles()).hasSizeLessThanOrEqualTo(2);
    return disk.logFiles().getFirst();
  }

  private void restart() {
    unit.unit.close();
    unit = opened(disk);
  }

  /** Scrubs until all present content has been read. */
  private void scrub() {
    long rounds = unit.scrubbed().rounds();
    for (int i = 0; i < 100 && unit.scrubbed().rounds() < rounds + 2; i++) {
      world.nanos += SECOND;
      unit.unit.scrub();
    }
  }

  private static List<Long> corruptOf(UnitDriver driver) {
    List<Long> corrupt = new ArrayList<>();
    for (long a = 0; a < ADDRESSES; a++) {
      switch (driver.read(a)) {
        case ReadOutcome.Found(Entry found) -> assertThat(found).isEqualTo(text(a));
        case ReadOutcome.Corrupt unreadable -> corrupt.add(a);
        case ReadOutcome other -> throw new AssertionError(a + " is " + other);
      }
    }
    return corrupt;
  }

  @Test
  void onlyTheEntriesOfADamagedBlockAreCorruptAndARepairBringsThemBack() {
    disk.flip(compressed(), FIRST_BLOCK + 9, 3);
    restart();

    List<Long> corrupt = corruptOf(unit);

    assertThat(corrupt).isNotEmpty().hasSizeLessThan(50).startsWith(0L);
    for (long address : corrupt) {
      assertThat(unit.repair(text(address))).isEqualTo(WriteOutcome.Written.WRITTEN);
    }
    assertThat(corruptOf(unit)).isEmpty();
    restart();
    assertThat(corruptOf(unit)).isEmpty();
  }

  @Test
  void theScrubberFindsADamagedBlockBeforeAReader() {
    disk.flip(compressed(), FIRST_BLOCK + 9, 3);

    scrub();

    assertThat(unit.scrubbed().found()).isPositive();
    assertThat(unit.unit.corrupt(1000)).isEqualTo(corruptOf(unit));
  }

  @Test
  void aFileWithADamagedDescriptionIsReadAndWrittenElsewhere() {
    String name = compressed();
    int size = disk.bytesOf(name).length;
    for (int at : List.of(20, size - 30, size - 70)) { // headers and table
      FaultDisk damaged = disk.copy();
      damaged.flip(name, at, 1);
      unit = opened(damaged);
      assertThat(corruptOf(unit)).isEmpty();

      scrub();

      assertThat(damaged.logFiles()).doesNotContain(name);
      assertThat(corruptOf(unit)).isEmpty();
      assertThat(corruptOf(opened(damaged))).isEmpty();
    }
  }

  @Test
  void noFlippedBitShowsAWrongEntry() {
    String name = compressed();
    unit.unit.close();
    int size = disk.bytesOf(name).length;
    int readable = 0;
    int refused = 0;
    for (int at = 0; at < size; at += at < 200 || at > size - 200 ? 1 : 37) {
      FaultDisk damaged = disk.copy();
      damaged.flip(name, at, at % 8);
      try {
        readable += corruptOf(opened(damaged)).isEmpty() ? 1 : 0;
      } catch (DamagedStorageException damage) {
        refused++;
      }
    }
    assertThat(readable).isGreaterThan(200);
    assertThat(refused).isZero();
  }

  @Test
  void aCutFileIsNoticed() {
    String name = compressed();
    unit.unit.close();
    int size = disk.bytesOf(name).length;
    for (int kept : List.of(0, 10, 64, 5_000, size / 2, size - 65, size - 1)) {
      FaultDisk damaged = disk.copy();
      damaged.cut(name, kept);
      try {
        var unused = corruptOf(opened(damaged));
      } catch (DamagedStorageException damage) {
        assertThat(kept).isLessThan(size - 100);
      }
    }
  }
}
