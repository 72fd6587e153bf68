package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.PayloadRange;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.BlocksOutcome.Found;
import corfu.protocol.message.LogUnitReply.BlocksOutcome.Whole;
import corfu.protocol.message.LogUnitReply.FoundBlocks;
import corfu.protocol.message.LogUnitRequest.ReadBlocks;
import corfu.protocol.message.LogUnitRequest.Seal;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts of entries are read as every log unit reads them, in all modes. */
@ParameterizedClass
@EnumSource(UnitMode.class)
class LogUnitBlocksTest {

  private static final int LARGE = 300_000;
  private static final int MIB = 1 << 20;

  private final UnitDriver unit;

  LogUnitBlocksTest(UnitMode mode) {
    unit = new UnitDriver(open(mode));
    unit.install(1);
  }

  private static LogUnit open(UnitMode mode) {
    var world = new UnitDriver.StillWorld(1);
    if (mode == UnitMode.MEMORY) {
      return LogUnit.inMemory(LogUnitOptions.inMemory(64 << 20), world);
    }
    var options = LogUnitOptions.onDisk(mode).withLogFileBytes(1 << 20);
    return LogUnit.open(new FaultDisk(), options, world, Offload.inline(), Offload.inline());
  }

  private static PayloadRange range(long address, int offset, int length) {
    return new PayloadRange(address, offset, length);
  }

  private Reply ask(int maxBytes, PayloadRange... ranges) {
    return unit.ask(new ReadBlocks(unit.epoch, Arrays.asList(ranges), maxBytes));
  }

  private List<BlocksOutcome> read(PayloadRange... ranges) {
    return ((FoundBlocks) ask(MIB, ranges)).outcomes();
  }

  private static EntryBlocks blocks(Entry entry, PayloadRange range) {
    return entry.blocks(range).orElseThrow();
  }

  @Test
  void aPartOfALargeEntryComesInItsBlocks() {
    Entry large = entry(3, LARGE);
    unit.write(large);
    for (int offset = 0; offset < LARGE; offset += 7_777) {
      PayloadRange range = range(3, offset, 4_096);
      EntryBlocks blocks = blocks(large, range);

      assertThat(read(range)).containsExactly(new Found(blocks));
      assertThat(blocks.lengthBytes()).isLessThanOrEqualTo(2 * (4_096 + 4) + 40);
    }
  }

  @Test
  void aRangeThatReachesBeyondThePayloadIsAnsweredWithTheRest() {
    Entry large = entry(3, LARGE);
    unit.write(large);
    PayloadRange over = range(3, LARGE - 10, Integer.MAX_VALUE);
    PayloadRange behind = range(3, Integer.MAX_VALUE, Integer.MAX_VALUE);

    assertThat(read(over)).containsExactly(new Found(blocks(large, over)));
    assertThat(read(behind)).containsExactly(new Found(blocks(large, over)));
    assertThat(blocks(large, over).payload(behind).remaining()).isZero();
  }

  @Test
  void severalRangesAreAnsweredInTheirOrder() {
    Entry large = entry(3, LARGE);
    Entry small = entry(4);
    unit.write(large, small, hole(5), entry(6, LARGE));
    unit.trim(6);

    assertThat(
            read(
                range(3, 200_000, 10),
                range(4, 50, 10),
                range(5, 0, 1),
                range(6, 0, 1),
                range(7, 0, 1),
                range(3, 0, 5_000)))
        .containsExactly(
            new Found(blocks(large, range(3, 200_000, 10))),
            new Whole(small),
            new Whole(hole(5)),
            BlocksOutcome.Trimmed.TRIMMED,
            BlocksOutcome.Unwritten.UNWRITTEN,
            new Found(blocks(large, range(3, 0, 5_000))));
  }

  @Test
  void anEntryOfAnAppenderWithoutBlockChecksumsComesWhole() {
    Entry old = OldEntries.withoutBlockChecksums(entry(3, LARGE));
    unit.write(old, entry(4, LARGE));

    assertThat(read(range(3, 1_000, 10), range(4, 0, 1)))
        .containsExactly(new Whole(old), new Found(blocks(entry(4, LARGE), range(4, 0, 1))));
  }

  @Test
  void anEntryWhoseAppenderSentWrongBlockChecksumsComesWhole() {
    Entry wrong = OldEntries.withWrongBlockChecksums(entry(3, LARGE));
    unit.write(wrong);

    assertThat(read(range(3, 1_000, 10))).containsExactly(new Whole(wrong));
  }

  @Test
  void anAnswerEndsWhereItsBytesWouldBeTooManyButHasOneAtLeast() {
    Entry large = entry(3, LARGE);
    unit.write(large);
    PayloadRange all = range(3, 0, LARGE);
    PayloadRange some = range(3, 0, 4_096);

    assertThat(((FoundBlocks) ask(1, all, some)).outcomes())
        .containsExactly(new Found(blocks(large, all)));
    assertThat(((FoundBlocks) ask(3 * 4_200, some, some, some, some)).outcomes())
        .isEqualTo(Collections.nCopies(3, new Found(blocks(large, some))));
  }

  @Test
  void tooManyRangesOrAnImpossibleAddressAreRefused() {
    int most = Limits.DEFAULT.maxAddressesPerRequest();
    PayloadRange[] many = new PayloadRange[most + 1];
    Arrays.fill(many, range(0, 0, 1));

    assertThat(ask(MIB, many))
        .isInstanceOfSatisfying(
            Failure.Refused.class,
            refused -> {
              assertThat(refused.cause()).isEqualTo(Failure.Cause.TOO_LARGE);
              assertThat(refused.reason()).contains("" + (most + 1), "" + most, "ask in parts");
            });
    assertThat(ask(MIB, range(Long.MAX_VALUE, 0, 1))).isInstanceOf(Failure.Refused.class);
  }

  @Test
  void aUnitThatIsSealedForAllButReadsShowsOnlyEntries() {
    Entry large = entry(3, LARGE);
    unit.write(large, entry(4));
    unit.ask(new Seal(unit.epoch, Seal.Extent.ALL_BUT_READS));

    assertThat(read(range(3, 0, 1), range(4, 0, 1)))
        .containsExactly(new Found(blocks(large, range(3, 0, 1))), new Whole(entry(4)));
    assertThat(ask(MIB, range(3, 0, 1), range(5, 0, 1))).isEqualTo(new Failure.Sealed(unit.epoch));
    unit.ask(new Seal(unit.epoch));
    assertThat(ask(MIB, range(3, 0, 1))).isEqualTo(new Failure.Sealed(unit.epoch));
  }

  @Test
  void anotherEpochIsRefused() {
    unit.write(entry(3, LARGE));
    unit.install(2);

    var late = new ReadBlocks(new Epoch(1), List.of(range(3, 0, 1)), MIB);
    assertThat(unit.ask(late)).isEqualTo(new Failure.Sealed(unit.epoch));
  }
}
