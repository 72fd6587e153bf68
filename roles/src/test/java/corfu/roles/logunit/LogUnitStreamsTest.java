package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Entry;
import corfu.protocol.Limits;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.FoundInStreams;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.Streams;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every log unit's knowledge of streams, in all modes. */
@ParameterizedClass
@EnumSource(UnitMode.class)
class LogUnitStreamsTest {

  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");
  private static final StreamId C = StreamId.named("c");
  private static final long ALL = Long.MAX_VALUE;

  private final UnitMode mode;
  private UnitDriver unit;

  LogUnitStreamsTest(UnitMode mode) {
    this.mode = mode;
    start(Limits.DEFAULT);
  }

  private void start(Limits limits) {
    var world = new UnitDriver.StillWorld(1);
    var options =
        mode == UnitMode.MEMORY
            ? LogUnitOptions.inMemory(64 << 20)
            : LogUnitOptions.onDisk(mode).withLogFileBytes(64 << 10);
    unit =
        new UnitDriver(
            mode == UnitMode.MEMORY
                ? LogUnit.inMemory(options.withLimits(limits), world)
                : LogUnit.open(
                    new FaultDisk(),
                    options.withLimits(limits),
                    world,
                    Offload.inline(),
                    Offload.inline()));
    unit.install(1);
  }

  private static Occurrences found(long... pairs) {
    List<Occurrence> found = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      found.add(new Occurrence(pairs[i], pairs[i + 1]));
    }
    return new Occurrences(0, found);
  }

  @Test
  void theEntriesOfAStreamAreFoundNewestFirst() {
    unit.write(entry(3, in(A, 0)), entry(4), entry(5, in(A, 1)), entry(9, in(A, 2)));
    assertThat(unit.newestOf(A, 2)).containsExactly(9L, 2L, 5L, 1L);
    assertThat(unit.newestOf(A, 10)).containsExactly(9L, 2L, 5L, 1L, 3L, 0L);
  }

  @Test
  void eachQueryIsAnsweredWithinItsBounds() {
    unit.write(entry(3, in(A, 0)), entry(5, in(A, 1), in(B, 0)), entry(9, in(A, 2)));
    var belowNine = new StreamQuery(A, 9, ALL);
    var belowOne = new StreamQuery(A, ALL, 1);
    var ofNobody = new StreamQuery(C, ALL, ALL);
    var ofB = StreamQuery.below(B, ALL);
    assertThat(unit.find(10, belowNine, belowOne, ofNobody, ofB))
        .isEqualTo(
            new FoundInStreams(0, List.of(found(5, 1, 3, 0), found(3, 0), found(), found(5, 0))));
  }

  @Test
  void anEntryIsFoundInAllOfItsStreams() {
    unit.write(entry(7, in(A, 2), in(B, 5), in(C, 0)));
    assertThat(unit.newestOf(A, 1)).containsExactly(7L, 2L);
    assertThat(unit.newestOf(B, 1)).containsExactly(7L, 5L);
    assertThat(unit.newestOf(C, 1)).containsExactly(7L, 0L);
  }

  @Test
  void whoComesTooLateIsInNoStream() {
    unit.write(entry(7, in(A, 0)), hole(8));
    unit.trim(9);
    unit.write(entry(7, in(B, 0)), entry(8, in(B, 0)), entry(9, in(B, 0)));
    assertThat(unit.newestOf(B, 10)).isEmpty();
    assertThat(unit.ends()).containsOnlyKeys(A);
  }

  @Test
  void whatComesOutOfOrderIsFoundInItsPlace() {
    unit.write(entry(9, in(A, 4)));
    unit.write(entry(3, in(A, 1)), entry(6, in(A, 3)));
    unit.write(entry(5, in(A, 2)), entry(12, in(A, 5)), entry(0, in(A, 0)));
    assertThat(unit.newestOf(A, 10))
        .containsExactly(12L, 5L, 9L, 4L, 6L, 3L, 5L, 2L, 3L, 1L, 0L, 0L);
  }

  @Test
  void streamsAreListedWithTheirEnds() {
    for (long i = 0; i < 6; i++) {
      unit.write(entry(10 + i, in(A, i)));
    }
    unit.write(entry(20, in(A, 6), in(B, 17)));
    assertThat(unit.ends())
        .isEqualTo(
            Map.of(
                A, new StreamPosition(7, Backpointers.of(20, 15, 14, 13)),
                B, new StreamPosition(18, Backpointers.of(20))));
  }

  @Test
  void whatIsInNoStreamIsListedNowhere() {
    unit.fillUp(0, 10, 10);
    assertThat(unit.ends()).isEmpty();
  }

  @Test
  void aListThatDoesNotFitGoesOnBehindItsLastStream() {
    Limits few = new Limits(1000, Limits.DEFAULT.maxFrameBytes(), 3, 3);
    start(few);
    List<StreamId> streams = new ArrayList<>();
    for (long i = 1; streams.size() < 8; i++) {
      StreamId stream = new StreamId(-i, i);
      if (stream.part() == 77) {
        streams.add(stream);
        unit.write(entry(i, in(stream, 0)));
      }
    }
    Collections.sort(streams);
    List<StreamId> listed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      var some = unit.list(77, listed.isEmpty() ? StreamId.NONE : listed.getLast());
      assertThat(some.more()).isEqualTo(i < 2);
      some.tails().forEach(tail -> listed.add(tail.stream()));
      assertThat(listed).hasSize(Math.min(3 * (i + 1), 8));
    }
    assertThat(listed).isEqualTo(streams);
    assertThat(unit.list(78, StreamId.NONE)).isEqualTo(new Streams(List.of(), false));
  }

  @Test
  void anEndIsKnownWhenEverythingHasBeenTrimmed() {
    unit.write(entry(0, in(A, 0)), entry(1, in(A, 1), in(B, 0)), entry(2, in(A, 2)));
    unit.trim(2, 1);
    assertThat(unit.newestOf(A, 1)).containsExactly(2L, 2L);
    unit.prefixTrim(3);
    assertThat(unit.ends().get(A).streamAddress()).isEqualTo(3);
    assertThat(unit.ends().get(B).streamAddress()).isEqualTo(1);
    assertThat(unit.forgottenBefore()).isZero();
  }

  @Test
  void ofWhatWasTrimmedAndNeverSeenTheStreamsAreForgotten() {
    unit.write(entry(0, in(A, 0)), entry(1, in(A, 1)), entry(4, in(A, 2)));
    assertThat(unit.forgottenBefore()).isZero();
    unit.trim(0);
    unit.prefixTrim(2);
    assertThat(unit.forgottenBefore()).isZero();
    unit.trim(4, 3);
    assertThat(unit.forgottenBefore()).isEqualTo(4);
    unit.prefixTrim(5);
    assertThat(unit.forgottenBefore()).as("nobody wrote 2").isEqualTo(5);
  }

  @Test
  void aLongPrefixThatWasSeenIsNotForgotten() {
    unit.fillUp(0, 20_000, 8);
    unit.trim(300, 19_000);
    unit.prefixTrim(10_000);
    assertThat(unit.forgottenBefore()).isZero();
    unit.prefixTrim(19_500);
    assertThat(unit.forgottenBefore()).isZero();
    unit.prefixTrim(20_001);
    assertThat(unit.forgottenBefore()).isEqualTo(20_001);
  }

  @Test
  void moreThanOneRequestMayAskForIsRefused() {
    StreamQuery query = StreamQuery.below(A, ALL);
    int most = Limits.DEFAULT.maxAddressesPerRequest();
    assertThat(unit.find(most, query).found()).hasSize(1);
    assertRefused(most + 1, Failure.Cause.TOO_LARGE, query);
    assertRefused(most / 2 + 1, Failure.Cause.TOO_LARGE, query, query);
    assertRefused(0, Failure.Cause.MALFORMED, query);
  }

  private void assertRefused(int most, Failure.Cause cause, StreamQuery... queries) {
    Reply reply = unit.ask(new LogUnitRequest.FindInStreams(unit.epoch, List.of(queries), most));
    assertThat(reply)
        .isInstanceOfSatisfying(
            Failure.Refused.class, refused -> assertThat(refused.cause()).isEqualTo(cause));
  }

  @Test
  void anAnswerFitsIntoAFrame() {
    start(new Limits(1000, 4000, 1000, 3));
    unit.fillUp(0, 5, 10);
    StreamQuery query = StreamQuery.below(A, ALL);
    assertThat(unit.find(240, query).found()).hasSize(1);
    assertRefused(250, Failure.Cause.TOO_LARGE, query);
  }

  @Test
  void anEntryWhoseStreamsCanNotBeIsRefused() {
    assertMalformed(entry(3, in(A, 4)));
    assertMalformed(entry(3, in(StreamId.NONE, 1)));
    Entry leadingForward =
        Entry.data(
            3,
            new AppendId(1, 1),
            List.of(new StreamHeader(A, 1, Backpointers.of(5))),
            ByteBuffer.allocate(0));
    assertMalformed(leadingForward);
    assertThat(unit.read(3)).isEqualTo(ReadOutcome.Unwritten.UNWRITTEN);
    assertThat(unit.ends()).isEmpty();
  }

  private void assertMalformed(Entry entry) {
    assertThat(unit.write(entry))
        .isInstanceOfSatisfying(
            Failure.Refused.class,
            refused -> assertThat(refused.cause()).isEqualTo(Failure.Cause.MALFORMED));
  }

  @Test
  void anEntryThatWasDamagedOnItsWayIsInNoStream() {
    ByteBuffer bytes = ByteBuffer.allocate(200);
    bytes.put(entry(3, in(A, 1)).bytes()).flip();
    bytes.put(60, (byte) ~bytes.get(60));
    assertThat(unit.writeOne(Entry.wrap(bytes))).isEqualTo(WriteOutcome.Damaged.DAMAGED);
    assertThat(unit.ends()).isEmpty();
  }

  @Test
  void aUnitThatWasResetKnowsNoStream() {
    unit.write(entry(3, in(A, 0)), entry(4, in(B, 0)));
    unit.trim(5);
    unit.install(unit.foreign(2));
    unit.reset(2);
    unit.install(3);
    assertThat(unit.ends()).isEmpty();
    assertThat(unit.newestOf(A, 5)).isEmpty();
    assertThat(unit.forgottenBefore()).isZero();
    unit.write(entry(4, in(A, 1)));
    assertThat(unit.newestOf(A, 5)).containsExactly(4L, 1L);
  }

  @Test
  void whatHasBeenTrimmedDoesNotTakeMemoryForEver() {
    int live = 2000;
    for (long a = 0; a < 60_000; a += 1000) {
      List<Entry> entries = new ArrayList<>();
      for (long b = a; b < a + 1000; b++) {
        entries.add(entry(b, in(A, b), in(new StreamId(7, 1 + b % 50), b / 50)));
      }
      unit.ask(new LogUnitRequest.Write(unit.epoch, entries));
      if (a < 30_000) {
        unit.prefixTrim(Math.max(0, a + 1000 - live));
      } else {
        long from = Math.max(0, a - live);
        unit.trim(LongStream.range(from, from + 1000).toArray());
      }
    }
    assertThat(unit.newestOf(A, 60_000)).hasSizeLessThan(2 * (4 * live + 4096));
    for (long i = 0; i < 50; i++) {
      assertThat(unit.newestOf(new StreamId(7, 1 + i), 1)).containsExactly(59_950 + i, 1199L);
    }
    assertThat(unit.forgottenBefore()).isZero();
  }
}
