package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A unit's knowledge of streams after a restart, during a write, and after a failure. */
class LogUnitStreamsRestartTest {

  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");
  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(64 << 10);

  private final FaultDisk disk = new FaultDisk();
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

  /** Writes entries from here on, the even ones in one stream, every fifth one in another. */
  private void writeSome(long from, long to) {
    List<Entry> entries = new ArrayList<>();
    for (long a = from; a < to; a++) {
      if (a % 10 == 0) {
        entries.add(entry(a, in(A, a / 2), in(B, a / 5)));
      } else if (a % 2 == 0) {
        entries.add(entry(a, in(A, a / 2)));
      } else {
        entries.add(a % 5 == 0 ? entry(a, in(B, a / 5)) : a % 3 == 0 ? hole(a) : entry(a));
      }
    }
    unit.ask(new LogUnitRequest.Write(unit.epoch, entries));
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void streamsAreFoundAfterARestart(End end) {
    writeSome(0, 3000);
    writeSome(5000, 6000);
    writeSome(3000, 5000);
    assertThat(disk.logFiles()).hasSizeGreaterThan(5);
    var queries = List.of(StreamQuery.below(A, 4500), new StreamQuery(B, 6000, 300));
    var before = unit.find(3000, queries.toArray(StreamQuery[]::new));
    Map<StreamId, StreamPosition> ends = unit.ends();
    assertThat(before.found().getFirst().newestFirst()).hasSize(2250);
    for (int life = 0; life < 3; life++) {
      restart(end);
      assertThat(unit.find(3000, queries.toArray(StreamQuery[]::new))).isEqualTo(before);
      assertThat(unit.ends()).isEqualTo(ends);
    }
  }

  @Test
  void aRestartReadsStreamsFromFooters() {
    writeSome(0, 20_000);
    unit.unit.close();
    disk.bytesRead = 0;
    unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
    assertThat(unit.newestOf(A, 1)).containsExactly(19_998L, 9_999L);
    assertThat(disk.bytesRead).isLessThan(disk.usedBytes() / 4);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void endsOfTrimmedStreamsAreKnownAsLongAsAFileTellsThem(End end) {
    writeSome(0, 100);
    unit.trim(99, 98, 95, 90, 7);
    unit.prefixTrim(50);
    restart(end);
    assertThat(unit.ends().get(A).streamAddress()).isEqualTo(50);
    assertThat(unit.ends().get(B).streamAddress()).isEqualTo(20);
    assertThat(unit.forgottenBefore()).isZero();
  }

  @Test
  void whatNoFileTellsAnyMoreIsForgotten() {
    writeSome(0, 3000);
    unit.prefixTrim(2500);
    assertThat(unit.forgottenBefore()).isZero();
    restart(End.CLOSED);
    assertThat(unit.forgottenBefore()).isBetween(2000L, 2500L);
    unit.trim(2501, 9000);
    restart(End.CLOSED);
    assertThat(unit.forgottenBefore()).isEqualTo(9001);
    assertThat(unit.newestOf(A, 1)).containsExactly(2998L, 1499L);
  }

  @Test
  void whatCompactionTookAwayIsForgottenByTheNextLifeOnly() {
    writeSome(0, 6000);
    for (long a = 0; a < 5500; a += 500) {
      long from = a;
      unit.trim(LongStream.range(from, from + 490).toArray());
    }
    assertThat(disk.usedBytes()).isLessThan(10 * OPTIONS.logFileBytes());
    assertThat(unit.forgottenBefore()).isZero();
    Map<StreamId, StreamPosition> ends = unit.ends();
    restart(End.CLOSED);
    assertThat(unit.forgottenBefore()).isBetween(1000L, 5490L);
    assertThat(unit.ends().get(A).streamAddress()).isEqualTo(ends.get(A).streamAddress());
    assertThat(unit.newestOf(B, 300)).contains(5495L, 1099L, 5490L, 1098L, 495L, 99L, 490L, 98L);
  }

  @Test
  void whatIsNotSettledIsNotFound() {
    var syncs = startSlow();

    unit.send(write(entry(2, in(A, 1))));
    unit.send(write(entry(3, in(B, 0))));
    unit.unit.turnEnded();
    unit.send(write(entry(4, in(A, 2))));
    assertThat(unit.newestOf(A, 5)).containsExactly(1L, 0L);
    assertThat(unit.ends()).containsOnlyKeys(A);
    syncs.step();
    assertThat(unit.newestOf(A, 1)).containsExactly(2L, 1L);
    assertThat(unit.ends()).containsOnlyKeys(A, B);
    unit.unit.turnEnded();
    syncs.all();
    assertThat(unit.newestOf(A, 1)).containsExactly(4L, 2L);
  }

  @Test
  void whoMeetsATrimUnderWayWaitsForIt() {
    var syncs = startSlow();

    unit.send(new LogUnitRequest.PrefixTrim(unit.epoch, 8));
    unit.send(new LogUnitRequest.PrefixTrim(unit.epoch, 9));
    unit.unit.turnEnded();
    var query = List.of(StreamQuery.below(A, Long.MAX_VALUE));
    List<Reply> found = unit.send(new LogUnitRequest.FindInStreams(unit.epoch, query, 1));
    List<Reply> listed =
        unit.send(new LogUnitRequest.ListStreams(unit.epoch, A.part(), StreamId.NONE));
    assertThat(found).isEmpty();
    assertThat(listed).isEmpty();
    syncs.all();
    assertThat(found)
        .hasOnlyElementsOfType(LogUnitReply.FoundInStreams.class)
        .first()
        .extracting(reply -> ((LogUnitReply.FoundInStreams) reply).forgottenBefore())
        .isEqualTo(9L);
    assertThat(listed).hasSize(1);
  }

  /** Starts a unit with one entry of one stream, whose disk works on demand. */
  private UnitDriver.StepOffload startSlow() {
    var syncs = new UnitDriver.StepOffload();
    var world = new UnitDriver.StillWorld(1);
    unit = new UnitDriver(LogUnit.open(new FaultDisk(), OPTIONS, world, syncs, Offload.inline()));
    unit.epoch = new Epoch(1);
    unit.send(new LogUnitRequest.Install(unit.layout(1)));
    unit.unit.turnEnded();
    syncs.all();
    unit.send(write(entry(1, in(A, 0))));
    unit.unit.turnEnded();
    syncs.all();
    return syncs;
  }

  private LogUnitRequest write(Entry... entries) {
    return new LogUnitRequest.Write(unit.epoch, List.of(entries));
  }

  @Test
  void whatFoundNoSpaceIsInNoStream() {
    writeSome(0, 10);
    disk.fullAt = disk.effects + 1;
    assertThat(unit.writeOne(entry(10, in(A, 5), in(B, 2))))
        .isEqualTo(WriteOutcome.NoSpace.NO_SPACE);
    StreamId fresh = StreamId.named("fresh");
    disk.fullAt = disk.effects + 2;
    assertThat(unit.writeOne(entry(12, in(fresh, 0)))).isEqualTo(WriteOutcome.NoSpace.NO_SPACE);
    disk.fullAt = Integer.MAX_VALUE;
    assertThat(unit.newestOf(A, 1)).containsExactly(8L, 4L);
    assertThat(unit.ends()).containsOnlyKeys(A, B);
    writeSome(10, 20);
    assertThat(unit.newestOf(A, 2)).containsExactly(18L, 9L, 16L, 8L);
  }

  /** Trimmed entries are swept out of memory while the newest entry is being written. */
  @Test
  void anEndIsKnownAgainWhenTheEntryBehindItComesToNothing() {
    var syncs = new UnitDriver.StepOffload();
    var background = new UnitDriver.StepOffload();
    var world = new UnitDriver.StillWorld(1);
    unit = new UnitDriver(LogUnit.open(disk, OPTIONS, world, syncs, background));
    unit.epoch = new Epoch(2);
    int many = 5000;
    unit.send(new LogUnitRequest.Install(unit.layout(2)));
    unit.unit.turnEnded();
    drain(syncs, background);
    unit.send(write(entry(1, in(A, 1))));
    for (long a = 2; a < many; a++) {
      unit.send(write(entry(a, 1)));
    }
    unit.unit.turnEnded();
    drain(syncs, background);
    long[] all = LongStream.range(1, many).toArray();
    unit.send(new LogUnitRequest.Trim(unit.epoch, new AddressSet.Listed(all)));
    unit.unit.turnEnded();
    syncs.all();

    unit.send(write(entry(many, in(A, 2))));
    unit.send(write(entry(many + 1, in(B, 0))));
    unit.unit.turnEnded();
    background.all();
    disk.fullAt = disk.effects + 1;
    syncs.step();
    disk.fullAt = Integer.MAX_VALUE;
    drain(syncs, background);
    assertThat(unit.ends()).containsOnlyKeys(A);
    assertThat(unit.ends().get(A).streamAddress()).isEqualTo(2);
    assertThat(unit.forgottenBefore()).isZero();
  }

  private void drain(UnitDriver.StepOffload syncs, UnitDriver.StepOffload background) {
    while (syncs.isWaiting() || background.isWaiting()) {
      syncs.all();
      background.all();
      unit.unit.turnEnded();
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void aFlippedBitTakesNoEntryOutOfItsStreamUnnoticed(End end) {
    writeSome(0, 16);
    unit.trim(4, 11);
    if (end == End.CLOSED) {
      unit.unit.close();
    }
    disk.killProcess();
    String file = disk.logFiles().getFirst();
    int size = disk.bytesOf(file).length;
    var random = new SplittableRandom(1);
    for (int offset = 0; offset < Math.min(size, 3000); offset++) {
      FaultDisk damaged = disk.copy();
      damaged.flip(file, offset, random.nextInt(8));
      try {
        unit = UnitDriver.opened(damaged, OPTIONS);
      } catch (DamagedStorageException refusal) {
        continue; // the unit reports the damage
      }
      unit.epoch = unit.unit.epoch();
      List<Long> found = unit.newestOf(A, 20);
      for (long a = 14; a >= 0; a -= 2) {
        boolean isKnown = Collections.indexOfSubList(found, List.of(a, a / 2)) >= 0;
        assertThat(isKnown || unit.forgottenBefore() > a)
            .as("entry %d, a bit flipped at %d", a, offset)
            .isTrue();
      }
      assertThat(found).hasSizeLessThanOrEqualTo(16);
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void ofADamagedEntryTheStreamsAreForgottenAndNoOthers(End end) {
    unit.write(entry(0, in(A, 0)), entry(1, in(A, 1)), entry(2, in(A, 2)));
    disk.killProcess();
    int record = RecordFormat.RECORD_HEADER_BYTES;
    long second = RecordFormat.FILE_HEADER_BYTES + 2 * record + entry(0, in(A, 0)).lengthBytes();
    disk.flip(disk.logFiles().getFirst(), (second + 7 & ~7L) + record + 80, 1);
    unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
    for (int life = 0; life < 2; life++) {
      assertThat(unit.read(1)).isInstanceOf(ReadOutcome.Corrupt.class);
      assertThat(unit.newestOf(A, 3)).containsExactly(2L, 2L, 0L, 0L);
      assertThat(unit.forgottenBefore()).isEqualTo(2);
      restart(end);
    }
  }
}
