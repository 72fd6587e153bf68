package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Damage by a disk is found in time, and repaired from other replicas. */
class LogUnitScrubTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long ADDRESSES = 24;
  private static final StreamId STREAM = new StreamId(1, 2);

  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE)
          .withLogFileBytes(16 << 10)
          .withScrub(new ScrubRate(1 << 20, Duration.ZERO));

  private final RandomGenerator random = new SplittableRandom(8);

  /** A unit that is scrubbed as time passes. */
  private static final class Scrubbed {
    final UnitDriver.StillWorld world;
    final UnitDriver unit;

    Scrubbed(FaultDisk disk, LogUnitOptions options) {
      world = new UnitDriver.StillWorld(disk.effects);
      unit = new UnitDriver(LogUnit.open(disk, options, world, Offload.inline(), Offload.inline()));
      unit.epoch = unit.unit.epoch();
    }

    static Scrubbed opened(FaultDisk disk) {
      return new Scrubbed(disk, OPTIONS);
    }

    static Scrubbed started(FaultDisk disk) {
      Scrubbed fresh = opened(disk);
      fresh.unit.install(1);
      return fresh;
    }

    void scrubFor(long nanos) {
      world.nanos += nanos;
      unit.unit.scrub();
    }

    /** Scrubs until all present content has been read. */
    void scrub() {
      long rounds = unit.scrubbed().rounds();
      for (int i = 0; i < 100 && unit.scrubbed().rounds() < rounds + 2; i++) {
        scrubFor(SECOND);
      }
      assertThat(unit.scrubbed().rounds()).isGreaterThanOrEqualTo(rounds + 2);
    }
  }

  private static List<ReadOutcome> allOf(UnitDriver unit) {
    List<ReadOutcome> all = new ArrayList<>();
    for (long a = 0; a < ADDRESSES; a++) {
      all.add(unit.read(a));
    }
    return all;
  }

  /** Fills a unit with records of every kind in one file. */
  private static void aBitOfEverything(UnitDriver unit) {
    unit.fillUp(0, 8, 50);
    unit.write(hole(8), entry(9, 300));
    unit.trim(5, 12);
    unit.prefixTrim(2);
    unit.write(entry(14, 10), entry(15, 80), entry(17, in(STREAM, 0)), entry(18, in(STREAM, 1)));
    unit.trimStream(STREAM, 1);
    unit.write(entry(16, 10));
  }

  private static void flipInPayloadOf(long address, int bytes, FaultDisk disk) {
    byte[] wanted = new byte[bytes];
    entry(address, bytes).payload().get(wanted);
    for (String name : disk.logFiles()) {
      byte[] file = disk.bytesOf(name);
      for (int at = 0; at + bytes <= file.length; at++) {
        if (Arrays.equals(file, at, at + bytes, wanted, 0, bytes)) {
          disk.flip(name, at + bytes / 2, 1);
          return;
        }
      }
    }
    throw new AssertionError("entry " + address + " is in no file");
  }

  @Test
  void aCorruptEntryIsWhatOthersHoldAgainOnceItIsRepaired() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = Scrubbed.started(disk).unit;
    aBitOfEverything(unit);
    flipInPayloadOf(9, 300, disk);
    assertThat(unit.read(9)).isInstanceOf(ReadOutcome.Corrupt.class);
    assertThat(unit.unit.corrupt(10)).containsExactly(9L);

    assertThat(unit.repair(entry(9, 300))).isEqualTo(WriteOutcome.Written.WRITTEN);

    var found = new ReadOutcome.Found(entry(9, 300));
    assertThat(unit.read(9)).isEqualTo(found);
    assertThat(unit.unit.corrupt(10)).isEmpty();
    disk.killProcess();
    assertThat(Scrubbed.opened(disk).unit.read(9)).isEqualTo(found);
  }

  @Test
  void theRepairedEntryCountsAlsoWhereTheDamagedOneIsInTheSameFinishedFile() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = Scrubbed.started(disk).unit;
    aBitOfEverything(unit);
    flipInPayloadOf(9, 300, disk);
    unit.repair(entry(9, 300));
    unit.unit.close();
    assertThat(disk.logFiles()).hasSize(1);
    assertThat(Scrubbed.opened(disk).unit.read(9)).isEqualTo(new ReadOutcome.Found(entry(9, 300)));
  }

  @Test
  void aRepairNeitherChangesWhatCanBeReadNorWhatIsTrimmedNorTheKind() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = Scrubbed.started(disk).unit;
    aBitOfEverything(unit);
    Entry other = Entry.data(9, new AppendId(77, 77), ByteBuffer.allocate(300));
    assertThat(unit.repair(other))
        .isEqualTo(new WriteOutcome.Overwritten(entry(9, 300).id(), entry(9, 300).kind()));
    assertThat(unit.repair(entry(5))).isEqualTo(WriteOutcome.Trimmed.TRIMMED);
    flipInPayloadOf(9, 300, disk);
    assertThat(unit.repair(hole(9))).isEqualTo(WriteOutcome.Corrupt.CORRUPT);
    assertThat(unit.read(9)).isInstanceOf(ReadOutcome.Corrupt.class);
  }

  @Test
  void whatIsMissingIsWrittenWhenAReplicaHasIt() {
    UnitDriver unit = Scrubbed.started(new FaultDisk()).unit;
    assertThat(unit.repair(entry(3))).isEqualTo(WriteOutcome.Written.WRITTEN);
    assertThat(unit.read(3)).isEqualTo(new ReadOutcome.Found(entry(3)));
  }

  @Test
  void aBitFlippedAnywhereInAFileIsPutRightWithinARound() {
    FaultDisk disk = new FaultDisk();
    UnitDriver sound = Scrubbed.started(disk).unit;
    aBitOfEverything(sound);
    List<ReadOutcome> before = allOf(sound);
    sound.unit.close();
    String file = disk.logFiles().getFirst();
    int length = disk.bytesOf(file).length;
    int repaired = 0;
    for (int offset = 0; offset < length; offset += 3) {
      FaultDisk damaged = disk.copy();
      Scrubbed unit = Scrubbed.opened(damaged); // opening does not notice later damage
      damaged.flip(file, offset, random.nextInt(8));
      unit.scrub();
      for (long address : unit.unit.unit.corrupt(10)) {
        ReadOutcome held = before.get((int) address);
        assertThat(unit.unit.repair(held.held().orElseThrow()))
            .isEqualTo(WriteOutcome.Written.WRITTEN);
        repaired++;
      }
      String what = "a bit flipped at " + offset;
      assertThat(allOf(unit.unit)).as(what).isEqualTo(before);
      unit.scrub();
      assertThat(unit.unit.scrubbed().waiting()).as(what).isZero();
      damaged.killProcess();
      UnitDriver again = Scrubbed.opened(damaged).unit;
      assertThat(allOf(again)).as("%s, after a restart", what).isEqualTo(before);
      assertThat(again.trimmedBefore(STREAM)).as(what).isEqualTo(1);
    }
    assertThat(repaired).as("flips in entries that are alive").isGreaterThan(100);
  }

  @Test
  void theScrubberNamesWhatItFindsThoughNobodyReadsIt() {
    FaultDisk disk = new FaultDisk();
    Scrubbed unit = Scrubbed.started(disk);
    aBitOfEverything(unit.unit);
    List<String> calls = new ArrayList<>();
    unit.unit.unit.whenCorrupt(() -> calls.add("found"));
    flipInPayloadOf(9, 300, disk);
    unit.scrub();
    assertThat(calls).containsExactly("found");
    assertThat(unit.unit.scrubbed().found()).isEqualTo(1);
    assertThat(unit.unit.scrubbed().waiting()).isEqualTo(1);
    assertThat(unit.unit.scrubbed().detail())
        .contains("address 9 ")
        .contains("segment-0000000000000001.log")
        .contains("offset");
    unit.unit.repair(entry(9, 300));
    assertThat(unit.unit.scrubbed().repaired()).isEqualTo(1);
    assertThat(unit.unit.scrubbed().waiting()).isZero();
  }

  @Test
  void aFileThatIsLostWhileTheUnitRunsIsMadeAnewFromOthers() {
    FaultDisk disk = new FaultDisk();
    Scrubbed unit = Scrubbed.started(disk);
    aBitOfEverything(unit.unit);
    List<ReadOutcome> before = allOf(unit.unit);
    unit.unit.unit.close();
    unit = Scrubbed.opened(disk);
    disk.delete(disk.logFiles().getFirst());
    unit.scrub();
    for (long address : unit.unit.unit.corrupt(100)) {
      unit.unit.repair(before.get((int) address).held().orElseThrow());
    }
    assertThat(allOf(unit.unit)).isEqualTo(before);
    disk.killProcess();
    assertThat(allOf(Scrubbed.opened(disk).unit)).isEqualTo(before);
  }

  @Test
  void scrubbingGoesOnAfterARestartWhereItWas() {
    FaultDisk disk = new FaultDisk();
    LogUnitOptions slow = OPTIONS.withScrub(new ScrubRate(8 << 10, HOUR));
    Scrubbed unit = new Scrubbed(disk, slow);
    unit.unit.install(1);
    for (int i = 0; i < 20; i++) {
      unit.unit.fillUp(i * 10L, i * 10L + 10, 700);
    }
    long files = disk.logFiles().size();
    assertThat(files).isGreaterThan(6);
    while (unit.unit.scrubbed().doneBytes() < 50_000) {
      unit.scrubFor(SECOND);
    }
    long left = 200 * 800 - unit.unit.scrubbed().doneBytes();
    unit.unit.unit.close();
    Scrubbed again = new Scrubbed(disk, slow);
    again.scrubFor(SECOND); // reads its progress
    while (again.unit.scrubbed().rounds() == 0) {
      again.scrubFor(SECOND);
    }
    assertThat(again.unit.scrubbed().doneBytes()).isLessThan(left + 3 * (16 << 10));
    assertThat(again.unit.scrubbed().rounds()).isEqualTo(1);
  }

  @Test
  void theScrubberReadsNoFasterThanItIsTold() {
    FaultDisk disk = new FaultDisk();
    LogUnitOptions slow = OPTIONS.withScrub(new ScrubRate(8 << 10, HOUR));
    Scrubbed unit = new Scrubbed(disk, slow);
    unit.unit.install(1);
    for (int i = 0; i < 20; i++) {
      unit.unit.fillUp(i * 10L, i * 10L + 10, 700);
    }
    for (int second = 1; second <= 10; second++) {
      unit.scrubFor(SECOND);
      assertThat(unit.unit.scrubbed().doneBytes())
          .isLessThanOrEqualTo((8L << 10) * second + (16 << 10));
    }
    assertThat(unit.unit.scrubbed().doneBytes()).isGreaterThan(40_000);
  }

  @Test
  void theScrubberSaysWhatItHasReadAndHowLongAgoItWasThrough() {
    FaultDisk disk = new FaultDisk();
    Scrubbed unit = new Scrubbed(disk, OPTIONS.withScrub(new ScrubRate(1 << 20, HOUR)));
    unit.unit.install(1);
    unit.unit.fillUp(0, 20, 700);
    assertThat(unit.unit.scrubbed().records()).isZero();
    assertThat(unit.unit.scrubbed().roundAgeMillis()).isEqualTo(LogUnitReply.Scrubbed.NEVER);
    while (unit.unit.scrubbed().rounds() == 0) {
      unit.scrubFor(SECOND);
    }
    unit.world.nanos += 5 * SECOND;
    LogUnitReply.Scrubbed told = unit.unit.scrubbed();
    assertThat(told.records()).isEqualTo(20);
    assertThat(told.readBytes()).isBetween(20 * 700L, 20 * 900L);
    assertThat(told.roundAgeMillis()).isEqualTo(5000);
  }

  @Test
  void whoLostWhatNobodyElseHasSaysSoAndGoesOn() {
    FaultDisk disk = new FaultDisk();
    UnitDriver unit = Scrubbed.started(disk).unit;
    aBitOfEverything(unit);
    unit.unit.hasLost(9);
    assertThat(unit.unit.state()).isEqualTo(corfu.protocol.message.Health.State.BROKEN);
    assertThat(unit.unit.detail()).contains("address 9");
    assertThat(unit.read(3)).isEqualTo(new ReadOutcome.Found(entry(3, 50)));
    unit.install(unit.foreign(2));
    assertThat(unit.unit.state()).isEqualTo(corfu.protocol.message.Health.State.IDLE);
  }
}
