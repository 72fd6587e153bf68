package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.EntryKind;
import corfu.protocol.Epoch;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.Reads;
import corfu.protocol.message.LogUnitReply.SealedAt;
import corfu.protocol.message.LogUnitReply.States;
import corfu.protocol.message.LogUnitReply.Tail;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitReply.Writes;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.Inspect;
import corfu.protocol.message.LogUnitRequest.Install;
import corfu.protocol.message.LogUnitRequest.PrefixTrim;
import corfu.protocol.message.LogUnitRequest.Read;
import corfu.protocol.message.LogUnitRequest.Seal;
import corfu.protocol.message.LogUnitRequest.Trim;
import corfu.protocol.message.LogUnitRequest.Write;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of writes, syncs and replies while a sync is running. */
class GroupCommitTest {

  private static final Reply WRITTEN = new Writes(List.of(WriteOutcome.Written.WRITTEN));

  private final FaultDisk disk = new FaultDisk();
  private final UnitDriver.StepOffload syncs = new UnitDriver.StepOffload();
  private UnitDriver unit;

  @BeforeEach
  void start() {
    unit = open(UnitMode.DURABLE);
  }

  private UnitDriver open(UnitMode mode) {
    var options = LogUnitOptions.onDisk(mode).withLogFileBytes(64 << 10);
    var world = new UnitDriver.StillWorld(1);
    var opened = new UnitDriver(LogUnit.open(disk, options, world, syncs, Offload.inline()));
    opened.send(new Install(opened.layout(1)));
    opened.unit.turnEnded();
    syncs.all();
    return opened;
  }

  private List<Reply> write(long address) {
    return unit.send(new Write(unit.epoch, List.of(entry(address))));
  }

  private List<Reply> send(LogUnitRequest request) {
    return unit.send(request);
  }

  private static AddressSet one(long address) {
    return AddressSet.of(address);
  }

  @Test
  void aWriteThatFollowsOtherRequestsIsSyncedOnAnotherThread() {
    List<Reply> reply = write(1);
    unit.unit.turnEnded();
    assertThat(syncs.isWaiting()).isTrue();
    assertThat(reply).isEmpty();
    syncs.step();
    assertThat(reply).containsExactly(WRITTEN);
    assertThat(syncs.isWaiting()).isFalse();
  }

  @Test
  void aLateWriteWaitsForTheLastOfTheBatchesWithItsWinners() {
    write(1);
    unit.unit.turnEnded(); // the first batch is being written
    write(2);
    send(new Install(unit.layout(2))); // its work waits behind the second batch
    Entry one = Entry.data(1, new AppendId(9, 1), ByteBuffer.allocate(1));
    Entry two = Entry.data(2, new AppendId(9, 2), ByteBuffer.allocate(1));

    List<Reply> late = send(new Write(unit.epoch, List.of(one, two)));

    syncs.step();
    assertThat(late).isEmpty();
    unit.unit.turnEnded();
    syncs.all();
    assertThat(late)
        .containsExactly(
            new Writes(
                List.of(
                    new WriteOutcome.Overwritten(entry(1).id(), EntryKind.DATA),
                    new WriteOutcome.Overwritten(entry(2).id(), EntryKind.DATA))));
  }

  @Test
  void aLoneWriteIsSyncedOnTheUnitsThread() {
    writeAndSync(1);
    List<Reply> lone = write(2);
    unit.unit.turnEnded();
    assertThat(lone).containsExactly(WRITTEN);
    assertThat(syncs.isWaiting()).isFalse();
  }

  @Test
  void aLoneWriteBesideABusySequencerIsSyncedOnAnotherThread() {
    writeAndSync(1);
    for (int token = 0; token < 3; token++) {
      unit.unit.neighborRequested();
    }
    List<Reply> write = write(2);
    unit.unit.turnEnded();
    assertThat(write).isEmpty();
    assertThat(syncs.isWaiting()).isTrue();
    syncs.step();
    assertThat(write).containsExactly(WRITTEN);
  }

  @Test
  void aCallbackThatThrowsBreaksTheUnitInsteadOfStoppingItsCommitsUnseen() {
    writeAndSync(1);
    unit.unit.handle(
        new Write(unit.epoch, List.of(entry(2))),
        reply -> {
          throw new IllegalStateException("the connection's buffer is gone");
        });
    unit.unit.turnEnded();
    syncs.all();
    assertThat(unit.unit.state()).isEqualTo(Health.State.BROKEN);
    assertThat(unit.unit.detail()).contains("the connection's buffer is gone");
    assertThat(write(3)).singleElement().isInstanceOf(Failure.Broken.class);
  }

  @Test
  void aCallbackThatThrowsAfterASyncElsewhereBreaksTheUnitToo() {
    unit.unit.handle(
        new Write(unit.epoch, List.of(entry(1))),
        reply -> {
          throw new IllegalStateException("the connection's buffer is gone");
        });
    unit.unit.turnEnded();
    syncs.all();
    assertThat(unit.unit.state()).isEqualTo(Health.State.BROKEN);
    assertThat(write(2)).singleElement().isInstanceOf(Failure.Broken.class);
  }

  private void writeAndSync(long address) {
    write(address);
    unit.unit.turnEnded();
    syncs.all();
  }

  @Test
  void whatComesDuringASyncSharesTheNextOne() {
    List<Reply> first = write(1);
    unit.unit.turnEnded();
    List<Reply> second = write(2);
    unit.unit.turnEnded();
    List<Reply> third = write(3);
    unit.unit.turnEnded();
    syncs.step();
    assertThat(first).hasSize(1);
    assertThat(second).isEmpty();
    syncs.step();
    assertThat(second).hasSize(1);
    assertThat(third).hasSize(1);
    assertThat(syncs.isWaiting()).isFalse();
  }

  @Test
  void nothingIsShownBeforeItIsDurable() {
    write(1);
    unit.unit.turnEnded();
    Entry late = Entry.data(1, new AppendId(9, 9), ByteBuffer.allocate(1));
    List<Reply> read = send(new Read(unit.epoch, one(1), 1000));
    List<Reply> inspected = send(new Inspect(unit.epoch, one(1)));
    List<Reply> overwritten = send(new Write(unit.epoch, List.of(late)));
    List<Reply> tail = send(new LogUnitRequest.AskTail(unit.epoch));
    assertThat(read).isEmpty();
    assertThat(inspected).isEmpty();
    assertThat(overwritten).isEmpty();
    assertThat(tail).containsExactly(new Tail(0, 0));
    syncs.step();
    assertThat(read).containsExactly(new Reads(List.of(new ReadOutcome.Found(entry(1)))));
    assertThat(inspected).hasOnlyElementsOfType(States.class).hasSize(1);
    assertThat(overwritten)
        .containsExactly(
            new Writes(List.of(new WriteOutcome.Overwritten(entry(1).id(), EntryKind.DATA))));
  }

  @Test
  void aTrimIsNotShownBeforeItIsDurableEither() {
    write(1);
    unit.unit.turnEnded();
    syncs.all();
    List<Reply> trimmed = send(new Trim(unit.epoch, one(1)));
    List<Reply> trimmedTwice = send(new Trim(unit.epoch, one(1)));
    List<Reply> read = send(new Read(unit.epoch, one(1), 1000));
    List<Reply> prefix = send(new PrefixTrim(unit.epoch, 5));
    List<Reply> below = send(new Read(unit.epoch, one(3), 1000));
    unit.unit.turnEnded();
    assertThat(List.of(trimmed, trimmedTwice, read, prefix, below))
        .allSatisfy(replies -> assertThat(replies).isEmpty());
    syncs.all();
    var gone = new Reads(List.of(ReadOutcome.Trimmed.TRIMMED));
    assertThat(trimmed).containsExactly(Reply.Done.DONE);
    assertThat(trimmedTwice).containsExactly(Reply.Done.DONE);
    assertThat(prefix).containsExactly(Reply.Done.DONE);
    assertThat(read).containsExactly(gone);
    assertThat(below).containsExactly(gone);
  }

  @Test
  void aSealLetsWritesFinishThatWereThereBefore() {
    List<Reply> running = write(1);
    unit.unit.turnEnded();
    List<Reply> gathered = write(2);
    List<Reply> sealed = send(new Seal(new Epoch(1)));
    List<Reply> late = write(3);
    unit.unit.turnEnded();
    assertThat(late).containsExactly(new Failure.Sealed(new Epoch(1)));
    syncs.step();
    syncs.step();
    assertThat(running).containsExactly(WRITTEN);
    assertThat(gathered).containsExactly(WRITTEN);
    assertThat(sealed).isEmpty();
    syncs.step();
    assertThat(sealed).containsExactly(new SealedAt(3, 0, unit.unit.incarnation()));
  }

  @Test
  void aLayoutIsServedWhenItIsDurable() {
    List<Reply> installed = send(new Install(unit.layout(2)));
    unit.unit.turnEnded();
    unit.epoch = new Epoch(2);
    assertThat(write(1)).containsExactly(new Failure.Behind(new Epoch(1)));
    syncs.all();
    assertThat(installed).containsExactly(Reply.Done.DONE);
    List<Reply> written = write(1);
    unit.unit.turnEnded();
    syncs.all();
    assertThat(written).containsExactly(WRITTEN);
  }

  @Test
  void aBufferedUnitAnswersAtOnceAndSyncsBehind() {
    disk.list().forEach(disk::delete);
    unit = open(UnitMode.BUFFERED);
    List<Reply> first = write(1);
    unit.unit.turnEnded();
    assertThat(first).containsExactly(WRITTEN);
    assertThat(syncs.isWaiting()).isTrue();
    List<Reply> second = write(2);
    unit.unit.turnEnded();
    assertThat(second).containsExactly(WRITTEN);
    syncs.all();
    assertThat(syncs.isWaiting()).isFalse();
  }
}
