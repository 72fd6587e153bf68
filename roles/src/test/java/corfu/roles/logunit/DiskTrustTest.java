package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Incarnation;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Progress;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A disk that may be an older image of itself serves no requests. */
class DiskTrustTest {

  private static final LogUnitOptions OPTIONS = LogUnitOptions.onDisk(UnitMode.DURABLE);

  private final FaultDisk disk = new FaultDisk();

  private UnitDriver restarted() {
    UnitDriver.started(disk, OPTIONS).write(entry(0, 10), entry(1, 10));
    disk.killProcess();
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    unit.epoch = unit.unit.epoch();
    unit.unit.trust().doubt();
    return unit;
  }

  private static List<LogUnitRequest> requests(UnitDriver unit) {
    return List.of(
        new LogUnitRequest.Read(unit.epoch, AddressSet.of(0), 1000),
        new LogUnitRequest.Write(unit.epoch, List.of(entry(2, 10))),
        new LogUnitRequest.Trim(unit.epoch, AddressSet.of(0)),
        new LogUnitRequest.Seal(unit.epoch, LogUnitRequest.Seal.Extent.EVERYTHING));
  }

  @Test
  void aUnitThatIsDoubtedServesNobodyAndIsNotSealed() {
    UnitDriver unit = restarted();
    for (LogUnitRequest request : requests(unit)) {
      assertThat(unit.ask(request)).isInstanceOf(Failure.NotServing.class);
    }
    assertThat(unit.unit.epoch()).isEqualTo(unit.epoch);
  }

  @Test
  void aUnitThatSomebodyVouchesForServes() {
    UnitDriver unit = restarted();
    unit.unit.trust().vouch();
    assertThat(unit.read(0)).isEqualTo(new ReadOutcome.Found(entry(0, 10)));
  }

  @Test
  void aUnitWhoseDiskWasEmptyIsNotDoubted() {
    UnitDriver unit = UnitDriver.opened(disk, OPTIONS);
    unit.unit.trust().doubt();
    assertThat(unit.unit.trust().isDoubted()).isFalse();
  }

  @Test
  void aUnitThatWasSetBackIsBrokenUntilItIsReset() {
    UnitDriver unit = restarted();
    Progress now = unit.unit.progress();
    Progress before = new Progress(now.logFile(), now.offset() + 8, now.sealed(), now.installed());
    assertThat(now.isBehind(before)).isTrue();

    unit.unit.setBack(now, before, () -> {});

    for (LogUnitRequest request : requests(unit)) {
      assertThat(unit.ask(request)).isInstanceOf(Failure.NotServing.class);
    }
    assertThat(unit.unit.state()).isEqualTo(Health.State.BROKEN);
    assertThat(unit.unit.detail()).contains("set back").contains(before.toString());

    Incarnation life = unit.unit.incarnation();
    unit.install(unit.foreign(2));
    assertThat(unit.unit.state()).isEqualTo(Health.State.IDLE);
    Reply blank = unit.ask(new LogUnitRequest.Reset(unit.unit.epoch()));
    assertThat(((LogUnitReply.Blank) blank).incarnation()).isNotEqualTo(life);
    assertThat(unit.unit.trust().isSetBack()).isFalse();
  }

  /** Layout servers may have lost power since, with all unsaved progress. */
  @Test
  void aUnitThatWasSetBackHasNoPlaceAnyMoreThoughNobodyRemembersIt() {
    UnitDriver unit = restarted();
    Progress now = unit.unit.progress();
    Incarnation life = unit.unit.incarnation();
    AtomicBoolean isKept = new AtomicBoolean();
    unit.unit.setBack(now, now, () -> isKept.set(true));
    assertThat(isKept).isTrue();
    disk.crash(new SplittableRandom(1));

    UnitDriver again = UnitDriver.opened(disk, OPTIONS);
    again.epoch = again.unit.epoch();
    again.unit.trust().doubt();
    again.unit.trust().vouch();

    assertThat(again.unit.incarnation()).isNotEqualTo(life);
    for (LogUnitRequest request : requests(again).subList(0, 3)) {
      assertThat(again.ask(request)).isInstanceOf(Failure.NotServing.class);
    }
    LogUnitRequest seal = requests(again).getLast();
    assertThat(((LogUnitReply.SealedAt) again.ask(seal)).incarnation()).isNotEqualTo(life);
  }

  /** Layout servers remember more of the life to which the image belongs. */
  @Test
  void aUnitThatWasSetBackToNothingBeginsAnotherLifeToo() {
    UnitDriver unit = UnitDriver.started(disk, OPTIONS);
    unit.unit.setBack(unit.unit.progress(), unit.unit.progress(), () -> {});
    Incarnation life = unit.unit.incarnation();
    unit.install(unit.foreign(2));
    Reply blank = unit.ask(new LogUnitRequest.Reset(unit.unit.epoch()));
    assertThat(((LogUnitReply.Blank) blank).incarnation()).isNotEqualTo(life);
  }
}
