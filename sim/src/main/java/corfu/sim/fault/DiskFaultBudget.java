package corfu.sim.fault;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.sim.cluster.FaultBudget;
import corfu.sim.cluster.SimCluster;
import corfu.sim.cluster.SimServer;
import corfu.sim.disk.DiskFaults;
import corfu.sim.disk.SimDisk;
import corfu.sim.world.SimRandom;
import corfu.sim.world.Simulator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps account of disks that lie, so that never so many do that data is lost. One replica of every
 * chain of the newest layout stays sound and honest, and so does a majority of the layout servers
 * ({@link FaultBudget}).
 *
 * <p>When an honest server leaves the layout, the contents that the last liar has corrupted are
 * restored. A disk counts as a liar until its server has begun anew, or has been scrubbed twice and
 * waits for no repair.
 */
final class DiskFaultBudget implements SimServer.DiskKeeper {

  private static final long LOOK_NANOS = 10_000_000L;
  private static final int ROTS_MAX = 6;
  private static final int PER_MILLE_MAX = 80;
  private static final int REFUSED_PER_MILLE_MAX = 200;

  private final Simulator simulator;
  private final SimCluster cluster;
  private final SimRandom chance;

  /** Log units with lying disks, and the round of the scrubber that completes their repair. */
  private final Map<SimServer, Long> units = new LinkedHashMap<>();

  private final DiskTampering tampering;
  private final List<SimServer> acceptors = new ArrayList<>();
  private Epoch seen = Epoch.NONE;

  DiskFaultBudget(Simulator simulator, SimCluster cluster, SimRandom chance) {
    this.simulator = simulator;
    this.cluster = cluster;
    this.chance = chance;
    this.tampering = new DiskTampering(simulator, cluster, chance.split());
    cluster.servers().forEach(server -> server.isKeptBy(this));
    look();
  }

  /** Returns the changes to disks that no process uses meanwhile. */
  DiskTampering tampering() {
    return tampering;
  }

  /** Lets some of a disk's contents rot, if the budget allows it. */
  void rot(SimServer server) {
    boolean unit = !server.isLayoutServer() || (server.isLogUnit() && !chance.oneIn(4));
    if (!mayLie(server, unit)) {
      return;
    }
    SimDisk disk = unit ? server.unitDisk() : server.layoutDisk();
    lies(server, unit);
    for (int left = chance.below(ROTS_MAX); left >= 0; left--) {
      disk.rots(chance).ifPresent(what -> say(disk, "rots: " + what));
    }
    simulator.reached("a disk rots: " + (unit ? "log unit" : "layout server"));
  }

  /** Lets a log unit's disk have these faults until the remedy is run, if the budget allows it. */
  Optional<Runnable> deceive(SimServer server, List<DiskFaults.Trick> tricks) {
    if (!server.isLogUnit() || !mayLie(server, true)) {
      return Optional.empty();
    }
    lies(server, true);
    SimDisk disk = server.unitDisk();
    int perMille = (int) chance.mostlyNear(1, PER_MILLE_MAX);
    DiskFaults diskFaults = new DiskFaults(chance.split(), tricks, perMille);
    disk.deceives(Optional.of(diskFaults));
    say(disk, "plays " + tricks + ", " + perMille + " of 1000 times");
    simulator.reached("a disk plays tricks");
    return Optional.of(
        () -> {
          if (disk.diskFaults().filter(now -> now == diskFaults).isPresent()) {
            disk.deceives(Optional.empty());
            lies(server, true); // from here on it can be scrubbed
          }
        });
  }

  /** Fails syncs, and loses their data. The remedy restarts the server, which may have noticed. */
  Optional<Runnable> failSyncs(SimServer server) {
    if (!server.isLogUnit() || !mayLie(server, true)) {
      return Optional.empty();
    }
    SimDisk disk = server.unitDisk();
    lies(server, true);
    cluster.diskMayFail(server);
    disk.failSyncs((int) chance.mostlyNear(1, PER_MILLE_MAX));
    say(disk, "fails syncs");
    simulator.reached("a disk fails syncs");
    return Optional.of(
        () -> {
          disk.failSyncs(0);
          server.kill();
          server.start();
        });
  }

  /** Lets some calls find no space. */
  Runnable refuse(SimServer server) {
    SimDisk disk = chance.oneIn(4) ? server.layoutDisk() : server.unitDisk();
    cluster.disksMayBeFull();
    disk.refuse((int) chance.mostlyNear(1, REFUSED_PER_MILLE_MAX));
    return () -> disk.refuse(0);
  }

  private boolean mayLie(SimServer server, boolean unit) {
    FaultBudget faultBudget = cluster.faultBudget();
    return unit
        ? faultBudget.mayUnitDiskLie(server.endpoint())
        : faultBudget.mayLayoutDiskLie(server.endpoint());
  }

  private void lies(SimServer server, boolean unit) {
    if (unit) {
      long rounds = server.scrubbed().map(now -> now.rounds()).orElse(Long.MAX_VALUE / 2);
      units.put(server, rounds + 2);
      cluster.faultBudget().unitDiskLies(server.endpoint());
      cluster.diskMayLie(server);
    } else {
      acceptors.add(server);
      cluster.faultBudget().layoutDiskLies(server.endpoint());
    }
  }

  /** Checks the disks, and repeats itself. */
  private void look() {
    Optional<Layout> newest = cluster.watch().newest();
    Epoch now = newest.map(Layout::epoch).orElse(Epoch.NONE);
    if (!now.equals(seen)) {
      seen = now;
      List.copyOf(units.keySet()).forEach(this::spareIfNeeded);
    }
    List.copyOf(units.keySet()).forEach(this::forgiveIfMended);
    acceptors.removeIf(this::isMended);
    simulator.timeline.after(LOOK_NANOS, this::look);
  }

  private void spareIfNeeded(SimServer server) {
    if (cluster.faultBudget().isLastHonest(server.endpoint())) {
      becomesHonest(server, "nobody else has it");
    }
  }

  /**
   * Clears a scrubbed disk. A scrubber that has just started counts its rounds anew, or continues
   * at its earlier position.
   */
  private void forgiveIfMended(SimServer server) {
    SimDisk disk = server.unitDisk();
    var scrubbed = server.scrubbed();
    if (disk.diskFaults().isPresent() || disk.fails() || scrubbed.isEmpty()) {
      return;
    }
    long enough = units.getOrDefault(server, 0L);
    if (enough >= Long.MAX_VALUE / 2) {
      units.put(server, scrubbed.get().rounds() + 2);
    } else if (scrubbed.get().rounds() >= enough && scrubbed.get().waiting() == 0) {
      simulator.reached("a disk that lied has been scrubbed");
      becomesHonest(server, "it has been scrubbed");
    }
  }

  private void becomesHonest(SimServer server, String why) {
    say(server.unitDisk(), "is honest again: " + why);
    server.unitDisk().becomeHonest();
    server.unitDisk().failSyncs(0);
    units.remove(server);
    cluster.faultBudget().isHonest(server.endpoint(), true);
  }

  private boolean isMended(SimServer server) {
    boolean isMended = server.layoutDisk().isHonest();
    if (isMended) {
      cluster.faultBudget().isHonest(server.endpoint(), false);
    }
    return isMended;
  }

  @Override
  public void opens(SimServer server) {
    tampering.opens(server);
    server.unitDisk().isHonestAboutItsEnd();
    if (units.containsKey(server)) {
      units.put(server, Long.MAX_VALUE / 2);
      if (cluster.faultBudget().isUnitDiskNeeded(server.endpoint())) {
        becomesHonest(server, "it is read, and nobody else has it");
      }
    }
    if (acceptors.contains(server) && cluster.faultBudget().isLayoutDiskNeeded(server.endpoint())) {
      server.layoutDisk().becomeHonest();
    }
  }

  @Override
  public void beganAnew(SimServer server, boolean unit) {
    simulator.reached(
        "a server could not trust its disk: " + (unit ? "log unit" : "layout server"));
    say(unit ? server.unitDisk() : server.layoutDisk(), "is not trusted any more");
    if (unit ? isSound(server) : !acceptors.contains(server)) {
      SimDisk disk = unit ? server.unitDisk() : server.layoutDisk();
      simulator.findings.broken("Disks", "%s is not trusted, though it is sound", disk.name());
    }
    cluster.beganAnew(server, unit);
    if (unit) {
      tampering.isNotTrusted(server);
      server.unitDisk().becomeHonest();
      units.remove(server);
    } else {
      server.layoutDisk().becomeHonest();
      acceptors.remove(server);
    }
    cluster.faultBudget().isHonest(server.endpoint(), unit);
  }

  private boolean isSound(SimServer server) {
    return !units.containsKey(server) && !tampering.hasChanged(server);
  }

  @Override
  public void recognised(SimServer server, Incarnation life, boolean hasAll) {
    if (hasAll) {
      tampering.isTrusted(server);
    } else if (tampering.isNews(server, life)) {
      beganAnew(server, true);
    } else {
      tampering.isNotTrusted(server);
      cluster.faultBudget().isHonest(server.endpoint(), true);
    }
  }

  private void say(SimDisk disk, String what) {
    simulator.trace.mark(what.hashCode());
    simulator.trace.say(disk.name(), () -> what);
  }
}
