package corfu.silver.lock;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileLock;
import corfu.protocol.StreamId;
import corfu.silver.lock.LockHistory.Believer;
import corfu.silver.lock.internal.command.LockCodec;
import corfu.silver.lock.internal.command.LockCommand;
import corfu.silver.lock.internal.command.LockCommand.Batch;
import corfu.silver.lock.internal.command.LockOperation.Acquire;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.silver.lock.internal.machine.LockMachine;
import corfu.silver.lock.internal.machine.SessionEvents;
import corfu.sim.application.Application;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import corfu.smr.Command;
import corfu.smr.Follow;
import corfu.smr.SmrOptions;
import corfu.smr.StateMachineReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Each process is a mount; each of its threads is an owner that takes locks and gives them back.
 */
final class LockPlay implements ApplicationRun {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  static final Application APPLICATION =
      stage -> new LockPlay(stage, PlantedBug.NONE, false, TIMEOUT);

  /** Mounts that lose their locks after a short pause. */
  static final Application HASTY =
      stage -> new LockPlay(stage, PlantedBug.NONE, false, TIMEOUT.dividedBy(8));

  /** For runs without faults, in which no mount may lose a lock. */
  static final Application CALM = stage -> new LockPlay(stage, PlantedBug.NONE, true, TIMEOUT);

  /** Returns an application for runs without faults, with a bug. */
  static Application with(PlantedBug bug) {
    return stage -> new LockPlay(stage, bug, false, TIMEOUT);
  }

  /** A wrong behaviour of the machine, which a check must report. */
  enum PlantedBug {
    NONE(""),
    /** A lock that is in the way is taken from its owner, whose mount does not hear of it. */
    LOCK_STOLEN_IN_SILENCE("Reliance"),
    /** The replica of each process applies some commands twice. */
    SESSION_ENDED_EARLY("Replicas");

    private final String promise;

    PlantedBug(String promise) {
      this.promise = promise;
    }

    String promise() {
      return promise;
    }
  }

  private static final StreamId SYSTEM = StreamId.named("simulated");
  private static final List<LockedFile> FILES =
      List.of(
          new LockedFile(new StreamId(1, 1), LockKind.BYTE_RANGE),
          new LockedFile(new StreamId(1, 2), LockKind.WHOLE_FILE));
  private static final int BYTES = 8;

  private final ApplicationContext stage;
  private final PlantedBug bug;
  private final boolean isCalm;
  private final Duration timeout;
  private final LockHistory history;
  private int waiting;

  private LockPlay(ApplicationContext stage, PlantedBug bug, boolean isCalm, Duration timeout) {
    this.timeout = timeout;
    this.stage = stage;
    this.bug = bug;
    this.isCalm = isCalm;
    this.history = new LockHistory(stage);
  }

  /** A machine whose states are checked. */
  private final class ObservedMachine extends LockMachine {
    private final MutedEvents events;
    private final String process;

    ObservedMachine(String process, MutedEvents events) {
      super(events);
      this.process = process;
      this.events = events;
    }

    @Override
    public byte[] apply(Command command) {
      LockCommand decoded = LockCodec.decode(command.body());
      plant(decoded);
      byte[] reply = super.apply(command);
      history.applied(command.address() + "/" + command.index(), this);
      history.compareBelievers();
      return reply;
    }

    private void plant(LockCommand command) {
      if (!(command instanceof Batch batch)) {
        return;
      }
      switch (bug) {
        case NONE -> {}
        case LOCK_STOLEN_IN_SILENCE -> {
          for (var operation : batch.operations()) {
            if (operation instanceof Acquire acquire) {
              events.isMuted = true;
              sessions().keySet().stream()
                  .filter(session -> session != batch.session())
                  .toList()
                  .forEach(session -> steal(session, acquire));
              events.isMuted = false;
            }
          }
        }
        case SESSION_ENDED_EARLY -> {
          if (process.hashCode() % 2 == 0 && !batch.operations().isEmpty()) {
            byte[] unused = apply(new LockCommand.End(batch.session()));
          }
        }
      }
    }

    private void steal(long session, Acquire acquire) {
      boolean holds =
          locksOf(session).holders().stream().anyMatch(one -> one.file().equals(acquire.file()));
      if (holds) {
        byte[] unused = apply(new LockCommand.End(session));
      }
    }
  }

  @Override
  public Consumer<ApplicationClient> enter(ApplicationClient process) {
    RandomGenerator chance = process.chance();
    Duration every = Duration.ofMillis(1 + chance.nextInt(100));
    LockOptions options =
        new LockOptions(
            timeout,
            SmrOptions.DEFAULT
                .withFollow(chance.nextBoolean() ? Follow.poll(every) : Follow.push(every))
                .withCheckpointEvery(5 + chance.nextInt(50))
                .withKeepCheckpoints(1 + chance.nextInt(3)));
    MountLocks mount =
        new MountLocks(
            process.corfu(),
            SYSTEM,
            options,
            this::lost,
            events -> new ObservedMachine(process.name(), new MutedEvents(events)));
    AtomicInteger owners = new AtomicInteger();
    return seat -> {
      int owner = owners.incrementAndGet();
      new Owner(seat, mount, owner).run();
      if (owners.decrementAndGet() == 0) {
        mount.close(); // the final audit expects that nobody appends any more
        stage.count("mount closed");
      }
    };
  }

  private void lost(List<LostLock> locks) {
    stage.count("locks lost");
    if (isCalm) {
      stage.broken("Sessions", "without faults a mount has lost " + locks);
    }
  }

  /** A thread of a mount. */
  private final class Owner {
    private final ApplicationClient seat;
    private final RandomGenerator chance;
    private final MountLocks mount;
    private final long owner;
    private final List<Believer> believers = new ArrayList<>();

    Owner(ApplicationClient seat, MountLocks mount, long owner) {
      this.seat = seat;
      this.chance = seat.chance();
      this.mount = mount;
      this.owner = owner;
      for (LockedFile file : FILES) {
        believers.add(history.believer(seat.name(), mount, file, owner));
      }
    }

    void run() {
      while (!seat.isOver().getAsBoolean()) {
        try {
          int file = chance.nextInt(FILES.size());
          step(FILES.get(file), believers.get(file));
        } catch (RuntimeException failure) {
          stage.unexpected(seat.name(), failure);
        }
        history.compareBelievers();
        seat.world().pause(Duration.ofMillis(1 + chance.nextInt(300)));
      }
      for (int i = 0; i < FILES.size(); i++) {
        release(FILES.get(i), believers.get(i));
      }
    }

    private void step(LockedFile file, Believer believer) {
      if (believer.believes() && !mount.holds(file.file(), file.kind(), owner)) {
        stage.count("lock not relied on");
        believer.hasNothing(); // as a file system, which fails the owner's I/O
        release(file, believer);
        return;
      }
      switch (chance.nextInt(8)) {
        case 0, 1, 2 -> acquire(file, believer, true);
        case 3, 4 -> acquire(file, believer, false);
        case 5 -> {
          Result<FileLock> found = mount.get(file.file(), file.kind(), owner, range());
          stage.count(found instanceof Result.Success ? "look" : "look, failed");
        }
        case 6 -> {
          FileLock part = range();
          FileLock unlock =
              new FileLock(FileLock.Type.UNLOCKED, part.start(), part.end(), part.pid());
          believer.has(unlock);
          var outcome = mount.set(file.file(), file.kind(), owner, unlock, false).join();
          stage.count(outcome instanceof Result.Success ? "unlock" : "unlock, failed");
        }
        default -> release(file, believer);
      }
    }

    private FileLock range() {
      FileLock.Type type = chance.nextBoolean() ? FileLock.Type.READ : FileLock.Type.WRITE;
      long start = chance.nextInt(BYTES);
      return new FileLock(type, start, start + chance.nextInt(BYTES), 1);
    }

    private void acquire(LockedFile file, Believer believer, boolean waits) {
      FileLock range = range();
      believer.asksFor(range);
      var request = mount.set(file.file(), file.kind(), owner, range, waits);
      waiting++;
      boolean isSignalled = chance.nextInt(3) == 0;
      if (waits && isSignalled) {
        signalLater(request);
      }
      // The lock may be relied on as soon as the request has ended.
      Result<Done> outcome =
          request
              .thenApply(
                  result -> {
                    if (result instanceof Result.Success) {
                      believer.has(range);
                    }
                    return result;
                  })
              .join();
      waiting--;
      stage.count(textOf(outcome, isSignalled));
    }

    private void signalLater(CompletableFuture<Result<Done>> request) {
      var unused =
          seat.world()
              .after(
                  Duration.ofMillis(chance.nextInt(500)).toNanos(),
                  () -> {
                    boolean ignored = request.complete(Result.failed(Errno.EINTR));
                  });
    }

    private static String textOf(Result<Done> outcome, boolean isSignalled) {
      return switch (outcome) {
        case Result.Success<Done> done -> "lock";
        case Result.Failure<Done> failed when failed.errno() == Errno.EAGAIN -> "lock refused";
        case Result.Failure<Done> failed when failed.errno() == Errno.EDEADLK -> "deadlock";
        case Result.Failure<Done> failed when failed.errno() == Errno.EINTR && isSignalled ->
            "wait given up";
        case Result.Failure<Done> failed -> "lock, failed with " + failed.errno();
      };
    }

    private void release(LockedFile file, Believer believer) {
      believer.hasNothing();
      var outcome = mount.release(file.file(), file.kind(), owner).join();
      stage.count(outcome instanceof Result.Success ? "release" : "release, failed");
    }
  }

  @Override
  public void audit(ApplicationClient auditor) {
    try (var replica =
        StateMachineReplica.open(
            auditor.corfu(),
            MountLocks.nameOf(SYSTEM),
            () -> new LockMachine(SessionEvents.NONE),
            SmrOptions.DEFAULT)) {
      int size = replica.read(LockMachine::size);
      stage.count(size == 0 ? "no lock at last" : "locks of dead mounts at last");
    }
  }

  @Override
  public void check() {
    if (waiting < 0) {
      stage.broken("Requests", "a request ended twice");
    }
  }
}
