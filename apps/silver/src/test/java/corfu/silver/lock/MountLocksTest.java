package corfu.silver.lock;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileLock;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.CutTransport;
import corfu.silver.lock.internal.command.LockCodec;
import corfu.silver.lock.internal.command.LockCommand;
import corfu.silver.lock.internal.machine.LockMachine;
import corfu.silver.lock.internal.machine.SessionEvents;
import corfu.smr.Follow;
import corfu.smr.SmrOptions;
import corfu.smr.StateMachineReplica;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mounts of one file system, each with its own connection to a cluster. */
class MountLocksTest {

  private static final StreamId SYSTEM = StreamId.named("file system");
  private static final StreamId FILE = StreamId.named("file");
  private static final StreamId OTHER = StreamId.named("other file");
  private static final LockKind KIND = LockKind.BYTE_RANGE;
  private static final long OWNER = 7;

  private static final LockOptions OPTIONS =
      LockOptions.DEFAULT
          .withSessionTimeout(Duration.ofSeconds(1))
          .withReplica(SmrOptions.DEFAULT.withFollow(Follow.push()));

  /** For tests in which no session may end. */
  private static final LockOptions PATIENT = OPTIONS.withSessionTimeout(Duration.ofMinutes(2));

  private final EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(1).replicas(1).start();
  private final BlockingQueue<List<LostLock>> lost = new LinkedBlockingQueue<>();
  private final Corfu first = cluster.connect();
  private final Corfu second = cluster.connect();

  @AfterEach
  void stop() {
    first.close();
    second.close();
    cluster.close();
  }

  private MountLocks mount(Corfu corfu, LockOptions options) {
    return MountLocks.open(corfu, SYSTEM, options, lost::add);
  }

  private static FileLock write(long start, long end) {
    return new FileLock(FileLock.Type.WRITE, start, end, 10);
  }

  private static Result<Done> tries(MountLocks mount, FileLock lock) {
    return mount.set(FILE, KIND, OWNER, lock, false).join();
  }

  private static CompletableFuture<Result<Done>> waits(MountLocks mount, StreamId file) {
    return mount.set(file, KIND, OWNER, write(0, 9), true);
  }

  private static StateMachineReplica<LockMachine> replica(Corfu corfu) {
    return StateMachineReplica.open(
        corfu,
        MountLocks.nameOf(SYSTEM),
        () -> new LockMachine(SessionEvents.NONE),
        OPTIONS.replica());
  }

  @Test
  void aLockOfOneMountExcludesTheOther() {
    try (MountLocks here = mount(first, PATIENT);
        MountLocks there = mount(second, PATIENT)) {
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
      assertThat(tries(there, write(9, 9))).isEqualTo(Result.failed(Errno.EAGAIN));
      assertThat(there.get(FILE, KIND, OWNER, write(9, 9)))
          .isEqualTo(Result.of(new FileLock(FileLock.Type.WRITE, 0, 9, 0)));
      assertThat(here.get(FILE, KIND, OWNER + 1, write(9, 9))).isEqualTo(Result.of(write(0, 9)));
      assertThat(here.holds(FILE, KIND, OWNER)).isTrue();

      assertThat(here.release(FILE, KIND, OWNER).join()).isEqualTo(Result.done());
      assertThat(here.holds(FILE, KIND, OWNER)).isFalse();
      assertThat(tries(there, write(9, 9))).isEqualTo(Result.done());
    }
  }

  @Test
  void aWaitingRequestGetsTheLockWhenTheOtherMountGivesItBack() {
    try (MountLocks here = mount(first, PATIENT);
        MountLocks there = mount(second, PATIENT)) {
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
      var waiting = waits(there, FILE);
      assertThat(tries(there, write(20, 29))).isEqualTo(Result.done()); // the log has the first
      assertThat(waiting).isNotDone();

      assertThat(here.release(FILE, KIND, OWNER).join()).isEqualTo(Result.done());
      assertThat(waiting.join()).isEqualTo(Result.done());
      assertThat(there.holds(FILE, KIND, OWNER)).isTrue();
    }
  }

  @Test
  void aRequestThatASignalEndedNeverGetsTheLock() {
    try (MountLocks here = mount(first, PATIENT);
        MountLocks there = mount(second, PATIENT)) {
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
      var waiting = waits(there, FILE);
      assertThat(tries(there, write(20, 29))).isEqualTo(Result.done());
      assertThat(waiting.complete(Result.failed(Errno.EINTR))).isTrue();

      assertThat(waiting.join()).isEqualTo(Result.failed(Errno.EINTR));
      assertThat(here.release(FILE, KIND, OWNER).join()).isEqualTo(Result.done());
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
    }
  }

  @Test
  void aSignalBeforeTheReplyOfTheLogEndsTheRequestEitherWay() {
    try (MountLocks here = mount(first, PATIENT);
        MountLocks there = mount(second, PATIENT)) {
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
      var waiting = waits(there, FILE);
      boolean unused = waiting.complete(Result.failed(Errno.EINTR));
      assertThat(waiting.join()).isEqualTo(Result.failed(Errno.EINTR));

      var free = waits(there, OTHER);
      unused = free.complete(Result.failed(Errno.EINTR));
      boolean hasLock = free.join().equals(Result.done());
      assertThat(there.holds(OTHER, KIND, OWNER)).isEqualTo(hasLock);
    }
  }

  @Test
  void mountsThatWaitForEachOtherAreRefused() {
    try (MountLocks here = mount(first, PATIENT);
        MountLocks there = mount(second, PATIENT)) {
      assertThat(waits(here, FILE).join()).isEqualTo(Result.done());
      assertThat(waits(there, OTHER).join()).isEqualTo(Result.done());
      var waiting = waits(here, OTHER);
      assertThat(tries(here, write(20, 29))).isEqualTo(Result.done());

      assertThat(waits(there, FILE).join()).isEqualTo(Result.failed(Errno.EDEADLK));
      assertThat(waiting).isNotDone();
    }
  }

  @Test
  void aMountThatIsCutOffLosesItsLocksToTheOthers() throws InterruptedException {
    var transport = new CutTransport(cluster.transport());
    var options = cluster.clientOptions().withOperationTimeout(Duration.ofSeconds(1));
    Corfu cutOff = Corfu.connect(options, cluster.world(), transport);
    MountLocks here = mount(cutOff, OPTIONS);
    assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
    transport.cut();
    try (MountLocks there = mount(second, OPTIONS.withSessionTimeout(Duration.ofSeconds(10)))) {
      assertThat(waits(there, FILE).join()).isEqualTo(Result.done());
    }
    assertThat(lost.take()).containsExactly(new LostLock(FILE, KIND, OWNER));
    assertThat(here.holds(FILE, KIND, OWNER)).isFalse();
    here.close();
    cutOff.close();
  }

  @Test
  void aMountWhoseSessionOthersEndedLearnsItAndOpensAnother() throws InterruptedException {
    try (MountLocks here = mount(first, PATIENT);
        StateMachineReplica<LockMachine> others = replica(second)) {
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
      endAllSessions(others);

      assertThat(lost.take()).containsExactly(new LostLock(FILE, KIND, OWNER));
      assertThat(here.holds(FILE, KIND, OWNER)).isFalse();
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
      assertThat(here.holds(FILE, KIND, OWNER)).isTrue();
    }
  }

  private static void endAllSessions(StateMachineReplica<LockMachine> replica) {
    List<Long> sessions = replica.read(machine -> List.copyOf(machine.sessions().keySet()));
    for (long session : sessions) {
      var end = new LockCommand.End(session);
      byte[] unused = replica.submit(LockCodec.encode(end));
    }
  }

  @Test
  void aMountWithoutLocksHasNoSessionAndNoReplica() {
    try (MountLocks here = mount(first, OPTIONS);
        StateMachineReplica<LockMachine> others = replica(second)) {
      assertThat(here.release(FILE, KIND, OWNER).join()).isEqualTo(Result.done());
      assertThat(here.isAttached()).isFalse();
      assertThat(first.log().tail()).isEqualTo(new Address(0));

      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
      assertThat(here.release(FILE, KIND, OWNER).join()).isEqualTo(Result.done());
      eventually(() -> assertThat(here.isAttached()).isFalse());
      assertThat(others.<Integer>read(machine -> machine.sessions().size())).isZero();
    }
  }

  @Test
  void aClosedMountGivesItsLocksBackAndEndsItsRequests() {
    try (MountLocks there = mount(second, PATIENT)) {
      MountLocks here = mount(first, PATIENT);
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.done());
      assertThat(waits(there, OTHER).join()).isEqualTo(Result.done());
      var waiting = waits(here, OTHER);
      here.close();

      assertThat(waiting.join()).isEqualTo(Result.failed(Errno.EIO));
      assertThat(tries(there, write(0, 9))).isEqualTo(Result.done());
      assertThat(tries(here, write(0, 9))).isEqualTo(Result.failed(Errno.EIO));
    }
  }

  @Test
  void rangesThatAreNoneAreInvalid() {
    try (MountLocks here = mount(first, PATIENT)) {
      assertThat(tries(here, write(5, 4))).isEqualTo(Result.failed(Errno.EINVAL));
      assertThat(tries(here, write(-1, 4))).isEqualTo(Result.failed(Errno.EINVAL));
    }
  }
}
