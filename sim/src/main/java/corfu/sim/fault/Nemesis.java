package corfu.sim.fault;

import corfu.sim.cluster.AvailabilityWatch;
import corfu.sim.cluster.ClientProcess;
import corfu.sim.cluster.ClusterShape;
import corfu.sim.cluster.FaultBudget;
import corfu.sim.cluster.Operator;
import corfu.sim.cluster.ProtocolStep;
import corfu.sim.cluster.SimCluster;
import corfu.sim.cluster.SimServer;
import corfu.sim.disk.DiskFaults;
import corfu.sim.disk.SimDisk;
import corfu.sim.world.ProcessLife;
import corfu.sim.world.SimNetwork;
import corfu.sim.world.SimRandom;
import corfu.sim.world.Simulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Carries out a fault plan, and ends all faults at the end. */
public final class Nemesis {

  private static final int CLOG_FACTOR_MAX = 300;
  private static final int DUEL_FACTOR_MAX = 60;

  /** Images of disks are older than most faults are long, so that the disk has changed since. */
  private static final int IMAGE_AGE_FACTOR = 4;

  private static final int LOSS_PER_MILLE_MAX = 300;
  private static final int FLIPS_PER_MILLE_MAX = 300;
  private static final int SLOW_DISK_FACTOR_MAX = 300;
  private static final int LAST_BYTES_MAX = 30_000;

  private static final List<DiskFaults.Trick> OF_WRITES =
      Arrays.stream(DiskFaults.Trick.values()).filter(trick -> !trick.isOfReads()).toList();

  private static final List<DiskFaults.Trick> OF_READS =
      Arrays.stream(DiskFaults.Trick.values()).filter(DiskFaults.Trick::isOfReads).toList();

  private final Simulator simulator;
  private final ClusterShape arrangement;
  private final SimCluster cluster;
  private final FaultPlan plan;
  private final OperatorChanges reshaping;
  private final WrongClusterClient stranger;
  private final DiskFaultBudget diskFaultBudget;
  private final ClientFaults cutClients;
  private final SimRandom chance;
  private final AvailabilityWatch availability;
  private final Map<Fault, Integer> injected = new TreeMap<>();
  private final Set<Runnable> remedies = new LinkedHashSet<>();
  private boolean started;
  private boolean over;

  public Nemesis(
      Simulator simulator,
      ClusterShape arrangement,
      SimCluster cluster,
      FaultPlan plan,
      AvailabilityWatch availability) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.cluster = cluster;
    this.plan = plan;
    this.availability = availability;
    this.chance = simulator.chance.split();
    this.reshaping = new OperatorChanges(arrangement, cluster, chance);
    this.diskFaultBudget = new DiskFaultBudget(simulator, cluster, simulator.chance.split());
    this.stranger = new WrongClusterClient(simulator, arrangement);
    this.cutClients = new ClientFaults(simulator, arrangement, cluster);
  }

  /** Returns how often each fault was injected. */
  public Map<Fault, Integer> injected() {
    return injected;
  }

  public void start() {
    if (!plan.faults().isEmpty() && !started) {
      started = true;
      awaitNext();
    }
  }

  private void awaitNext() {
    simulator.timeline.after(
        chance.between(0, plan.pauseNanosMax()),
        () -> {
          if (!over) {
            inject(chance.pick(plan.faults()));
            awaitNext();
          }
        });
  }

  /** Injects no more faults, and ends the current ones. */
  public void stop() {
    over = true;
    simulator.trace.say("nemesis", () -> "stops");
    for (Runnable remedy : new ArrayList<>(remedies)) {
      cure(remedy);
    }
  }

  private void inject(Fault fault) {
    injected.merge(fault, 1, Integer::sum);
    simulator.trace.mark(fault.name().hashCode());
    simulator.trace.say("nemesis", fault::text);
    switch (fault) {
      case KILL_SERVER -> down(server(), SimServer::kill);
      case POWER_LOSS -> down(server(), SimServer::losePower);
      case BLACKOUT -> cluster.servers().forEach(one -> down(one, SimServer::losePower));
      case STOP_SERVER -> stopped(server());
      case PAUSE_SERVER -> server().life().ifPresent(this::paused);
      case KILL_CLIENT -> killed(chance.pick(cluster.clients()));
      case PAUSE_CLIENT -> chance.pick(cluster.clients()).life().ifPresent(this::paused);
      case KILL_WRITER -> crashPoint(chance.pick(cluster.clients()));
      case DEATH -> death(server());
      case PARTITION -> partition(true);
      case ONE_WAY_PARTITION -> partition(false);
      case PARTIAL_MESH -> partialMesh();
      case SWIZZLE -> swizzle();
      case CLOG -> clog();
      case RESET -> {
        String one = anybody();
        String other = server().name();
        simulator.network.reset(one, other);
        disturb(one, other);
      }
      case HALF_OPEN -> {
        String one = anybody();
        List<String> others = simulator.network.neighbours(one);
        if (!others.isEmpty()) {
          String other = chance.pick(others);
          simulator.network.forget(one, other);
          disturb(one, other);
        }
      }
      case REPLAY ->
          simulator.network.listener(server().endpoint()).ifPresent(l -> l.arrivesAgain(chance));
      case LOSS -> {
        simulator.network.lose((int) chance.mostlyNear(1, LOSS_PER_MILLE_MAX));
        later(() -> simulator.network.lose(0));
      }
      case BIT_FLIP -> {
        simulator.network.flipBits((int) chance.mostlyNear(1, FLIPS_PER_MILLE_MAX));
        later(() -> simulator.network.flipBits(0));
      }
      case BYTE_FLIP -> {
        simulator.network.flipBytes((int) chance.mostlyNear(1, FLIPS_PER_MILLE_MAX));
        later(() -> simulator.network.flipBytes(0));
      }
      case CLIENT_CUT -> cutClients.cutFromAll(server()).ifPresent(this::later);
      case BAD_CABLE -> later(cutClients.cutFromOne(chance.pick(cluster.clients()), server()));
      case LYING_CLIENT -> later(cutClients.lieAbout(server()));
      case HOSTILE_SEAL ->
          simulator
              .network
              .listener(server().endpoint())
              .ifPresent(listener -> listener.isSealed(cluster.watch().newestEpoch(), chance));
      case SLOW_DISK -> {
        SimDisk disk = server().unitDisk();
        disk.slowDown((int) chance.mostlyNear(2, SLOW_DISK_FACTOR_MAX));
        later(() -> disk.slowDown(1));
      }
      case FULL_DISK -> {
        SimDisk disk = chance.oneIn(4) ? server().layoutDisk() : server().unitDisk();
        cluster.disksMayBeFull();
        disk.capacity(disk.usedBytes() + chance.mostlyNear(0, LAST_BYTES_MAX));
        later(() -> disk.capacity(SimDisk.DEFAULT_CAPACITY_BYTES));
      }
      case DISK_LOSS -> diskLoss(server());
      case ROT -> diskFaultBudget.rot(server());
      case LYING_WRITES ->
          diskFaultBudget
              .deceive(server(), List.of(chance.pick(OF_WRITES), chance.pick(OF_WRITES)))
              .ifPresent(this::later);
      case LYING_READS ->
          diskFaultBudget
              .deceive(server(), List.of(chance.pick(OF_READS), chance.pick(OF_READS)))
              .ifPresent(this::later);
      case SYNC_ERRORS -> diskFaultBudget.failSyncs(server()).ifPresent(this::later);
      case REFUSALS -> later(diskFaultBudget.refuse(server()));
      case LOST_FILES -> diskFaultBudget.tampering().spoilFiles(server()).ifPresent(this::later);
      case SET_BACK -> setBack(server());
      case RENEW -> cluster.operators().forEach(one -> renew(one));
      case KILL_RECONFIGURER -> doomReconfigurer(chance.pick(ProtocolStep.OF_RECONFIGURATIONS));
      case KILL_COPIER -> {
        reshaping.begin();
        doomServers(ProtocolStep.COPYING);
        if (!arrangement.hasAgents()) {
          doomOperators(ProtocolStep.COPYING);
        }
      }
      case RESHAPE -> reshape();
      case CLONE -> {
        SimServer clone = cluster.clone(server());
        later(clone::kill);
      }
      case STRANGER -> stranger.come(chance.oneIn(2));
    }
  }

  private void disturb(String one, String other) {
    availability.disturbed(one);
    availability.disturbed(other);
  }

  private void reshape() {
    if (chance.oneIn(4)) {
      duel();
    } else {
      reshaping.begin();
    }
  }

  /**
   * Delays the messages of some layout servers, so that one proposer may overtake the other between
   * two votes.
   */
  private void duel() {
    simulator.reached("two operators with different wishes meet slow layout servers");
    reshaping.duel();
    for (SimServer voter : cluster.servers()) {
      if (voter.isLayoutServer() && chance.oneIn(2)) {
        int factor = (int) chance.mostlyNear(2, DUEL_FACTOR_MAX);
        SimNetwork.Clog clog = new SimNetwork.Clog(voter.name(), factor);
        simulator.network.clog(clog);
        later(() -> simulator.network.unclog(clog));
      }
    }
  }

  private SimServer server() {
    return chance.pick(cluster.servers());
  }

  private String anybody() {
    return chance.pick(cluster.names());
  }

  /** Runs the remedy after a while, or when the faults stop. */
  private void later(Runnable remedy) {
    remedies.add(remedy);
    simulator.timeline.after(plan.lengthNanos(chance), () -> cure(remedy));
  }

  private void cure(Runnable remedy) {
    if (remedies.remove(remedy)) {
      remedy.run();
    }
  }

  private void down(SimServer server, Consumer<SimServer> how) {
    how.accept(server);
    later(server::start);
  }

  private void stopped(SimServer server) {
    server.stop();
    later(() -> cluster.startWhenDown(server));
  }

  private void paused(ProcessLife life) {
    simulator.trace.say("nemesis", () -> life.process() + " stands still");
    life.pause();
    later(
        () -> {
          simulator.trace.say("nemesis", () -> life.process() + " goes on");
          life.resume();
        });
  }

  private void killed(ClientProcess client) {
    client.kill();
    later(client::start);
  }

  private void renew(Operator operator) {
    if (chance.oneIn(4)) {
      operator.mend(() -> true);
    } else if (chance.oneIn(2)) {
      operator.renew();
    } else if (chance.oneIn(3)) {
      operator.kill();
      later(operator::start);
    }
  }

  /** Kills the client the next time that it reaches a step. */
  private void crashPoint(ClientProcess client) {
    ProtocolStep step = chance.pick(ProtocolStep.OF_CLIENTS);
    client
        .crashPoint()
        .arm(
            step,
            chance.below(2),
            () -> {
              simulator.reached("a writer dies: " + step.text());
              killed(client);
              if (plan.faults().contains(Fault.RENEW) && chance.oneIn(3)) {
                renewUnseen();
              }
            });
    remedies.add(client.crashPoint()::disarm);
  }

  /** Begins the next epoch before any client sees the entries that the dead writer left behind. */
  private void renewUnseen() {
    simulator.reached("the layout changes before anybody sees what a dead writer left");
    cluster.clients().forEach(this::killed);
    cluster.operators().getFirst().renew();
  }

  private void doomReconfigurer(ProtocolStep step) {
    if (chance.oneIn(2)) {
      doomServers(step);
    } else {
      cluster.operators().forEach(this::renew);
      doomOperators(step);
    }
  }

  private void doomOperators(ProtocolStep step) {
    for (Operator operator : cluster.operators()) {
      operator
          .crashPoint()
          .arm(
              step,
              chance.below(3),
              () -> {
                simulator.reached("an operator dies: " + step.text());
                operator.kill();
                later(operator::start);
              });
      remedies.add(operator.crashPoint()::disarm);
    }
  }

  /** Arms all servers, because any of them may have the agent that acts. */
  private void doomServers(ProtocolStep step) {
    for (SimServer server : cluster.servers()) {
      server
          .crashPoint()
          .arm(
              step,
              chance.below(3),
              () -> {
                simulator.reached("an agent dies: " + step.text());
                down(server, SimServer::kill);
              });
      remedies.add(server.crashPoint()::disarm);
    }
  }

  private void diskLoss(SimServer server) {
    FaultBudget faultBudget = cluster.faultBudget();
    boolean unit =
        server.isLogUnit() && !chance.oneIn(3) && faultBudget.mayLoseUnitDisk(server.endpoint());
    boolean layout =
        server.isLayoutServer()
            && (!unit || chance.oneIn(2))
            && faultBudget.mayLoseLayoutDisk(server.endpoint());
    if (unit || layout) {
      if (unit) {
        simulator.reached("a disk is lost: log unit");
      }
      if (layout) {
        simulator.reached("a disk is lost: layout server");
      }
      cluster.loseDisks(server, unit, layout);
      later(server::start);
    }
  }

  /** Sets the disk back to its current contents, after a while. */
  private void setBack(SimServer server) {
    diskFaultBudget
        .tampering()
        .imageOf(server)
        .ifPresent(
            image ->
                simulator.timeline.after(
                    chance.between(0, IMAGE_AGE_FACTOR * plan.lengthNanosMax()),
                    () -> {
                      if (!over) {
                        diskFaultBudget.tampering().setBack(server, image).ifPresent(this::later);
                      }
                    }));
  }

  private void death(SimServer server) {
    if (!cluster.faultBudget().isDead(server.endpoint())
        && cluster.faultBudget().mayDie(server.endpoint())) {
      simulator.reached("a server is gone for good");
      cluster.letDie(server);
    }
  }

  private void partialMesh() {
    List<SimNetwork.Cut> cuts = new ArrayList<>();
    List<String> servers = cluster.serverNames();
    for (int i = 0; i < servers.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (chance.oneIn(3)) {
          cuts.add(new SimNetwork.Cut(Set.of(servers.get(i)), Set.of(servers.get(j))));
          cuts.add(new SimNetwork.Cut(Set.of(servers.get(j)), Set.of(servers.get(i))));
        }
      }
    }
    simulator.trace.say("nemesis", () -> "cut: " + cuts);
    cuts.forEach(simulator.network::cut);
    later(() -> cuts.forEach(simulator.network::mend));
  }

  /** Cuts off each server at its own time, so that they also come back in another order. */
  private void swizzle() {
    Set<String> everybody = Set.copyOf(cluster.names());
    for (String name : cluster.serverNames()) {
      if (chance.oneIn(2)) {
        simulator.timeline.after(
            chance.between(0, plan.lengthNanosMax()),
            () -> {
              if (!over) {
                isolated(name, everybody);
              }
            });
      }
    }
  }

  private void isolated(String name, Set<String> everybody) {
    simulator.trace.say("nemesis", () -> name + " is cut off");
    SimNetwork.Cut out = new SimNetwork.Cut(Set.of(name), everybody);
    SimNetwork.Cut in = new SimNetwork.Cut(everybody, Set.of(name));
    simulator.network.cut(out);
    simulator.network.cut(in);
    later(
        () -> {
          simulator.network.mend(out);
          simulator.network.mend(in);
        });
  }

  private void partition(boolean bothWays) {
    Set<String> one = new HashSet<>();
    Set<String> other = new HashSet<>();
    for (String name : cluster.names()) {
      (chance.oneIn(2) ? one : other).add(name);
    }
    simulator.trace.say("nemesis", () -> one + (bothWays ? " and " : " to ") + other + " cut");
    List<SimNetwork.Cut> cuts = new ArrayList<>();
    cuts.add(new SimNetwork.Cut(one, other));
    if (bothWays) {
      cuts.add(new SimNetwork.Cut(other, one));
    }
    cuts.forEach(simulator.network::cut);
    later(() -> cuts.forEach(simulator.network::mend));
  }

  private void clog() {
    SimNetwork.Clog clog =
        new SimNetwork.Clog(anybody(), (int) chance.mostlyNear(2, CLOG_FACTOR_MAX));
    simulator.trace.say("nemesis", clog::toString);
    simulator.network.clog(clog);
    later(() -> simulator.network.unclog(clog));
  }
}
