package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Epoch;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.ReadOutcome.Found;
import corfu.protocol.message.LogUnitReply.Reads;
import corfu.protocol.message.LogUnitReply.SealedAt;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.Seal;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The answers of a unit that is sealed for all requests but reads. */
class LogUnitSealTest {

  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(64 << 10);
  private static final Failure SEALED = new Failure.Sealed(new Epoch(1));

  private final FaultDisk disk = new FaultDisk();
  private UnitDriver unit;

  @BeforeEach
  void start() {
    unit = UnitDriver.started(disk, OPTIONS);
    assertThat(unit.epoch).isEqualTo(new Epoch(1));
    unit.write(entry(0), entry(1), entry(2));
    unit.trim(2);
  }

  private Reply seal(long epoch, Seal.Extent extent) {
    return unit.ask(new Seal(new Epoch(epoch), extent));
  }

  private Reply read(long... addresses) {
    return unit.ask(new LogUnitRequest.Read(unit.epoch, new AddressSet.Listed(addresses), 1 << 20));
  }

  @Test
  void whatItHoldsCanBeReadUntilItKnowsTheNextLayout() {
    assertThat(seal(1, Seal.Extent.ALL_BUT_READS))
        .isEqualTo(new SealedAt(3, 0, unit.unit.incarnation()));
    assertThat(read(0, 1)).isEqualTo(new Reads(List.of(new Found(entry(0)), new Found(entry(1)))));

    unit.install(2);
    unit.epoch = new Epoch(1);
    assertThat(read(0)).isEqualTo(new Failure.Sealed(new Epoch(2)));
    unit.epoch = new Epoch(2);
    assertThat(read(0)).isEqualTo(new Reads(List.of(new Found(entry(0)))));
  }

  @Test
  void whatOthersMayChangeMeanwhileIsNotTold() {
    seal(1, Seal.Extent.ALL_BUT_READS);
    assertThat(read(3)).as("unwritten here").isEqualTo(SEALED);
    assertThat(read(0, 2)).as("trimmed here").isEqualTo(SEALED);
    AddressSet one = AddressSet.of(0);
    for (LogUnitRequest request :
        List.of(
            new LogUnitRequest.Write(unit.epoch, List.of(entry(3))),
            new LogUnitRequest.Trim(unit.epoch, one),
            new LogUnitRequest.PrefixTrim(unit.epoch, 1),
            new LogUnitRequest.Inspect(unit.epoch, one),
            new LogUnitRequest.AskTail(unit.epoch),
            new LogUnitRequest.CopyRange(unit.epoch, 0, 10, 1, 100))) {
      assertThat(unit.ask(request)).as("%s", request).isEqualTo(SEALED);
    }
  }

  @Test
  void whoWantsItClosedHasItClosedWhateverOthersWant() {
    seal(1, Seal.Extent.ALL_BUT_READS);
    seal(1, Seal.Extent.EVERYTHING);
    assertThat(read(0)).isEqualTo(SEALED);
    seal(1, Seal.Extent.ALL_BUT_READS);
    assertThat(read(0)).isEqualTo(SEALED);
  }

  @Test
  void aSealOfALaterEpochThanItsOwnClosesIt() {
    seal(2, Seal.Extent.ALL_BUT_READS);
    assertThat(read(0)).isEqualTo(new Failure.Sealed(new Epoch(2)));
  }

  @Test
  void afterARestartItIsClosed() {
    seal(1, Seal.Extent.ALL_BUT_READS);
    disk.crash(new SplittableRandom(1));
    unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = new Epoch(1);
    assertThat(read(0)).isEqualTo(SEALED);
  }
}
