package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply.Blank;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome.Found;
import corfu.protocol.message.LogUnitReply.SealedAt;
import corfu.protocol.message.LogUnitReply.Tail;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.QuarantinedFiles;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A unit serves requests only if a layout relies on it. It can begin another life. */
class LogUnitResetTest {

  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(16 << 10);
  private static final long ADDRESSES = 60;

  private final FaultDisk disk = new FaultDisk();

  /** Returns a unit with entries, holes, trims and a mark in several files; epoch 1 is sealed. */
  private static UnitDriver usedUnit(FaultDisk disk, LogUnitOptions options) {
    UnitDriver unit = UnitDriver.started(disk, options);
    unit.fillUp(0, 40, 1000);
    unit.write(hole(41), entry(43));
    unit.trim(7, 30, 50);
    unit.prefixTrim(3);
    unit.seal(1);
    return unit;
  }

  private static UnitDriver reopened(FaultDisk disk) {
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
    return unit;
  }

  private static List<ReadOutcome> allOf(UnitDriver unit) {
    List<ReadOutcome> all = new ArrayList<>();
    for (long a = 0; a < ADDRESSES; a++) {
      all.add(unit.read(a));
    }
    return all;
  }

  private static void assertBlank(UnitDriver unit) {
    assertThat(allOf(unit)).containsOnly(ReadOutcome.Unwritten.UNWRITTEN);
    assertThat(unit.tail()).isEqualTo(new Tail(0, 0));
    assertThat(unit.usage().entries()).isZero();
    Entry another = entry(5, 33);
    assertThat(unit.writeOne(another)).isEqualTo(WriteOutcome.Written.WRITTEN);
    assertThat(unit.read(5)).isEqualTo(new Found(another));
  }

  @Test
  void aUnitThatTheLayoutDoesNotRelyOnServesNothing() {
    UnitDriver unit = usedUnit(disk, OPTIONS);
    unit.install(unit.foreign(2));
    AddressSet one = AddressSet.of(20);
    for (LogUnitRequest request :
        List.of(
            new LogUnitRequest.Write(unit.epoch, List.of(entry(44))),
            new LogUnitRequest.Read(unit.epoch, one, 100),
            new LogUnitRequest.Trim(unit.epoch, one),
            new LogUnitRequest.PrefixTrim(unit.epoch, 20),
            new LogUnitRequest.Inspect(unit.epoch, one),
            new LogUnitRequest.AskTail(unit.epoch),
            new LogUnitRequest.CopyRange(unit.epoch, 0, 100, 1, 100))) {
      assertThat(unit.ask(request))
          .isInstanceOfSatisfying(
              Failure.NotServing.class,
              no ->
                  assertThat(no.reason())
                      .contains("epoch 2", unit.unit.incarnation().toString(), "fetch"));
    }
    assertThat(unit.ask(new LogUnitRequest.AskTail(new Epoch(1))))
        .isEqualTo(new Failure.Sealed(new Epoch(2)));
    assertThat(unit.ask(new LogUnitRequest.AskTail(new Epoch(3))))
        .isEqualTo(new Failure.Behind(new Epoch(2)));
    assertThat(unit.seal(2)).isEqualTo(new SealedAt(51, 3, unit.unit.incarnation()));
  }

  @Test
  void aRestartIsTheSameLifeAndALostDiskAnother() {
    UnitDriver unit = usedUnit(disk, OPTIONS);
    Incarnation born = unit.unit.incarnation();
    assertThat(born.isKnown()).isTrue();
    disk.killProcess();
    assertThat(reopened(disk).unit.incarnation()).isEqualTo(born);
    disk.list().forEach(disk::delete);
    UnitDriver lost = reopened(disk);
    assertThat(lost.unit.incarnation()).isNotEqualTo(born);
    lost.install(UnitDriver.layout(2, born));
    assertThat(lost.write(entry(1))).isInstanceOf(Failure.NotServing.class);
  }

  @Test
  void aUnitIsDurablyWhoItSaysBeforeItKnowsAnyLayout() {
    Incarnation born = UnitDriver.opened(disk, OPTIONS).unit.incarnation();
    disk.crash(new SplittableRandom(3));
    UnitDriver after = reopened(disk);
    assertThat(after.unit.incarnation()).isEqualTo(born);
    assertThat(after.unit.layout()).isEmpty();
  }

  @Test
  void aUnitInMemoryLivesOnce() {
    var world = new UnitDriver.StillWorld(1);
    var options = LogUnitOptions.inMemory(1 << 20);
    assertThat(LogUnit.inMemory(options, world).incarnation())
        .isNotEqualTo(LogUnit.inMemory(options, world).incarnation());
  }

  @Test
  void segmentsWithoutAnEpochFileAreNotOpened() {
    usedUnit(disk, OPTIONS);
    disk.killProcess();
    disk.delete("epoch");
    assertThatThrownBy(() -> reopened(disk))
        .isInstanceOf(DamagedStorageException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void filesThatWereSetAsideStayUntilTheUnitIsReset() {
    usedUnit(disk, OPTIONS);
    disk.killProcess();
    int files = disk.logFiles().size() + 2; // and the twin files
    assertThat(QuarantinedFiles.everything(disk)).isGreaterThanOrEqualTo(files);
    UnitDriver anew = reopened(disk);
    assertThat(anew.unit.layout()).isEmpty();
    anew.unit.close();
    disk.killProcess();
    assertThat(disk.list().stream().filter(QuarantinedFiles::isAside)).hasSize(files);

    UnitDriver unit = reopened(disk);
    Incarnation before = unit.unit.incarnation();
    unit.install(unit.foreign(2));
    unit.reset(2);
    assertThat(unit.unit.incarnation()).isNotEqualTo(before);
    assertThat(disk.list().stream().filter(QuarantinedFiles::isAside)).isEmpty();
    unit.install(3);
    assertBlank(unit);
    assertThat(unit.writeOne(entry(1))).isEqualTo(WriteOutcome.Written.WRITTEN);
  }

  @ParameterizedTest
  @EnumSource(UnitMode.class)
  void aResetUnitIsBlankHasAnotherIncarnationAndKeepsItsEpochs(UnitMode mode) {
    var options =
        mode == UnitMode.MEMORY
            ? LogUnitOptions.inMemory(16L * (16 << 10)).withLogFileBytes(16 << 10)
            : LogUnitOptions.onDisk(mode).withLogFileBytes(16 << 10);
    UnitDriver unit = usedUnit(disk, options);
    Incarnation before = unit.unit.incarnation();
    unit.install(unit.foreign(2));
    assertThat(unit.reset(2)).isEqualTo(new Blank(unit.unit.incarnation()));
    assertThat(unit.unit.incarnation()).isNotEqualTo(before);
    assertThat(unit.unit.epoch()).isEqualTo(new Epoch(2));
    assertThat(disk.logFiles()).isEmpty();
    assertThat(unit.seal(2)).isEqualTo(new SealedAt(0, 0, unit.unit.incarnation()));
    unit.install(3);
    assertBlank(unit);
  }

  @Test
  void aResetUnitIsStillBlankAfterARestartAndKeepsWhatItGetsThen() {
    UnitDriver unit = usedUnit(disk, OPTIONS);
    unit.install(unit.foreign(2));
    Reply blank = unit.reset(2);
    disk.killProcess();
    UnitDriver after = reopened(disk);
    assertThat(blank).isEqualTo(new Blank(after.unit.incarnation()));
    after.install(3);
    assertBlank(after);
    disk.killProcess();
    UnitDriver again = reopened(disk);
    assertThat(again.unit.incarnation()).isEqualTo(after.unit.incarnation());
    assertThat(again.read(5)).isEqualTo(new Found(entry(5, 33)));
    assertThat(again.read(6)).isEqualTo(ReadOutcome.Unwritten.UNWRITTEN);
  }

  @Test
  void aFullUnitHasAllItsSpaceAgainWhenItSaysThatItIsBlank() {
    var options = OPTIONS.withCapacityBytes(20L * (16 << 10));
    UnitDriver unit = UnitDriver.started(disk, options);
    long end = 0;
    while (unit.writeOne(entry(end, 1000)).equals(WriteOutcome.Written.WRITTEN)) {
      end++;
    }
    unit.install(unit.foreign(2));
    assertThat(unit.reset(2)).isInstanceOf(Blank.class);
    unit.install(3);
    for (long a = 0; a < end; a++) {
      assertThat(unit.writeOne(entry(a, 1000))).isEqualTo(WriteOutcome.Written.WRITTEN);
    }
  }

  @Test
  void aBlankUnitStaysAsItIs() {
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    unit.install(unit.foreign(1));
    Incarnation born = unit.unit.incarnation();
    assertThat(unit.reset(1)).isEqualTo(new Blank(born));
    assertThat(unit.unit.incarnation()).isEqualTo(born);
  }

  @Test
  void aSecondResetFindsAUnitThatIsBlank() {
    UnitDriver unit = usedUnit(disk, OPTIONS);
    unit.install(unit.foreign(2));
    Reply first = unit.reset(2);
    assertThat(unit.reset(2)).isEqualTo(first);
  }

  @Test
  void aUnitThatTheLayoutReliesOnIsNotReset() {
    UnitDriver unit = usedUnit(disk, OPTIONS);
    unit.install(2);
    assertThat(unit.reset(2))
        .isInstanceOfSatisfying(
            Failure.NotServing.class,
            no -> assertThat(no.reason()).contains("epoch 2 relies on", "take it out"));
    assertThat(unit.read(20)).isEqualTo(new Found(entry(20, 1000)));
  }

  @Test
  void aResetThatComesLateIsRefused() {
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    assertThat(unit.reset(1)).isEqualTo(new Failure.NotBootstrapped());
    unit = usedUnit(new FaultDisk(), OPTIONS);
    assertThat(unit.reset(1)).as("sealed").isEqualTo(new Failure.Sealed(new Epoch(1)));
    unit.install(unit.foreign(3));
    assertThat(unit.reset(2)).as("older").isEqualTo(new Failure.Sealed(new Epoch(3)));
    assertThat(unit.reset(4)).as("not known yet").isEqualTo(new Failure.Behind(new Epoch(3)));
    unit.seal(3);
    assertThat(unit.reset(3)).as("sealed again").isEqualTo(new Failure.Sealed(new Epoch(3)));
    unit.install(4);
    assertThat(unit.read(20)).isEqualTo(new Found(entry(20, 1000)));
  }

  /** An agent waits for a blank unit before it does anything else. */
  @Test
  void aResetIsAnsweredWhenTheOldFilesAreGoneAndHoldsUpNothingMeanwhile() {
    usedUnit(disk, OPTIONS).unit.close();
    var syncs = new UnitDriver.StepOffload();
    var background = new UnitDriver.StepOffload();
    var world = new UnitDriver.StillWorld(disk.effects);
    var unit = new UnitDriver(LogUnit.open(disk, OPTIONS, world, syncs, background));
    Incarnation before = unit.unit.incarnation();
    unit.send(new LogUnitRequest.Install(unit.foreign(2)));
    unit.unit.turnEnded();
    syncs.all();
    List<Reply> reset = unit.send(new LogUnitRequest.Reset(new Epoch(2)));
    List<Reply> sealed = unit.send(new LogUnitRequest.Seal(new Epoch(2)));
    List<Reply> late = unit.send(new LogUnitRequest.Reset(new Epoch(2)));
    unit.unit.turnEnded();
    syncs.all();
    Incarnation after = unit.unit.incarnation();
    assertThat(after).isNotEqualTo(before);
    assertThat(sealed).containsExactly(new SealedAt(0, 0, after));
    assertThat(late).containsExactly(new Failure.Sealed(new Epoch(2)));
    assertThat(reset).isEmpty();
    assertThat(disk.logFiles()).isNotEmpty();
    background.all();
    assertThat(reset).containsExactly(new Blank(after));
    assertThat(disk.logFiles()).isEmpty();
  }

  /** A file that compaction began now would not be void after the reset. */
  @Test
  void nothingNewIsBegunWhileAResetIsBeingWrittenDown() {
    var syncs = new UnitDriver.StepOffload();
    var background = new UnitDriver.StepOffload();
    var options = LogUnitOptions.onDisk(UnitMode.BUFFERED).withLogFileBytes(16 << 10);
    var world = new UnitDriver.StillWorld(1);
    var unit = new UnitDriver(LogUnit.open(disk, options, world, syncs, background));
    unit.send(new LogUnitRequest.Install(unit.layout(1)));
    unit.unit.turnEnded();
    syncs.all();
    unit.epoch = new Epoch(1);
    unit.fillUp(0, 300, 1000);
    unit.trim(LongStream.range(0, 300).filter(a -> a % 3 != 0).toArray());
    unit.send(new LogUnitRequest.Install(unit.foreign(2)));
    unit.unit.turnEnded();
    syncs.all();
    List<Reply> reset = unit.send(new LogUnitRequest.Reset(new Epoch(2)));
    unit.unit.turnEnded();
    List<String> files = disk.logFiles();
    background.all();
    unit.unit.turnEnded();
    assertThat(files).containsAll(disk.logFiles());
    syncs.all();
    background.all();
    assertThat(reset).containsExactly(new Blank(unit.unit.incarnation()));
  }

  @Test
  void aUnitThatIsClosedDuringAResetEndsIt() {
    UnitDriver unit = usedUnit(disk, OPTIONS);
    unit.send(new LogUnitRequest.Install(unit.foreign(2)));
    List<Reply> reset = unit.send(new LogUnitRequest.Reset(new Epoch(2)));
    unit.unit.close();
    assertThat(reset).containsExactly(new Blank(unit.unit.incarnation()));
    assertThat(disk.logFiles()).isEmpty();
  }

  /** A seal follows directly behind the reset. Answers before the crash hold after it. */
  @Test
  void aCrashLeavesTheOldLifeOrABlankOneAndNoMixtureOfThem() {
    var random = new SplittableRandom(11);
    int blanks = 0;
    int old = 0;
    for (int round = 0; round < 400; round++) {
      FaultDisk crashing = new FaultDisk();
      UnitDriver unit = usedUnit(crashing, OPTIONS);
      unit.install(2);
      List<ReadOutcome> before = allOf(unit);
      Incarnation born = unit.unit.incarnation();
      unit.install(unit.foreign(3));
      crashing.crashAt = crashing.effects + 1 + round % 20;
      List<Reply> reset = unit.send(new LogUnitRequest.Reset(new Epoch(3)));
      List<Reply> sealed = unit.send(new LogUnitRequest.Seal(new Epoch(3)));
      unit.unit.turnEnded();
      crashing.crash(random);
      if (random.nextInt(3) == 0) {
        crashing.crashAt = crashing.effects + 1 + random.nextInt(6);
        try {
          UnitDriver.opened(crashing, OPTIONS);
        } catch (FaultDisk.Crashed again) {
          // it is opened once more
        }
        crashing.crash(random);
      }
      UnitDriver after = reopened(crashing);
      long epoch = sealed.getFirst() instanceof SealedAt ? 3 : 2;
      assertThat(after.unit.epoch().value()).isGreaterThanOrEqualTo(Math.max(3, epoch));
      if (sealed.getFirst() instanceof SealedAt(long next, long mark, Incarnation who)) {
        assertThat(after.unit.incarnation()).as("round %d", round).isEqualTo(who);
        assertThat(after.ask(new LogUnitRequest.AskTail(new Epoch(3))))
            .isEqualTo(new Failure.Sealed(new Epoch(3)));
      }
      if (reset.getFirst() instanceof Blank(Incarnation who)) {
        assertThat(after.unit.incarnation()).as("round %d", round).isEqualTo(who);
      }
      after.install(4);
      if (after.unit.incarnation().equals(born)) {
        assertThat(allOf(after)).as("round %d", round).isEqualTo(before);
        old++;
      } else {
        assertBlank(after);
        blanks++;
      }
    }
    assertThat(old).isGreaterThan(20);
    assertThat(blanks).isGreaterThan(20);
  }

  @ParameterizedTest
  @EnumSource(
      value = UnitMode.class,
      names = {"DURABLE", "BUFFERED"})
  void livesFollowEachOtherWhileTheUnitIsAtWork(UnitMode mode) {
    int resets = 0;
    for (long seed = 0; seed < 60; seed++) {
      try {
        FaultDisk busy = new FaultDisk();
        var options = LogUnitOptions.onDisk(mode).withLogFileBytes(16 << 10);
        var workload = new RandomWorkload(seed, busy, options);
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 6; i++) {
          busy.crashAt = busy.effects + 1 + random.nextInt(300);
          workload.run(60);
          if (busy.effects < busy.crashAt) {
            workload.reset();
          }
          if (busy.effects < busy.crashAt) {
            workload.run(20);
          }
          if (busy.effects >= busy.crashAt || random.nextBoolean()) {
            workload.crash(mode == UnitMode.DURABLE);
          }
          busy.crashAt = Integer.MAX_VALUE;
        }
        workload.finish();
        workload.verify();
        workload.closeAndReopen();
        resets += workload.resets;
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    assertThat(resets).isGreaterThan(100);
  }

  @Test
  void aFullDiskDuringAResetLeavesTheOldLifeOrABlankOne() {
    for (long seed = 0; seed < 60; seed++) {
      try {
        FaultDisk full = new FaultDisk();
        var workload = new RandomWorkload(seed, full, OPTIONS);
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 5; i++) {
          workload.run(40);
          full.fullAt = full.effects + 1 + random.nextInt(12);
          workload.reset();
          if (random.nextInt(3) == 0) {
            workload.crash(true);
          }
          full.fullAt = Integer.MAX_VALUE;
          workload.run(20);
          workload.finish();
          workload.verify();
        }
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  void reportsSayHowTheUnitIs() {
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    assertThat(unit.unit.state()).isEqualTo(Health.State.IDLE);
    assertThat(unit.unit.detail()).contains("belongs to no cluster");
    unit.install(1);
    assertThat(unit.unit.state()).isEqualTo(Health.State.SERVING);
    assertThat(unit.unit.detail()).isEmpty();
    unit.seal(1);
    assertThat(unit.unit.state()).isEqualTo(Health.State.SEALED);
    assertThat(unit.unit.detail()).contains("sealed at epoch 1");
    unit.install(unit.foreign(2));
    assertThat(unit.unit.state()).isEqualTo(Health.State.IDLE);
    assertThat(unit.unit.detail()).contains("epoch 2");
    unit.install(3);
    disk.syncsFail = true;
    unit.write(entry(1));
    assertThat(unit.unit.state()).isEqualTo(Health.State.BROKEN);
    assertThat(unit.unit.detail()).contains("disk");
  }
}
