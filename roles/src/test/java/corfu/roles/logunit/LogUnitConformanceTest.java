package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.ClusterId;
import corfu.protocol.Entry;
import corfu.protocol.EntryKind;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.Copied;
import corfu.protocol.message.LogUnitReply.CopiedRecord;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome.Found;
import corfu.protocol.message.LogUnitReply.SealedAt;
import corfu.protocol.message.LogUnitReply.States;
import corfu.protocol.message.LogUnitReply.Tail;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitReply.Writes;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The behaviour of every log unit, in all modes. */
@ParameterizedClass
@EnumSource(UnitMode.class)
class LogUnitConformanceTest {

  private static final WriteOutcome WRITTEN = WriteOutcome.Written.WRITTEN;
  private static final ReadOutcome UNWRITTEN = ReadOutcome.Unwritten.UNWRITTEN;
  private static final ReadOutcome TRIMMED = ReadOutcome.Trimmed.TRIMMED;
  private static final long FAR = 1L << 60;

  private final UnitMode mode;
  private final UnitDriver unit;

  LogUnitConformanceTest(UnitMode mode) {
    this.mode = mode;
    unit = new UnitDriver(open(mode));
    unit.install(1);
  }

  private static LogUnit open(UnitMode mode) {
    var world = new UnitDriver.StillWorld(1);
    if (mode == UnitMode.MEMORY) {
      return LogUnit.inMemory(LogUnitOptions.inMemory(64 << 20), world);
    }
    var options = LogUnitOptions.onDisk(mode).withLogFileBytes(64 << 10);
    return LogUnit.open(new FaultDisk(), options, world, Offload.inline(), Offload.inline());
  }

  private SealedAt sealedAt(long next, long trimmedBefore) {
    return new SealedAt(next, trimmedBefore, unit.unit.incarnation());
  }

  @Test
  void whatWasWrittenIsRead() {
    assertThat(unit.writeOne(entry(3))).isEqualTo(WRITTEN);
    assertThat(unit.read(3)).isEqualTo(new Found(entry(3)));
  }

  @Test
  void anAddressNobodyWroteIsUnwritten() {
    unit.write(entry(3));
    assertThat(unit.read(2)).isEqualTo(UNWRITTEN);
    assertThat(unit.read(FAR)).isEqualTo(UNWRITTEN);
  }

  @Test
  void theSecondWriterIsToldWhoWasFirst() {
    unit.write(entry(3));
    Entry late = Entry.data(3, new AppendId(77, 7), ByteBuffer.allocate(5));
    assertThat(unit.writeOne(late))
        .isEqualTo(new WriteOutcome.Overwritten(entry(3).id(), EntryKind.DATA));
    assertThat(unit.writeOne(hole(3)))
        .isEqualTo(new WriteOutcome.Overwritten(entry(3).id(), EntryKind.DATA));
    assertThat(unit.read(3)).isEqualTo(new Found(entry(3)));
  }

  @Test
  void ofTwoEntriesForOneAddressInOneBatchTheFirstWins() {
    Entry second = Entry.data(3, new AppendId(77, 7), ByteBuffer.allocate(5));
    assertThat(unit.write(entry(3), second, entry(4)))
        .isEqualTo(
            new Writes(
                List.of(
                    WRITTEN,
                    new WriteOutcome.Overwritten(entry(3).id(), EntryKind.DATA),
                    WRITTEN)));
  }

  @Test
  void aHoleIsWrittenOnceLikeAnEntryAndReadAsAHole() {
    assertThat(unit.writeOne(hole(3))).isEqualTo(WRITTEN);
    assertThat(unit.read(3)).isEqualTo(new Found(hole(3)));
    assertThat(unit.writeOne(entry(3)))
        .isEqualTo(new WriteOutcome.Overwritten(hole(3).id(), EntryKind.HOLE));
  }

  @Test
  void aTrimmedAddressIsTrimmedForEver() {
    unit.write(entry(3), hole(4));
    assertThat(unit.trim(3, 4, 5)).isEqualTo(Reply.Done.DONE);
    assertThat(unit.trim(3)).isEqualTo(Reply.Done.DONE);
    for (long address = 3; address <= 5; address++) {
      assertThat(unit.read(address)).isEqualTo(TRIMMED);
      assertThat(unit.writeOne(entry(address))).isEqualTo(WriteOutcome.Trimmed.TRIMMED);
    }
    assertThat(unit.read(6)).isEqualTo(UNWRITTEN);
  }

  @Test
  void aPrefixTrimTakesEverythingBelowAndNothingElse() {
    unit.write(entry(1), entry(4), entry(5));
    assertThat(unit.prefixTrim(5)).isEqualTo(Reply.Done.DONE);
    assertThat(unit.read(1)).isEqualTo(TRIMMED);
    assertThat(unit.read(2)).isEqualTo(TRIMMED);
    assertThat(unit.read(4)).isEqualTo(TRIMMED);
    assertThat(unit.read(5)).isEqualTo(new Found(entry(5)));
    assertThat(unit.writeOne(entry(2))).isEqualTo(WriteOutcome.Trimmed.TRIMMED);
    assertThat(unit.prefixTrim(2)).isEqualTo(Reply.Done.DONE);
    assertThat(unit.tail()).isEqualTo(new Tail(6, 5));
  }

  @Test
  void trimsBeyondTheTailMoveTheTail() {
    unit.write(entry(1));
    unit.trim(FAR);
    assertThat(unit.tail()).isEqualTo(new Tail(FAR + 1, 0));
    unit.prefixTrim(FAR + 10);
    assertThat(unit.tail()).isEqualTo(new Tail(FAR + 10, FAR + 10));
    assertThat(unit.read(FAR + 9)).isEqualTo(TRIMMED);
    assertThat(unit.writeOne(entry(FAR + 10))).isEqualTo(WRITTEN);
  }

  @Test
  void theFarFutureIsAnAddressLikeAnyOther() {
    long last = Long.MAX_VALUE - 1;
    assertThat(unit.writeOne(entry(last))).isEqualTo(WRITTEN);
    assertThat(unit.read(last)).isEqualTo(new Found(entry(last)));
    assertThat(unit.tail().next()).isEqualTo(Long.MAX_VALUE);
    unit.trim(last);
    assertThat(unit.read(last)).isEqualTo(TRIMMED);
    assertThat(unit.write(entry(Long.MAX_VALUE))).isInstanceOf(Failure.Refused.class);
    assertThat(unit.trim(Long.MAX_VALUE)).isInstanceOf(Failure.Refused.class);
  }

  @Test
  void anEntryDamagedOnItsWayIsNotWritten() {
    byte[] bytes = new byte[entry(3).lengthBytes()];
    entry(3).bytes().get(bytes);
    bytes[60] ^= 1;
    assertThat(unit.writeOne(Entry.wrap(ByteBuffer.wrap(bytes))))
        .isEqualTo(WriteOutcome.Damaged.DAMAGED);
    assertThat(unit.read(3)).isEqualTo(UNWRITTEN);
  }

  @Test
  void anEntryAboveTheLimitIsRefused() {
    int tooMuch = Limits.DEFAULT.maxPayloadBytes() + 1;
    assertThat(unit.write(entry(3, tooMuch))).isInstanceOf(Failure.Refused.class);
  }

  @Test
  void moreAddressesThanTheLimitAreRefused() {
    var many = new AddressSet.Strided(0, 1, Limits.DEFAULT.maxAddressesPerRequest() + 1);
    assertThat(unit.ask(new LogUnitRequest.Read(unit.epoch, many, 100)))
        .isInstanceOf(Failure.Refused.class);
  }

  @Test
  void readsKeepTheOrderOfTheAddressesAndStopAtTheByteLimit() {
    unit.fillUp(0, 10, 100);
    unit.trim(4);
    var asked = new AddressSet.Listed(new long[] {9, 4, 20, 3, 2});
    int two = 2 * entry(0).lengthBytes();
    assertThat(unit.read(asked, two))
        .containsExactly(new Found(entry(9)), TRIMMED, UNWRITTEN, new Found(entry(3)));
    assertThat(unit.read(asked, 0)).containsExactly(new Found(entry(9)));
    assertThat(unit.read(new AddressSet.Strided(1, 2, 3), 1 << 20))
        .containsExactly(new Found(entry(1)), new Found(entry(3)), new Found(entry(5)));
  }

  @Test
  void entriesOfAllSizesComeBackAsTheyWere() {
    int[] sizes = {0, 1, 7, 8, 4000, 4096, 70_000, 1 << 20};
    for (int i = 0; i < sizes.length; i++) {
      assertThat(unit.writeOne(entry(i, sizes[i]))).isEqualTo(WRITTEN);
    }
    var all = unit.read(new AddressSet.Strided(0, 1, sizes.length), 4 << 20);
    for (int i = 0; i < sizes.length; i++) {
      assertThat(all.get(i)).isEqualTo(new Found(entry(i, sizes[i])));
      assertThat(unit.read(i)).isEqualTo(new Found(entry(i, sizes[i])));
    }
  }

  @Test
  void inspectionTellsTheStateOfEachAddress() {
    unit.write(entry(1), hole(2));
    unit.trim(3);
    assertThat(unit.ask(new LogUnitRequest.Inspect(unit.epoch, new AddressSet.Strided(0, 1, 4))))
        .isEqualTo(
            new States(
                List.of(
                    AddressState.UNWRITTEN,
                    AddressState.DATA,
                    AddressState.HOLE,
                    AddressState.TRIMMED)));
  }

  @Test
  void aCopySkipsWhatIsUnwrittenOrBelowTheMarkAndGoesOnWhereItStopped() {
    unit.fillUp(0, 10, 100);
    unit.write(hole(12), entry(FAR));
    unit.trim(8, 14);
    unit.prefixTrim(5);
    var first = unit.copy(0, Long.MAX_VALUE, 2 * entry(0).lengthBytes());
    assertThat(first.records())
        .containsExactly(
            new CopiedRecord(5, new Found(entry(5))), new CopiedRecord(6, new Found(entry(6))));
    var rest = unit.copy(first.next(), Long.MAX_VALUE, 1 << 20);
    assertThat(rest.records())
        .containsExactly(
            new CopiedRecord(7, new Found(entry(7))),
            new CopiedRecord(8, TRIMMED),
            new CopiedRecord(9, new Found(entry(9))),
            new CopiedRecord(12, new Found(hole(12))),
            new CopiedRecord(14, TRIMMED),
            new CopiedRecord(FAR, new Found(entry(FAR))));
    assertThat(rest.next()).isEqualTo(Long.MAX_VALUE);
    assertThat(unit.copy(10, 12, 1 << 20).records()).isEmpty();
  }

  @Test
  void aCopyWithAStrideFetchesOneStripe() {
    unit.fillUp(0, 20, 100);
    unit.trim(7, 8);
    var stripe = unit.copy(1, 20, 3, 1 << 20);
    assertThat(stripe.records())
        .containsExactly(
            new CopiedRecord(1, new Found(entry(1))),
            new CopiedRecord(4, new Found(entry(4))),
            new CopiedRecord(7, TRIMMED),
            new CopiedRecord(10, new Found(entry(10))),
            new CopiedRecord(13, new Found(entry(13))),
            new CopiedRecord(16, new Found(entry(16))),
            new CopiedRecord(19, new Found(entry(19))));
    assertThat(stripe.next()).isEqualTo(20);
    unit.prefixTrim(12);
    var above = unit.copy(1, 20, 3, 2 * entry(0).lengthBytes());
    assertThat(above.records())
        .containsExactly(
            new CopiedRecord(13, new Found(entry(13))), new CopiedRecord(16, new Found(entry(16))));
    assertThat(above.next()).isEqualTo(19);
    assertThat(unit.copy(0, 12, 3, 1 << 20)).isEqualTo(new Copied(12, List.of()));
    assertThat(unit.copy(2, FAR, Long.MAX_VALUE, 1 << 20)).isEqualTo(new Copied(FAR, List.of()));
  }

  @Test
  void aCopyLeapsOverWhatNobodyWroteAndBoundsWhatItPasses() {
    long dense = 60_000;
    for (long from = 0; from < dense; from += 1000) {
      long[] others = LongStream.range(from, from + 1000).filter(a -> a % 2 == 1).toArray();
      unit.trim(others);
    }
    unit.write(entry(FAR), entry(FAR + 1));
    List<CopiedRecord> records = new ArrayList<>();
    int requests = 0;
    for (long next = 0; next < Long.MAX_VALUE; requests++) {
      var part = unit.copy(next, Long.MAX_VALUE, 2, 1 << 20);
      assertThat(part.next()).isGreaterThan(next);
      records.addAll(part.records());
      next = part.next();
    }
    assertThat(records).containsExactly(new CopiedRecord(FAR, new Found(entry(FAR))));
    assertThat(requests).isBetween(2, 10);
  }

  @Test
  void requestsOfAnotherEpochAreNotServed() {
    unit.install(5);
    for (long other : new long[] {0, 4, 6}) {
      unit.epoch = new Epoch(other);
      Reply expected =
          other < 5 ? new Failure.Sealed(new Epoch(5)) : new Failure.Behind(new Epoch(5));
      assertThat(unit.write(entry(1))).isEqualTo(expected);
      assertThat(unit.trim(1)).isEqualTo(expected);
      assertThat(unit.prefixTrim(1)).isEqualTo(expected);
      assertThat(unit.ask(new LogUnitRequest.AskTail(unit.epoch))).isEqualTo(expected);
    }
    unit.epoch = new Epoch(5);
    assertThat(unit.read(1)).isEqualTo(UNWRITTEN);
  }

  @Test
  void aSealedUnitServesNothingUntilANewerLayout() {
    unit.write(entry(7));
    assertThat(unit.seal(1)).isEqualTo(sealedAt(8, 0));
    assertThat(unit.write(entry(8))).isEqualTo(new Failure.Sealed(new Epoch(1)));
    assertThat(unit.ask(new LogUnitRequest.AskTail(new Epoch(2))))
        .isEqualTo(new Failure.Behind(new Epoch(1)));
    assertThat(unit.ask(new LogUnitRequest.CopyRange(unit.epoch, 0, 100, 1, 1 << 20)))
        .isEqualTo(new Failure.Sealed(new Epoch(1)));
    unit.install(2);
    assertThat(unit.writeOne(entry(8))).isEqualTo(WRITTEN);
  }

  @Test
  void aSealBeyondTheEpochKeepsOlderLayoutsOut() {
    assertThat(unit.seal(7)).isInstanceOf(SealedAt.class);
    assertThat(unit.install(7)).isEqualTo(Reply.Done.DONE);
    assertThat(unit.write(entry(1))).isEqualTo(new Failure.Sealed(new Epoch(7)));
    assertThat(unit.unit.epoch()).isEqualTo(new Epoch(7));
    unit.install(8);
    assertThat(unit.writeOne(entry(1))).isEqualTo(WRITTEN);
  }

  @Test
  void aBlankUnitTakesAnyLayoutAndServesOneThatReliesOnIt() {
    UnitDriver blank = new UnitDriver(open(mode));
    assertThat(blank.seal(2)).isEqualTo(new Failure.NotBootstrapped());
    assertThat(blank.install(4)).isEqualTo(Reply.Done.DONE);
    assertThat(blank.writeOne(entry(1))).isEqualTo(WRITTEN);
  }

  @Test
  void whoSealsAnEpochThatIsOverIsToldSo() {
    unit.install(5);
    assertThat(unit.seal(4)).isEqualTo(new Failure.Sealed(new Epoch(5)));
    assertThat(unit.writeOne(entry(1))).isEqualTo(WRITTEN);
    assertThat(unit.seal(5)).isEqualTo(sealedAt(2, 0));
    assertThat(unit.seal(5)).as("sealing again does no harm").isEqualTo(sealedAt(2, 0));
  }

  @Test
  void anOlderLayoutIsAcknowledgedAndIgnored() {
    unit.install(5);
    assertThat(unit.install(4)).isEqualTo(Reply.Done.DONE);
    assertThat(unit.unit.epoch()).isEqualTo(new Epoch(5));
  }

  @Test
  void aLayoutOfAnotherClusterIsRefused() {
    var other = new ClusterId(new UUID(8, 8));
    assertThat(unit.install(UnitDriver.layout(9, other, unit.unit.incarnation())))
        .isEqualTo(new Failure.WrongCluster(UnitDriver.CLUSTER));
    assertThat(unit.unit.clusterId()).contains(UnitDriver.CLUSTER);
  }

  @Test
  void usageCountsWhatIsThere() {
    unit.fillUp(0, 10, 100);
    unit.prefixTrim(4);
    var usage = unit.usage();
    assertThat(usage.entries()).isEqualTo(6);
    assertThat(usage.next()).isEqualTo(10);
    assertThat(usage.trimmedBefore()).isEqualTo(4);
    assertThat(usage.fileBytes()).isPositive();
    assertThat(usage.freeBytes()).isPositive();
  }

  @Test
  void aClosedUnitServesNothing() {
    unit.unit.close();
    assertThat(unit.write(entry(1))).isInstanceOf(Failure.NotServing.class);
  }
}
