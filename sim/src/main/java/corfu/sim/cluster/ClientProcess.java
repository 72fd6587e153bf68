package corfu.sim.cluster;

import corfu.objects.ReplicatedObjects;
import corfu.protocol.layout.LayoutSegment;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.runtime.stream.Streams;
import corfu.sim.application.ApplicationClient;
import corfu.sim.history.CallHistory;
import corfu.sim.history.CollectionHistories;
import corfu.sim.history.ObjectCalls;
import corfu.sim.watch.ClusterWatch;
import corfu.sim.watch.StreamWatch;
import corfu.sim.workload.AppWork;
import corfu.sim.workload.LogWorkload;
import corfu.sim.workload.SimSubscriber;
import corfu.sim.workload.StreamWorkload;
import corfu.sim.workload.Subscribers;
import corfu.sim.workload.WorkloadProfile;
import corfu.sim.workload.object.CollectionWorkload;
import corfu.sim.workload.object.ComposedWorkload;
import corfu.sim.workload.object.ObjectViews;
import corfu.sim.workload.object.ObjectWork;
import corfu.sim.workload.object.ObjectWorkload;
import corfu.sim.world.ProcessLife;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * An application: a few threads that use the log and streams as a {@link LogWorkload} does, through
 * several lives.
 */
public final class ClientProcess {

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Simulator simulator;
  private final ClusterShape arrangement;
  private final WorkloadProfile habits;
  private final Optional<ObjectWork> objects;
  private final CallHistory history;
  private final ClusterWatch watch;
  private final StreamWatch streamWatch;
  private final Optional<ClusterShape> first;
  private final String name;
  private final CrashPoint crashPoint;
  private Optional<SimWorld> world = Optional.empty();
  private Optional<ObjectViews> views = Optional.empty();
  private int lives;
  private int busy;
  private final List<Subscribers> subscribers = new ArrayList<>();
  private boolean over;

  public ClientProcess(
      Simulator simulator,
      ClusterShape arrangement,
      WorkloadProfile habits,
      Optional<ObjectWork> objects,
      CallHistory history,
      ClusterWatch watch,
      StreamWatch streamWatch,
      Optional<ClusterShape> first,
      String name,
      CrashPoint crashPoint) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.habits = habits;
    this.objects = objects;
    this.history = history;
    this.watch = watch;
    this.streamWatch = streamWatch;
    this.first = first;
    this.name = name;
    this.crashPoint = crashPoint;
  }

  public String name() {
    return name;
  }

  /** Returns the crash point, which kills the process at a step of an append. */
  public CrashPoint crashPoint() {
    return crashPoint;
  }

  /** Returns the prefix of the names of all threads of its current life. */
  String threadPrefix() {
    return name + "." + lives + ".";
  }

  public Optional<ProcessLife> life() {
    return world.map(SimWorld::life);
  }

  /** Begins nothing new from now on. */
  public void finish() {
    over = true;
  }

  /** Returns whether everything that was begun has ended. */
  public boolean isIdle() {
    return busy == 0;
  }

  public void start() {
    if (world.isPresent() || over) {
      return;
    }
    lives++;
    simulator.trace.say(name, () -> "starts life " + lives);
    SimWorld fresh = simulator.born(name, arrangement.clockDriftPerMille());
    world = Optional.of(fresh);
    busy = 1;
    fresh.start("main", () -> live(fresh));
  }

  private void live(SimWorld world) {
    Transport way = crashPoint.around(transport(world, arrangement), world.life());
    Corfu corfu = connect(world, arrangement, way);
    Optional<AppWork> app = objects.flatMap(ObjectWork::app);
    if (app.isPresent()) {
      useApp(world, corfu, way, app.get());
    } else if (objects.isPresent()) {
      useObjects(world, corfu, objects.get());
    } else {
      useLog(world, corfu);
    }
    busy--;
  }

  private void useApp(SimWorld world, Corfu corfu, Transport way, AppWork app) {
    Optional<Corfu> other = first.map(where -> connect(world, where, transport(world, where)));
    String process = name + "." + lives;
    ApplicationClient seat =
        new ApplicationClient(process, world, dice(world), corfu, way, other, () -> over);
    Optional<Consumer<ApplicationClient>> thread = enter(world, seat, app);
    for (int i = 1 + world.chance().below(3); i > 0 && thread.isPresent(); i--) {
      ApplicationClient its = seat.of(process + "." + i, dice(world));
      begin(world, its.name(), () -> thread.get().accept(its));
    }
  }

  private static RandomGenerator dice(SimWorld world) {
    return world.chance().split().generator();
  }

  private Optional<Consumer<ApplicationClient>> enter(
      SimWorld world, ApplicationClient seat, AppWork app) {
    while (!over) {
      try {
        return Optional.of(app.play().enter(seat));
      } catch (CorfuException notYet) {
        simulator.trace.say(name, () -> "cannot enter: " + notYet.getMessage());
        world.pause(PAUSE);
      }
    }
    return Optional.empty();
  }

  private void useObjects(SimWorld world, Corfu corfu, ObjectWork work) {
    ObjectCalls did = work.history();
    ObjectViews shared =
        new ObjectViews(
            corfu,
            work.habits(),
            () -> world.chance().below(100) < work.habits().remotePercent(),
            () -> did.count("failure told of"),
            did::parted);
    views = Optional.of(shared);
    int threads = 1 + world.chance().below(3);
    for (int i = 1; i <= threads; i++) {
      String thread = name + "." + lives + "." + i;
      if (work.collections().isPresent()) {
        useCollections(world, shared.objects, work.collections().get(), thread);
        continue;
      }
      if (work.composed().isPresent()) {
        ComposedWorkload composed =
            new ComposedWorkload(
                simulator,
                world,
                corfu,
                shared.objects,
                did,
                work.composed().get(),
                thread,
                () -> over);
        begin(world, thread, composed::run);
        continue;
      }
      ObjectWorkload workload =
          new ObjectWorkload(
              simulator, did, world, corfu, shared, work.habits(), thread, () -> over);
      begin(world, thread, workload::run);
    }
  }

  private void useCollections(
      SimWorld world, ReplicatedObjects objects, CollectionHistories histories, String thread) {
    CollectionWorkload workload =
        new CollectionWorkload(
            world,
            objects,
            histories,
            failure -> simulator.findings.unexpected(thread, failure),
            () -> over);
    begin(world, thread, workload::run);
  }

  /** Records the final state that its views see, which must be the same for all clients. */
  public void lookAtObjects() {
    if (world.isPresent() && views.isPresent() && objects.isPresent()) {
      ObjectViews seen = views.get();
      ObjectCalls history = objects.get().history();
      SimWorld where = world.get();
      begin(where, name, () -> lookAtObjects(where, seen, history));
    }
  }

  /** Retries until it succeeds: all faults are over, but the client may still have to notice. */
  private void lookAtObjects(SimWorld where, ObjectViews seen, ObjectCalls history) {
    while (true) {
      try {
        seen.record(name + "." + lives, history);
        return;
      } catch (CorfuException notYet) {
        where.pause(PAUSE);
      }
    }
  }

  private void begin(SimWorld world, String thread, Runnable body) {
    busy++;
    world.start(
        thread,
        () -> {
          body.run();
          busy--;
        });
  }

  private void useLog(SimWorld world, Corfu corfu) {
    Streams streams = Streams.over(corfu);
    List<Streams> followed = List.of(streams, Streams.over(corfu));
    int threads = 1 + world.chance().below(3);
    for (int i = 1; i <= threads; i++) {
      String thread = name + "." + lives + "." + i;
      StreamWorkload ofStreams =
          new StreamWorkload(
              history, streamWatch, world.chance().split(), corfu, streams, habits, thread);
      Subscribers following =
          new Subscribers(simulator, history, world, followed, habits, thread, ofStreams::near);
      subscribers.add(following);
      LogWorkload workload =
          new LogWorkload(
              simulator,
              history,
              world,
              corfu.log(),
              ofStreams,
              following,
              habits,
              thread,
              this::beingCopied,
              () -> over);
      begin(world, thread, workload::run);
    }
  }

  /** Returns the subscribers of this life that were not notified of their end. */
  public List<SimSubscriber> subscribers() {
    return subscribers.stream()
        .flatMap(those -> those.all().stream())
        .filter(subscriber -> !subscriber.isClosed())
        .toList();
  }

  /** Runs an action on all subscribers, in a thread of its own. */
  public void forSubscribers(Consumer<SimSubscriber> what) {
    world.ifPresent(at -> at.start("subscribers", () -> subscribers().forEach(what)));
  }

  private Optional<LayoutSegment> beingCopied() {
    return watch.newest().stream()
        .flatMap(layout -> layout.segments().stream())
        .filter(LayoutSegment::hasTarget)
        .findFirst();
  }

  private SimTransport transport(SimWorld world, ClusterShape where) {
    return new SimTransport(
        simulator.network,
        world,
        Optional.of(where.layout().clusterId()),
        clientOptions(world.chance()));
  }

  private Corfu connect(SimWorld world, ClusterShape where, Transport way) {
    CorfuOptions options = options(world.chance(), where);
    while (true) {
      try {
        return Corfu.connect(options, world, way);
      } catch (CorfuException notYet) {
        simulator.trace.say(name, () -> "cannot connect: " + notYet.getMessage());
        world.pause(PAUSE);
      }
    }
  }

  /** Sometimes leaves hardly any room for requests in flight. */
  private ClientOptions clientOptions(SimRandom chance) {
    ClientOptions usual = ClientOptions.DEFAULT.withLimits(arrangement.unitOptions().limits());
    return chance.oneIn(4) ? new ClientOptions(usual.limits(), 2_000, 5, usual.maxPeers()) : usual;
  }

  private CorfuOptions options(SimRandom chance, ClusterShape where) {
    CorfuOptions usual =
        CorfuOptions.of(where.contacts())
            .withCluster(where.layout().clusterId())
            .withLimits(where.unitOptions().limits())
            .withOperationTimeout(Duration.ofMillis(chance.between(200, 10_000)))
            .withHoleTimeout(Duration.ofMillis(chance.between(1, 200)))
            .withMaxBytesPushed(chance.oneIn(3) ? 1 + chance.below(5_000) : 1 << 20);
    return chance.oneIn(2)
        ? usual
        : usual.withBatches(1 + chance.below(8), 3_000, 1 + chance.below(4));
  }

  public void kill() {
    life()
        .ifPresent(
            ending -> {
              simulator.trace.say(name, () -> "is killed");
              ending.end();
            });
    world = Optional.empty();
    busy = 0;
    subscribers.clear();
    views = Optional.empty();
  }
}
