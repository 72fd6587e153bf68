package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.Following;
import corfu.protocol.message.LogUnitReply.Heard;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Offload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Followers of streams receive new entries after they have settled. */
class LogUnitFollowersTest {

  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");
  private static final long ME = 7;
  private static final int PLENTY = 1 << 20;

  private final UnitDriver.StillWorld world = new UnitDriver.StillWorld(1);
  private final UnitDriver.StepOffload syncs = new UnitDriver.StepOffload();
  private final UnitDriver unit = memory();

  private UnitDriver memory() {
    var driver = new UnitDriver(LogUnit.inMemory(LogUnitOptions.inMemory(64 << 20), world));
    driver.install(1);
    return driver;
  }

  private Reply follow(long who, List<StreamId> add, List<StreamId> remove) {
    return unit.ask(new LogUnitRequest.Follow(unit.epoch, who, add, remove));
  }

  private Reply follow(StreamId... streams) {
    return follow(ME, List.of(streams), List.of());
  }

  private List<Reply> listen(int maxBytes) {
    return unit.send(new LogUnitRequest.Listen(unit.epoch, ME, maxBytes));
  }

  private static Heard heard(Entry... entries) {
    return new Heard(false, List.of(entries));
  }

  @Test
  void whoListensIsAnsweredWhenAnEntryOfAFollowedStreamHasSettled() {
    assertThat(follow(A)).isEqualTo(new Following(1));
    List<Reply> told = listen(PLENTY);
    unit.write(entry(0), entry(1, in(B, 0)), hole(2));
    assertThat(told).isEmpty();

    unit.write(entry(3, in(A, 0)));

    assertThat(told).containsExactly(heard(entry(3, in(A, 0))));
  }

  @Test
  void anEntryThatIsNotDurableYetIsToldToNobody() {
    var disk = new FaultDisk();
    var options = LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(64 << 10);
    UnitDriver slow = new UnitDriver(LogUnit.open(disk, options, world, syncs, Offload.inline()));
    List<Reply> installed = slow.send(new LogUnitRequest.Install(slow.layout(1)));
    slow.unit.turnEnded();
    syncs.all();
    assertThat(installed).containsExactly(Reply.Done.DONE);
    slow.ask(new LogUnitRequest.Follow(slow.epoch, ME, List.of(A), List.of()));
    List<Reply> told = slow.send(new LogUnitRequest.Listen(slow.epoch, ME, PLENTY));

    // two requests in one turn, because a lone one would be written at once
    slow.send(new LogUnitRequest.Write(slow.epoch, List.of(entry(0, in(A, 0)))));
    slow.send(new LogUnitRequest.Write(slow.epoch, List.of(entry(1))));
    slow.unit.turnEnded();
    assertThat(syncs.isWaiting()).isTrue();
    assertThat(told).isEmpty();

    syncs.all();
    assertThat(told).containsExactly(heard(entry(0, in(A, 0))));
  }

  @Test
  void whatComesBetweenTwoQuestionsGathersAndIsToldOnce() {
    follow(A, B);
    unit.write(entry(0, in(A, 0)));
    unit.write(entry(1, in(A, 1), in(B, 0)));

    assertThat(listen(PLENTY))
        .containsExactly(heard(entry(0, in(A, 0)), entry(1, in(A, 1), in(B, 0))));
    assertThat(listen(PLENTY)).isEmpty();
  }

  @Test
  void anAnswerIsNoLargerThanWhatWasAskedForButHasOneEntry() {
    follow(A);
    unit.write(entry(0, in(A, 0)), entry(1, in(A, 1)), entry(2, in(A, 2)));
    int one = entry(0, in(A, 0)).lengthBytes();

    assertThat(listen(2 * one)).containsExactly(heard(entry(0, in(A, 0)), entry(1, in(A, 1))));
    assertThat(listen(0)).containsExactly(heard(entry(2, in(A, 2))));
  }

  @Test
  void aNewerQuestionHasTheOlderOneAnsweredWithNothing() {
    follow(A);
    List<Reply> older = listen(PLENTY);
    List<Reply> newer = listen(PLENTY);
    assertThat(older).containsExactly(heard());

    unit.write(entry(0, in(A, 0)));
    assertThat(older).hasSize(1);
    assertThat(newer).containsExactly(heard(entry(0, in(A, 0))));
  }

  @Test
  void aStreamThatIsFollowedNoLongerIsNotTold() {
    follow(A, B);
    assertThat(follow(ME, List.of(), List.of(A))).isEqualTo(new Following(1));
    unit.write(entry(0, in(A, 0)), entry(1, in(B, 0)));

    assertThat(listen(PLENTY)).containsExactly(heard(entry(1, in(B, 0))));
  }

  @Test
  void anEntryThatComesTooLateForItsAddressIsNotTold() {
    unit.write(entry(0));
    follow(A);
    unit.write(entry(0, in(A, 0)));

    assertThat(listen(PLENTY)).isEmpty();
  }

  @Test
  void whoIsNotKnownIsToldSo() {
    assertThat(listen(PLENTY).getFirst()).isInstanceOf(Failure.NotServing.class);
  }

  @Test
  void theEndOfAnEpochIsToldAndItsFollowersAreForgotten() {
    follow(A);
    List<Reply> sealed = listen(PLENTY);
    unit.seal(1);
    assertThat(sealed).containsExactly(new Failure.Sealed(new Epoch(1)));

    unit.install(2);
    assertThat(listen(PLENTY).getFirst()).isInstanceOf(Failure.NotServing.class);
    follow(A);
    List<Reply> replaced = listen(PLENTY);
    unit.install(3);
    assertThat(replaced).containsExactly(new Failure.Sealed(new Epoch(3)));
  }

  @Test
  void aUnitThatClosesAnswersThoseWhoListen() {
    follow(A);
    List<Reply> told = listen(PLENTY);
    unit.unit.close();

    assertThat(told.getFirst()).isInstanceOf(Failure.NotServing.class);
  }

  @Test
  void whoDoesNotFetchInTimeIsToldThatHeHasMissedSome() {
    follow(A);
    for (int i = 0; i < 6; i++) { // more than may gather
      unit.write(big(i));
    }
    Heard first = (Heard) listen(PLENTY).getFirst();

    assertThat(first.hasMissed()).isTrue();
    assertThat(first.entries()).hasSizeLessThan(6);
    unit.write(entry(9, in(A, 9)));
    assertThat(heardRest()).endsWith(entry(9, in(A, 9)));
  }

  private static Entry big(int at) {
    return Entry.data(at, new AppendId(at, at), List.of(in(A, at)), ByteBuffer.allocate(1 << 20));
  }

  /** Returns all gathered entries, and asserts that none was dropped. */
  private List<Entry> heardRest() {
    List<Entry> all = new ArrayList<>();
    List<Reply> told = listen(PLENTY);
    while (!told.isEmpty()) {
      Heard heard = (Heard) told.getFirst();
      assertThat(heard.hasMissed()).isFalse();
      all.addAll(heard.entries());
      told = listen(PLENTY);
    }
    return all;
  }

  @Test
  void whoHasBeenSilentForLongIsForgottenWhenSomethingWouldGatherForHim() {
    follow(A);
    world.nanos += LogUnitRequest.Listen.PATIENCE.toNanos();
    unit.write(entry(0, in(A, 0)));
    assertThat(listen(PLENTY)).containsExactly(heard(entry(0, in(A, 0))));

    world.nanos += LogUnitRequest.Listen.PATIENCE.toNanos() + 1;
    unit.write(entry(1, in(A, 1)));
    assertThat(listen(PLENTY).getFirst()).isInstanceOf(Failure.NotServing.class);
  }
}
