package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.Blank;
import corfu.protocol.message.LogUnitReply.ReadOutcome.Found;
import corfu.protocol.message.LogUnitReply.SealedAt;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.StreamQuery;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Without a lease a unit accepts writes, but does not answer reads. */
class LogUnitLeaseTest {

  private final UnitDriver.StepOffload syncs = new UnitDriver.StepOffload();
  private boolean leased = true;
  private UnitDriver unit;

  @BeforeEach
  void start() {
    var options = LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(64 << 10);
    var world = new UnitDriver.StillWorld(1);
    unit =
        new UnitDriver(
            LogUnit.open(
                new FaultDisk(), options, world, syncs, Offload.inline(), epoch -> leased));
    unit.epoch = new Epoch(1);
    now(new LogUnitRequest.Install(unit.layout(1)));
  }

  private Reply now(LogUnitRequest request) {
    List<Reply> replies = unit.send(request);
    unit.unit.turnEnded();
    syncs.all();
    assertThat(replies).hasSize(1);
    return replies.getFirst();
  }

  private static void assertRefused(Reply reply) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Failure.NotServing.class,
            no -> assertThat(no.reason()).contains("no lease", "majority", "try again"));
  }

  @Test
  void readsOfEveryKindNeedTheLease() {
    leased = false;
    AddressSet one = AddressSet.of(1);
    assertRefused(now(new LogUnitRequest.Read(unit.epoch, one, 100)));
    assertRefused(now(new LogUnitRequest.Inspect(unit.epoch, one)));
    assertRefused(now(new LogUnitRequest.AskTail(unit.epoch)));
    assertRefused(now(new LogUnitRequest.CopyRange(unit.epoch, 0, 10, 1, 100)));
    var query = List.of(StreamQuery.below(StreamId.named("s"), 10));
    assertRefused(now(new LogUnitRequest.FindInStreams(unit.epoch, query, 1)));
    assertRefused(now(new LogUnitRequest.ListStreams(unit.epoch, 0, StreamId.NONE)));
    leased = true;
    now(new LogUnitRequest.Write(unit.epoch, List.of(entry(1))));
    assertThat(unit.read(1)).isEqualTo(new Found(entry(1)));
  }

  @Test
  void aReadThatWaitedNeedsTheLeaseWhenItIsAnswered() {
    unit.send(new LogUnitRequest.Write(unit.epoch, List.of(entry(1))));
    List<Reply> read = unit.send(new LogUnitRequest.Read(unit.epoch, AddressSet.of(1), 1000));
    List<Reply> inspected = unit.send(new LogUnitRequest.Inspect(unit.epoch, AddressSet.of(1)));
    unit.unit.turnEnded();
    assertThat(read).isEmpty();
    leased = false;
    syncs.all();
    assertRefused(read.getFirst());
    assertRefused(inspected.getFirst());
  }

  @Test
  void aReadThatWaitedIsOfItsEpochWhenItIsAnswered() {
    unit.send(new LogUnitRequest.Write(unit.epoch, List.of(entry(1))));
    List<Reply> read = unit.send(new LogUnitRequest.Read(unit.epoch, AddressSet.of(1), 1000));
    unit.send(new LogUnitRequest.Seal(new Epoch(1)));
    unit.unit.turnEnded();
    syncs.all();
    assertThat(read).containsExactly(new Failure.Sealed(new Epoch(1)));
  }

  @Test
  void whatTellsNothingNeedsNoLease() {
    leased = false;
    assertThat(unit.send(new LogUnitRequest.AskUsage())).hasSize(1);
    assertThat(now(new LogUnitRequest.Write(unit.epoch, List.of(entry(1)))).toString())
        .contains(WriteOutcome.Written.WRITTEN.toString());
    assertThat(now(new LogUnitRequest.Trim(unit.epoch, AddressSet.of(1))))
        .isEqualTo(Reply.Done.DONE);
    assertThat(now(new LogUnitRequest.PrefixTrim(unit.epoch, 1))).isEqualTo(Reply.Done.DONE);
    assertThat(now(new LogUnitRequest.TrimStream(unit.epoch, StreamId.named("s"), 1)))
        .isEqualTo(Reply.Done.DONE);
    assertThat(now(new LogUnitRequest.Seal(new Epoch(1)))).isInstanceOf(SealedAt.class);
    assertThat(now(new LogUnitRequest.Install(unit.foreign(2)))).isEqualTo(Reply.Done.DONE);
    assertThat(now(new LogUnitRequest.Reset(new Epoch(2)))).isInstanceOf(Blank.class);
  }
}
