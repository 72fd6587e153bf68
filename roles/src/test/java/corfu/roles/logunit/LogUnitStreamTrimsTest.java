package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Backpointers;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.StreamEntries;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.StreamPosition;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A trim of a stream's prefix also trims the addresses that no other stream needs. */
class LogUnitStreamTrimsTest {

  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");
  private static final StreamId C = StreamId.named("c");
  private static final ReadOutcome TRIMMED = ReadOutcome.Trimmed.TRIMMED;
  private static final Reply DONE = Reply.Done.DONE;
  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(64 << 10);

  private final FaultDisk disk = new FaultDisk();
  private final UnitDriver.StepOffload syncs = new UnitDriver.StepOffload();
  private final UnitDriver.StepOffload background = new UnitDriver.StepOffload();
  private UnitDriver unit = UnitDriver.started(disk, OPTIONS);

  /** The end of a unit's process. */
  enum End {
    /** All of its files have footers. */
    CLOSED,
    /** The last of its files has no footer. */
    KILLED
  }

  private void restart(End end) {
    if (end == End.CLOSED) {
      unit.unit.close();
    } else {
      disk.killProcess();
    }
    unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
  }

  private void assertTrimmed(long... addresses) {
    for (long address : addresses) {
      assertThat(unit.read(address)).as("address %d", address).isEqualTo(TRIMMED);
    }
  }

  private void assertThere(long... addresses) {
    for (long address : addresses) {
      assertThat(unit.read(address))
          .as("address %d", address)
          .isInstanceOf(ReadOutcome.Found.class);
    }
  }

  @ParameterizedTest
  @EnumSource(UnitMode.class)
  void whatNobodyElseNeedsIsTrimmedWithItsStream(UnitMode mode) {
    if (mode == UnitMode.MEMORY) {
      var world = new UnitDriver.StillWorld(1);
      unit = new UnitDriver(LogUnit.inMemory(LogUnitOptions.inMemory(1 << 20), world));
      unit.install(1);
    } else {
      var options = LogUnitOptions.onDisk(mode).withLogFileBytes(64 << 10);
      unit = UnitDriver.started(new FaultDisk(), options);
    }
    unit.write(entry(1, in(A, 0)), entry(2, in(B, 0)), entry(3), entry(4, in(A, 1)));
    unit.write(entry(5, in(A, 2), in(B, 1)), entry(6, in(A, 3)));
    assertThat(unit.trimStream(A, 3)).isEqualTo(DONE);
    assertTrimmed(1, 4);
    assertThere(2, 3, 5, 6);
    assertThat(unit.newestOf(A, 9)).containsExactly(6L, 3L);
    assertThat(unit.newestOf(B, 9)).containsExactly(5L, 1L, 2L, 0L);
    assertThat(unit.trimmedBefore(A)).isEqualTo(3);
    assertThat(unit.trimmedBefore(B)).isZero();
    assertThat(unit.forgottenBefore()).isZero();
  }

  @Test
  void whoPlaysAStreamIsToldWhereItBegins() {
    Entry kept = entry(7, in(A, 3), in(B, 0));
    unit.write(entry(1, in(A, 0)), entry(4, in(A, 1), in(B, 0)), kept);
    unit.trimStream(A, 2);
    var play = new LogUnitRequest.ReadStream(unit.epoch, A, 0, 0, Long.MAX_VALUE, 1000);
    assertThat(unit.ask(play)).isEqualTo(new StreamEntries(2, Long.MAX_VALUE, List.of(kept)));
  }

  @Test
  void anEntryOfSeveralStreamsGoesWithTheLastOfThem() {
    unit.write(entry(7, in(A, 1), in(B, 5), in(C, 3)), entry(8, in(A, 2)));
    unit.trimStream(A, 2);
    unit.trimStream(A, 2);
    unit.trimStream(A, 3);
    assertTrimmed(8);
    unit.trimStream(B, 5);
    unit.trimStream(C, 9);
    assertThere(7);
    unit.trimStream(B, 6);
    assertTrimmed(7);
  }

  @Test
  void aLowerMarkThanTheOneThereIsChangesNothing() {
    unit.write(entry(1, in(A, 0)), entry(2, in(A, 1)), entry(3, in(A, 2)));
    unit.trimStream(A, 2);
    int effects = disk.effects;
    assertThat(unit.trimStream(A, 1)).isEqualTo(DONE);
    assertThat(unit.trimStream(A, 2)).isEqualTo(DONE);
    assertThat(unit.trimStream(B, 0)).isEqualTo(DONE);
    assertThat(disk.effects).as("nothing was written").isEqualTo(effects);
    assertThat(unit.trimmedBefore(A)).isEqualTo(2);
    assertThere(3);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void aMarkHoldsForWhatComesLaterAndForEver(End end) {
    assertThat(unit.trimStream(A, 3)).isEqualTo(DONE);
    for (int life = 0; life < 3; life++) {
      assertThat(unit.trimmedBefore(A)).isEqualTo(3);
      assertThat(unit.ends()).containsEntry(A, new StreamPosition(3, Backpointers.NONE));
      restart(end);
    }
    unit.write(entry(5, in(A, 2), in(B, 0)), entry(9, in(A, 3)));
    assertThat(unit.newestOf(A, 9)).containsExactly(9L, 3L);
    unit.trimStream(B, 1);
    assertTrimmed(5);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void whoNeedsAnEntryIsKnownAfterARestart(End end) {
    unit.write(entry(1, in(A, 0), in(B, 0)), entry(2, in(A, 1), in(B, 1), in(C, 0)));
    unit.trimStream(A, 2);
    restart(end);
    assertThere(1, 2);
    unit.trimStream(B, 2);
    assertTrimmed(1);
    restart(end);
    assertThere(2);
    unit.trimStream(C, 1);
    assertTrimmed(2);
    restart(end);
    assertTrimmed(1, 2);
    assertThat(unit.trimmedBefore(A)).isEqualTo(2);
    assertThat(unit.trimmedBefore(C)).isEqualTo(1);
  }

  @Test
  void marksOutliveTheirFiles() {
    for (long i = 0; i < 20; i++) {
      StreamId stream = new StreamId(9, 1 + i);
      unit.write(entry(i, in(stream, i)));
      unit.trimStream(stream, i + 1);
    }
    String first = disk.logFiles().getFirst();
    unit.fillUp(20, 2000, 100);
    unit.prefixTrim(1900);
    assertThat(disk.logFiles()).doesNotContain(first).hasSizeLessThan(4);
    for (int life = 0; life < 2; life++) {
      for (long i = 0; i < 20; i++) {
        assertThat(unit.trimmedBefore(new StreamId(9, 1 + i))).isEqualTo(i + 1);
      }
      restart(End.CLOSED);
    }
  }

  @Test
  void onlyTheNewestMarkOfAStreamTakesSpace() {
    for (long i = 0; i < 10_000; i++) {
      unit.trimStream(new StreamId(9, 1 + i % 10), 1 + i);
    }
    assertThat(disk.usedBytes()).isLessThan(8 * OPTIONS.logFileBytes());
    restart(End.KILLED);
    for (long i = 0; i < 10; i++) {
      assertThat(unit.trimmedBefore(new StreamId(9, 1 + i))).isEqualTo(9_991 + i);
    }
  }

  @Test
  void aStreamThatIsTrimmedGivesItsSpaceBack() {
    int round = 1000;
    for (long a = 0; a < 30_000; a += round) {
      writeLong(a, a + round);
      unit.trimStream(A, a);
    }
    assertThat(disk.usedBytes()).isLessThan(20 * OPTIONS.logFileBytes());
    assertThat(unit.newestOf(A, 9999)).hasSize(2 * round);
  }

  /** Writes entries of one stream; every tenth entry is in another stream, too. */
  private void writeLong(long from, long to) {
    List<Entry> entries = new ArrayList<>();
    for (long a = from; a < to; a++) {
      entries.add(a % 10 == 0 ? entry(a, in(A, a), in(B, a / 10)) : entry(a, in(A, a)));
    }
    unit.send(new LogUnitRequest.Write(unit.epoch, entries));
    unit.unit.turnEnded();
  }

  private void startSlow() {
    var world = new UnitDriver.StillWorld(1);
    unit = new UnitDriver(LogUnit.open(disk, OPTIONS, world, syncs, background));
    unit.epoch = new Epoch(2);
    unit.send(new LogUnitRequest.Install(unit.layout(2)));
    unit.unit.turnEnded();
    all();
  }

  private void all() {
    while (syncs.isWaiting() || background.isWaiting()) {
      syncs.all();
      background.all();
      unit.unit.turnEnded();
    }
  }

  @Test
  void othersHaveTheirTurnWhileALongStreamIsTrimmed() {
    startSlow();
    writeLong(0, 20_000);
    all();
    List<Reply> trimmed = unit.send(new LogUnitRequest.TrimStream(unit.epoch, A, 18_000));
    unit.unit.turnEnded();
    int served = 0;
    while (trimmed.isEmpty()) {
      List<Reply> read = unit.send(new LogUnitRequest.AskTail(unit.epoch));
      served += read.size();
      unit.unit.turnEnded();
      if (syncs.isWaiting()) {
        syncs.step();
      } else {
        background.step();
      }
    }
    assertThat(trimmed).containsExactly(DONE);
    assertThat(served).isGreaterThan(4);
    all();
    for (long a = 0; a < 20_000; a += 7) {
      if (a % 10 == 0 || a >= 18_000) {
        assertThere(a);
      } else {
        assertTrimmed(a);
      }
    }
  }

  @Test
  void aSealStopsALongTrimAndTheNextEpochGoesOnWithIt() {
    startSlow();
    writeLong(0, 20_000);
    all();
    var request = new LogUnitRequest.TrimStream(unit.epoch, A, 20_000);
    List<Reply> trimmed = unit.send(request);
    List<Reply> sealed = unit.send(new LogUnitRequest.Seal(unit.epoch));
    unit.unit.turnEnded();
    all();
    assertThat(trimmed).containsExactly(new Failure.Sealed(unit.epoch));
    assertThat(sealed).hasSize(1);
    unit.send(new LogUnitRequest.Install(unit.layout(3)));
    unit.unit.turnEnded();
    all();
    unit.epoch = new Epoch(3);
    assertThat(unit.trimmedBefore(A)).as("not until all of it is").isZero();
    List<Reply> again = unit.send(new LogUnitRequest.TrimStream(unit.epoch, A, 20_000));
    unit.unit.turnEnded();
    all();
    assertThat(again).containsExactly(DONE);
    assertThat(unit.trimmedBefore(A)).isEqualTo(20_000);
    assertTrimmed(LongStream.range(0, 20_000).filter(a -> a % 10 != 0).toArray());
    assertThere(LongStream.range(0, 20_000).filter(a -> a % 10 == 0).toArray());
  }

  @Test
  void aCrashInBetweenLeavesNothingBehindThatIsNotTrimmedAgain() {
    startSlow();
    writeLong(0, 20_000);
    all();
    unit.send(new LogUnitRequest.TrimStream(unit.epoch, A, 20_000));
    unit.unit.turnEnded();
    syncs.all();
    background.step();
    restart(End.KILLED);
    assertThat(unit.trimmedBefore(A)).isZero();
    assertThat(unit.trimStream(A, 20_000)).isEqualTo(DONE);
    assertThat(unit.trimStream(B, 100)).isEqualTo(DONE);
    assertTrimmed(LongStream.range(0, 20_000).filter(a -> a % 10 != 0 || a < 1000).toArray());
    assertThere(LongStream.range(1000, 20_000).filter(a -> a % 10 == 0).toArray());
  }

  @Test
  void aTrimThatFindsNoSpaceMayBeTriedAgain() {
    writeLong(0, 9000);
    disk.fullAt = disk.effects + 3;
    assertThat(unit.trimStream(A, 9000)).isInstanceOf(Failure.Overloaded.class);
    assertThat(unit.trimmedBefore(A)).isZero();
    assertThat(unit.trimStream(B, 900)).isEqualTo(DONE);
    assertThat(unit.trimStream(A, 9000)).isEqualTo(DONE);
    assertThat(unit.trimmedBefore(A)).isEqualTo(9000);
    assertTrimmed(LongStream.range(0, 9000).toArray());
    restart(End.KILLED);
    assertTrimmed(LongStream.range(0, 9000).toArray());
  }

  @Test
  void aMarkIsToldWhenItIsSettled() {
    startSlow();
    writeLong(0, 10);
    all();
    List<Reply> trimmed = unit.send(new LogUnitRequest.TrimStream(unit.epoch, B, 1));
    unit.send(new LogUnitRequest.TrimStream(unit.epoch, C, 7));
    unit.unit.turnEnded();
    assertThat(trimmed).isEmpty();
    assertThat(unit.trimmedBefore(B)).isZero();
    assertThat(unit.newestOf(B, 1)).containsExactly(0L, 0L);
    all();
    assertThat(trimmed).containsExactly(DONE);
    assertThat(unit.trimmedBefore(B)).isEqualTo(1);
    assertThat(unit.newestOf(B, 1)).isEmpty();
  }

  @Test
  void aUnitThatWasResetHasNoMarks() {
    unit.trimStream(A, 3);
    unit.install(unit.foreign(2));
    unit.reset(2);
    unit.install(3);
    assertThat(unit.trimmedBefore(A)).isZero();
    assertThat(unit.ends()).isEqualTo(Map.of());
    restart(End.KILLED);
    assertThat(unit.trimmedBefore(A)).isZero();
  }

  @Test
  void theReservedStreamIsNotTrimmed() {
    assertThat(unit.trimStream(StreamId.NONE, 3)).isInstanceOf(Failure.Refused.class);
  }
}
