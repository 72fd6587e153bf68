package corfu.roles.layout;

import static corfu.roles.layout.Layouts.ballot;
import static corfu.roles.layout.Layouts.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply.Accepted;
import corfu.protocol.message.LayoutReply.AcceptedNow;
import corfu.protocol.message.LayoutReply.Current;
import corfu.protocol.message.LayoutReply.Outbid;
import corfu.protocol.message.LayoutReply.Promised;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LayoutRequest.Accept;
import corfu.protocol.message.LayoutRequest.Fetch;
import corfu.protocol.message.LayoutRequest.Learn;
import corfu.protocol.message.LayoutRequest.Prepare;
import corfu.protocol.message.Reply;
import corfu.roles.FaultDisk;
import corfu.world.Disk;
import corfu.world.Offload;
import corfu.world.RealDisk;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutServerTest {

  private final FaultDisk disk = new FaultDisk(new SplittableRandom(1));
  private final HandWorld world = new HandWorld(3);

  /** Of the server under test. */
  private Incarnation incarnation = Incarnation.NONE;

  @Test
  void inMemoryItServesWithoutADisk() {
    LayoutServer server = LayoutServer.inMemory(LeaseTerms.OFF, world);
    incarnation = server.incarnation();

    assertThat(ask(server, new Fetch())).isEqualTo(new Failure.NotBootstrapped());
    assertThat(ask(server, new Learn(layout(1, 0)))).isEqualTo(Reply.Done.DONE);
    assertThat(server.newestLayout()).contains(layout(1, 0));
    assertThat(incarnation.isKnown()).isTrue();
    assertThat(LayoutServer.inMemory(LeaseTerms.OFF, world).incarnation())
        .isNotEqualTo(incarnation);
  }

  @Test
  void itsIncarnationLastsAsLongAsItsDisk() {
    Incarnation drawn = open().incarnation();
    assertThat(drawn.isKnown()).isTrue();

    disk.crash();
    assertThat(open().incarnation()).isEqualTo(drawn);
    ask(open(), new Learn(layout(1, 0)));
    disk.crash();
    assertThat(open().incarnation()).isEqualTo(drawn);

    FaultDisk another = new FaultDisk(new SplittableRandom(2));
    assertThat(LayoutServer.open(another, LeaseTerms.OFF, world, Offload.inline()).incarnation())
        .isNotEqualTo(drawn);
  }

  @Test
  void aServerThatHasLostItsDiskDoesNotVoteUntilALayoutNamesWhatItIsNow() {
    List<Incarnation> former = List.of(new Incarnation(3));
    LayoutServer server = open();
    ask(server, new Learn(Layouts.layout(7, 0, former)));

    assertThat(server.state()).isEqualTo(Health.State.IDLE);
    assertThat(ask(server, new Prepare(new Epoch(8), ballot(1))))
        .isInstanceOf(Failure.NotServing.class);

    ask(server, new Learn(layout(8, 0)));
    assertThat(server.state()).isEqualTo(Health.State.SERVING);
    assertThat(ask(server, new Prepare(new Epoch(9), ballot(1)))).isEqualTo(promised());
  }

  @Test
  void itComesBackWithAllItPromisedAcceptedAndLearned(@TempDir Path directory) {
    try (Disk real = RealDisk.open(directory)) {
      LayoutServer server = LayoutServer.open(real, LeaseTerms.OFF, world, Offload.inline());
      incarnation = server.incarnation();
      ask(server, new Learn(layout(1, 0)));
      ask(server, new Accept(ballot(3), layout(2, 5)));
      ask(server, new Prepare(new Epoch(2), ballot(8)));
      server.close();
    }
    try (Disk real = RealDisk.open(directory)) {
      LayoutServer server = LayoutServer.open(real, LeaseTerms.OFF, world, Offload.inline());
      assertThat(ask(server, new Fetch())).isEqualTo(new Current(layout(1, 0)));
      assertThat(ask(server, new Prepare(new Epoch(2), ballot(7))))
          .isEqualTo(new Outbid(ballot(8)));
      assertThat(ask(server, new Prepare(new Epoch(2), ballot(9))))
          .isEqualTo(new Promised(Optional.of(new Accepted(ballot(3), layout(2, 5))), List.of()));
    }
  }

  @Test
  void nothingIsAnsweredBeforeItIsDurableExceptWhatIsDurableAlready() {
    Disks disks = new Disks();
    LayoutServer server = open(disks);
    List<Reply> replies = new ArrayList<>();
    server.handle(new Learn(layout(1, 0)), replies::add);
    server.handle(new Prepare(new Epoch(2), ballot(1)), replies::add);
    server.handle(new Prepare(new Epoch(2), ballot(1)), replies::add);

    assertThat(replies).isEmpty();
    assertThat(ask(server, new Fetch())).isEqualTo(new Failure.NotBootstrapped());
    disks.work();
    assertThat(replies).containsExactly(Reply.Done.DONE);
    assertThat(ask(server, new Fetch())).isEqualTo(new Current(layout(1, 0)));
    disks.work();
    assertThat(replies).hasSize(3);
    assertThat(disks.isIdle()).isTrue();
  }

  @Test
  void whatHasBeenDecidedIsPassedOnWhileItIsBeingWritten() {
    Disks disks = new Disks();
    LayoutServer server = open(disks);
    List<Reply> replies = new ArrayList<>();
    server.handle(new Learn(layout(1, 0)), replies::add);
    server.handle(new Learn(layout(2, 0)), replies::add);
    disks.work();
    disks.work();
    assertThat(ask(server, new Fetch())).isEqualTo(new Current(layout(2, 0)));

    server.handle(new Learn(layout(4, 0)), replies::add);
    server.handle(new Learn(layout(3, 0)), replies::add);
    assertThat(replies).hasSize(2);
    assertThat(ask(server, new Fetch())).isEqualTo(new Current(layout(4, 0)));
    assertThat(server.newestLayout()).contains(layout(2, 0));
    disks.workUntilIdle();
    assertThat(replies).hasSize(4);
    assertThat(ask(server, new Fetch())).isEqualTo(new Current(layout(4, 0)));
  }

  @Test
  void whatAnotherClusterHasDecidedIsNotPassedOn() {
    Disks disks = new Disks();
    LayoutServer server = open(disks);
    List<Reply> replies = new ArrayList<>();
    server.handle(new Learn(layout(1, 0)), replies::add);
    disks.work();
    server.handle(
        new Learn(Layouts.layout(Layouts.OTHERS, 2, 0, List.of(incarnation))), replies::add);
    assertThat(ask(server, new Fetch())).isEqualTo(new Current(layout(1, 0)));
  }

  @Test
  void itTakesOnABoundedNumberOfRequestsWhileTheDiskWorks() {
    Disks disks = new Disks();
    LayoutServer server = open(disks);
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      server.handle(new Prepare(new Epoch(1), ballot(i + 1)), replies::add);
    }
    assertThat(replies).hasSize(2_000 - 1_025).hasOnlyElementsOfType(Failure.Overloaded.class);

    disks.workUntilIdle();
    assertThat(replies).hasSize(2_000);
  }

  @Test
  void aDiskThatFailsKeepsThePromiseFromBeingGiven() {
    LayoutServer server = open();
    ask(server, new Learn(layout(1, 0)));
    for (int call = 0; call < 3; call++) { // a write, a sync, and the write of the second copy
      disk.failOnceAfter(call);
      assertThat(ask(server, new Prepare(new Epoch(2), ballot(10 + call))))
          .isInstanceOfSatisfying(
              Failure.Broken.class,
              broken -> assertThat(broken.reason()).contains("as it was told to"));
      assertThat(ask(server, new Accept(ballot(1), layout(3 + call, 0))))
          .isEqualTo(AcceptedNow.ACCEPTED);
    }
    assertThat(ask(server, new Prepare(new Epoch(2), ballot(1)))).isEqualTo(promised());
  }

  @Test
  void aClosedServerRefusesWhatWaitsAndFinishesWhatIsBeingWritten() {
    Disks disks = new Disks();
    LayoutServer server = open(disks);
    List<Reply> replies = new ArrayList<>();
    server.handle(new Learn(layout(1, 0)), replies::add);
    server.handle(new Learn(layout(2, 0)), replies::add);
    server.close();

    assertThat(replies).hasSize(1).hasOnlyElementsOfType(Failure.NotServing.class);
    assertThat(ask(server, new Fetch())).isInstanceOf(Failure.NotServing.class);
    disks.workUntilIdle();
    assertThat(replies).hasSize(2).endsWith(Reply.Done.DONE);
  }

  @Test
  void aCrashAtAnyCallLosesNothingThatWasAnswered() {
    for (int seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FaultDisk faulty = new FaultDisk(random.split());
      inFlight = Optional.empty();
      LayoutState promised = new LayoutFile(faulty).loadOrBegin(world.random());
      incarnation = promised.incarnation();
      for (int life = 0; life < 4; life++) {
        LayoutServer server = LayoutServer.open(faulty, LeaseTerms.OFF, world, Offload.inline());
        LayoutState found = new LayoutFile(faulty).loadOrBegin(world.random());
        assertThat(found).as("seed %d", seed).isIn(promised, attempted(promised));
        promised = found;
        inFlight = Optional.empty();
        faulty.failAfter(random.nextInt(25));
        for (int step = 0; step < 40 && !faulty.hasFailed(); step++) {
          LayoutRequest request = request(seed, life, step);
          if (ask(server, request) instanceof Failure.Broken) {
            inFlight = Optional.of(request);
          } else {
            promised = step(promised, request).state();
          }
        }
        faulty.crash();
      }
    }
  }

  private Optional<LayoutRequest> inFlight = Optional.empty();

  /**
   * Returns the state after the one request that the crash interrupted, which may have become
   * durable.
   */
  private LayoutState attempted(LayoutState promised) {
    return inFlight.map(request -> step(promised, request).state()).orElse(promised);
  }

  private LayoutRequest request(int seed, int life, int step) {
    SplittableRandom random = new SplittableRandom(seed * 1_000L + life * 100 + step);
    long epoch = 1 + life + random.nextInt(3);
    return switch (random.nextInt(4)) {
      case 0 -> new Learn(layout(epoch, 0));
      case 1 -> new Prepare(new Epoch(epoch), ballot(1 + random.nextInt(1_000)));
      default -> new Accept(ballot(1 + random.nextInt(1_000)), layout(epoch, random.nextInt(9)));
    };
  }

  @Test
  void aFileDamagedInOnePlaceKeepsWhatItHeld() {
    keepSomething();
    LayoutState kept = new LayoutFile(disk).loadOrBegin(world.random());
    for (int bit = 0; bit < 8 * disk.sizeOf(LayoutFile.NAME); bit += 7) {
      disk.flipBit(LayoutFile.NAME, bit);
      assertThat(new LayoutFile(disk).loadOrBegin(world.random())).isEqualTo(kept);
    }
  }

  @Test
  void aFileDamagedInBothPlacesKeepsTheServerFromStarting() {
    keepSomething();
    int half = disk.sizeOf(LayoutFile.NAME) / 2;
    int used = lastUsed(disk.bytesOf(LayoutFile.NAME), half) + 1;
    for (int bit = 0; bit < 8 * used; bit++) {
      disk.flipBit(LayoutFile.NAME, bit);
      disk.flipBit(LayoutFile.NAME, 8 * half + bit);
      assertThatThrownBy(() -> open())
          .isInstanceOf(DamagedLayoutFileException.class)
          .hasMessageContaining("file 'layout' of the layout server in a faulty disk is damaged")
          .hasMessageContaining("restore the disk");
      disk.flipBit(LayoutFile.NAME, bit);
      disk.flipBit(LayoutFile.NAME, 8 * half + bit);
    }
    for (int size = disk.sizeOf(LayoutFile.NAME) - 1; size >= 0; size--) {
      disk.cut(LayoutFile.NAME, size);
      assertThatThrownBy(() -> open()).isInstanceOf(DamagedLayoutFileException.class);
    }
  }

  private void keepSomething() {
    LayoutServer server = open();
    ask(server, new Learn(layout(1, 0)));
    ask(server, new Accept(ballot(3), layout(2, 5)));
  }

  private static int lastUsed(byte[] bytes, int before) {
    int last = before - 1;
    while (bytes[last] == 0) {
      last--;
    }
    return last;
  }

  private LayoutServer open() {
    return open(Offload.inline());
  }

  private LayoutServer open(Offload offload) {
    LayoutServer server = LayoutServer.open(disk, LeaseTerms.OFF, world, offload);
    incarnation = server.incarnation();
    return server;
  }

  private Layout layout(long epoch, int variant) {
    return Layouts.layout(epoch, variant, List.of(incarnation));
  }

  private static Promised promised() {
    return new Promised(Optional.empty(), List.of());
  }

  private static Reply ask(LayoutServer server, LayoutRequest request) {
    List<Reply> replies = new ArrayList<>();
    server.handle(request, replies::add);
    assertThat(replies).hasSize(1);
    return replies.getFirst();
  }

  /** An offload that works on demand. */
  private static final class Disks implements Offload {
    private final Queue<Runnable> pending = new ArrayDeque<>();

    @Override
    public void run(Runnable work, Consumer<Optional<Throwable>> then) {
      pending.add(() -> Offload.inline().run(work, then));
    }

    void work() {
      pending.remove().run();
    }

    void workUntilIdle() {
      while (!isIdle()) {
        work();
      }
    }

    boolean isIdle() {
      return pending.isEmpty();
    }
  }
}
