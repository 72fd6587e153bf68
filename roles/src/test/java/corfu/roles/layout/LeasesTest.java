package corfu.roles.layout;

import static corfu.roles.layout.Layouts.ballot;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply.Decided;
import corfu.protocol.message.LayoutReply.Granted;
import corfu.protocol.message.LayoutReply.Observations;
import corfu.protocol.message.LayoutReply.Promised;
import corfu.protocol.message.LayoutReply.RunningLease;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LayoutRequest.Accept;
import corfu.protocol.message.LayoutRequest.Learn;
import corfu.protocol.message.LayoutRequest.Observe;
import corfu.protocol.message.LayoutRequest.Prepare;
import corfu.protocol.message.LayoutRequest.Renew;
import corfu.protocol.message.Reply;
import corfu.world.MemoryDisk;
import corfu.world.Offload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How one layout server handles leases. */
class LeasesTest {

  private static final Endpoint UNIT = new Endpoint("server", 1);
  private static final Endpoint LAYOUT_SERVER = new Endpoint("layout-server", 1);
  private static final Endpoint STRANGER = new Endpoint("stranger", 1);

  private final HandWorld world = new HandWorld(3);
  private final MemoryDisk disk = new MemoryDisk();
  private final List<Runnable> diskWork = new ArrayList<>();
  private LayoutServer server = open(LeaseTerms.of(300), Offload.inline());

  @BeforeEach
  void itKnowsTheLayoutOfEpoch5AndNobodyHasALeaseFromItsFormerLife() {
    ask(new Learn(layout(5)));
    world.passMillis(375);
  }

  @Test
  void aServerOfTheNewestLayoutIsGrantedALease() {
    assertThat(ask(renew(5, UNIT))).isEqualTo(new Granted(300));
    assertThat(ask(renew(5, LAYOUT_SERVER))).isEqualTo(new Granted(300));
  }

  @Test
  void whoKnowsAnOlderLayoutIsToldTheNewestInstead() {
    assertThat(ask(renew(4, UNIT))).isEqualTo(new Decided(layout(5)));
    assertThat(ask(renew(0, UNIT))).isEqualTo(new Decided(layout(5)));
  }

  @Test
  void whoKnowsANewerLayoutIsAskedToTellIt() {
    assertThat(ask(renew(6, UNIT))).isEqualTo(new Failure.Behind(new Epoch(5)));

    ask(new Learn(layout(6)));
    assertThat(ask(renew(6, UNIT))).isEqualTo(new Granted(300));
  }

  @Test
  void aServerThatTheLayoutDoesNotNameIsGrantedNone() {
    assertThat(ask(renew(5, STRANGER)))
        .isInstanceOfSatisfying(
            Failure.NotServing.class,
            no -> assertThat(no.reason()).contains("epoch 5 does not name stranger:1"));
    assertThat(promise(6, 1).leases()).isEmpty();
  }

  @Test
  void aBlankLayoutServerGrantsNone() {
    server = LayoutServer.inMemory(LeaseTerms.of(300), world);

    assertThat(ask(renew(0, UNIT))).isEqualTo(new Failure.NotBootstrapped());
    assertThat(ask(renew(1, UNIT))).isEqualTo(new Failure.Behind(Epoch.NONE));
  }

  /** Before it lost its disk, it may have promised to grant none. */
  @Test
  void aLayoutServerThatHasLostItsDiskGrantsNoneUntilALayoutNamesWhatItIsNow() {
    Layout before = layout(5);
    server = LayoutServer.inMemory(LeaseTerms.of(300), world);
    ask(new Learn(before));

    assertThat(ask(renew(5, UNIT))).isInstanceOf(Failure.NotServing.class);
    ask(new Learn(layout(6)));
    assertThat(ask(renew(6, UNIT))).isEqualTo(new Granted(300));
  }

  @Test
  void afterAPromiseNoneIsGrantedInAnEarlierEpoch() {
    promise(6, 1);

    assertThat(ask(renew(5, UNIT))).isEqualTo(new Failure.Sealed(new Epoch(6)));
    server = open(LeaseTerms.of(300), Offload.inline());
    assertThat(ask(renew(5, UNIT))).isEqualTo(new Failure.Sealed(new Epoch(6)));

    ask(new Learn(layout(6)));
    assertThat(ask(renew(5, UNIT))).isEqualTo(new Decided(layout(6)));
    assertThat(ask(renew(6, UNIT))).isEqualTo(new Granted(300));
  }

  @Test
  void anAcceptedLayoutKeepsEarlierEpochsFromLeasesToo() {
    ask(new Accept(ballot(1), layout(6)));

    assertThat(ask(renew(5, UNIT))).isEqualTo(new Failure.Sealed(new Epoch(6)));
  }

  @Test
  void aPromiseTellsTheLeasesThatRunAQuarterLongerThanGranted() {
    ask(renew(5, UNIT));
    world.passMillis(100);
    ask(renew(5, LAYOUT_SERVER));
    world.passMillis(50);

    assertThat(promise(6, 1).leases())
        .containsExactlyInAnyOrder(
            new RunningLease(UNIT, 225), new RunningLease(LAYOUT_SERVER, 325));
  }

  @Test
  void aPromiseThatIsAskedForAgainTellsWhatStillRuns() {
    ask(renew(5, UNIT));
    promise(6, 1);

    world.passMillis(374);
    assertThat(promise(6, 1).leases()).containsExactly(new RunningLease(UNIT, 1));
    world.passMillis(1);
    assertThat(promise(6, 1).leases()).isEmpty();
  }

  @Test
  void renewingProlongs() {
    ask(renew(5, UNIT));
    world.passMillis(200);
    ask(renew(5, UNIT));

    assertThat(promise(6, 1).leases()).containsExactly(new RunningLease(UNIT, 375));
  }

  @Test
  void aLeaseOutlivesItsEpoch() {
    ask(renew(5, UNIT));
    ask(new Learn(layout(6)));
    world.passMillis(75);

    assertThat(promise(7, 1).leases()).containsExactly(new RunningLease(UNIT, 300));
  }

  @Test
  void aLeaseThatIsGrantedWhileThePromiseIsBeingWrittenIsToldWithIt() {
    server = open(LeaseTerms.of(300), this::later);
    world.passMillis(375);
    List<Reply> replies = new ArrayList<>();
    server.handle(new Prepare(new Epoch(6), ballot(1)), replies::add);

    assertThat(ask(renew(5, UNIT))).isEqualTo(new Granted(300));
    assertThat(replies).isEmpty();
    world.passMillis(5);
    diskWork.removeFirst().run();
    assertThat(replies)
        .singleElement()
        .isInstanceOfSatisfying(
            Promised.class,
            promise -> assertThat(promise.leases()).containsExactly(new RunningLease(UNIT, 370)));
    assertThat(ask(renew(5, UNIT))).isEqualTo(new Failure.Sealed(new Epoch(6)));
  }

  @Test
  void afterARestartEveryServerOfTheLayoutCountsAsHavingALease() {
    server = open(LeaseTerms.of(300), Offload.inline());
    world.passMillis(275);
    ask(renew(5, LAYOUT_SERVER));

    assertThat(promise(6, 1).leases())
        .containsExactlyInAnyOrder(
            new RunningLease(UNIT, 100), new RunningLease(LAYOUT_SERVER, 375));
    world.passMillis(100);
    assertThat(promise(6, 2).leases()).containsExactly(new RunningLease(LAYOUT_SERVER, 275));
  }

  @Test
  void aClusterWithoutLeasesIsGrantedNothingAndWaitsForNothing() {
    server = open(LeaseTerms.OFF, Offload.inline());

    assertThat(ask(renew(5, UNIT))).isEqualTo(new Granted(0));
    assertThat(promise(6, 1).leases()).isEmpty();
    assertThat(ask(renew(5, UNIT))).isEqualTo(new Failure.Sealed(new Epoch(6)));
  }

  @Test
  void whoeverAsksHasGivenASignOfLifeWhateverTheAnswer() {
    ask(renew(4, UNIT));
    promise(6, 1);
    ask(renew(5, LAYOUT_SERVER));
    ask(renew(9, STRANGER));
    world.passMillis(30);

    assertThat(((Observations) ask(new Observe())).observations())
        .extracting(seen -> seen.server() + " " + seen.silentMillis())
        .containsExactly("layout-server:1 30", "server:1 30", "stranger:1 30");
  }

  @Test
  void aClosedLayoutServerGrantsNothing() {
    server.close();

    assertThat(ask(renew(5, UNIT))).isInstanceOf(Failure.NotServing.class);
    assertThat(ask(new Observe())).isInstanceOf(Failure.NotServing.class);
  }

  private void later(Runnable work, Consumer<Optional<Throwable>> then) {
    diskWork.add(() -> Offload.inline().run(work, then));
  }

  private LayoutServer open(LeaseTerms terms, Offload offload) {
    return LayoutServer.open(disk, terms, world, offload);
  }

  private Promised promise(long epoch, long round) {
    return (Promised) ask(new Prepare(new Epoch(epoch), ballot(round)));
  }

  private Layout layout(long epoch) {
    List<Incarnation> lives = List.of(server.incarnation());
    return Layouts.layout(epoch, 0, lives);
  }

  private static Renew renew(long epoch, Endpoint server) {
    return new Renew(new Epoch(epoch), server, Health.UNKNOWN);
  }

  private Reply ask(LayoutRequest request) {
    List<Reply> replies = new ArrayList<>();
    server.handle(request, replies::add);
    assertThat(replies).hasSize(1);
    return replies.getFirst();
  }
}
