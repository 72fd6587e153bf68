package corfu.sim.fault;

import corfu.protocol.Incarnation;
import corfu.sim.cluster.SimCluster;
import corfu.sim.cluster.SimServer;
import corfu.sim.disk.SimDisk;
import corfu.sim.world.SimRandom;
import corfu.sim.world.Simulator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Changes to log units' disks that no process uses meanwhile. Files are lost, truncated or
 * duplicated, or a disk is set back to an older image of itself.
 *
 * <p>The unit notices when it starts, or learns it from witnesses that remember more. It can't
 * notice a loss that no other server had heard of; then the simulation restores the disk before the
 * unit serves. Real disks do not have that kindness.
 */
final class DiskTampering {

  private final Simulator simulator;
  private final SimCluster cluster;
  private final SimRandom chance;

  /** The contents of the disks before the change. */
  private final Map<SimServer, SimDisk> truths = new LinkedHashMap<>();

  /**
   * Log units with restored disks that other servers heard of meanwhile. These servers remember
   * more than the changed disk had, so they may regard the unit as set back.
   */
  private final Set<SimServer> putRight = new LinkedHashSet<>();

  /** The incarnation in which each unit was found out. */
  private final Map<SimServer, Incarnation> foundOut = new LinkedHashMap<>();

  DiskTampering(Simulator simulator, SimCluster cluster, SimRandom chance) {
    this.simulator = simulator;
    this.cluster = cluster;
    this.chance = chance;
  }

  /**
   * Kills the server, and changes files of its log unit while it is down, if the budget allows it.
   */
  Optional<Runnable> spoilFiles(SimServer server) {
    if (!mayBegin(server)) {
      return Optional.empty();
    }
    begin(server);
    Optional<String> what = server.unitDisk().losesFiles(chance);
    what.ifPresent(change -> say(server, change + " while it is down"));
    return changed(server, "files of a unit that is down are lost, cut, or there twice");
  }

  /**
   * Returns what the disk would contain after a power failure now. Empty if the server has no disk
   * that can be set back.
   */
  Optional<SimDisk> imageOf(SimServer server) {
    if (!server.isLogUnit() || !server.isServing()) {
      return Optional.empty();
    }
    SimDisk image = new SimDisk(server.name() + "/image", SimDisk.DEFAULT_CAPACITY_BYTES);
    server.unitDisk().copyTo(image, chance);
    return Optional.of(image);
  }

  /** Kills the server, and restarts it with the older image, if the budget allows it. */
  Optional<Runnable> setBack(SimServer server, SimDisk image) {
    if (!mayBegin(server)) {
      return Optional.empty();
    }
    begin(server);
    server.unitDisk().becomes(image);
    say(server, "is set back");
    return changed(server, "a disk is set back");
  }

  /** Notes the change, unless the disk still has the same contents. */
  private Optional<Runnable> changed(SimServer server, String what) {
    if (truths.containsKey(server) && server.unitDisk().holdsTheSameAs(truths.get(server))) {
      restore(server, "it is the same");
      isHonest(server);
    } else {
      simulator.reached(what);
    }
    return Optional.of(server::start);
  }

  private boolean mayBegin(SimServer server) {
    return server.isLogUnit()
        && !hasChanged(server)
        && server.unitDisk().isHonest()
        && cluster.faultBudget().mayLoseUnitDisk(server.endpoint());
  }

  private void begin(SimServer server) {
    server.kill();
    SimDisk truth = new SimDisk(server.name() + "/truth", SimDisk.DEFAULT_CAPACITY_BYTES);
    truth.becomes(server.unitDisk());
    truths.put(server, truth);
    cluster.faultBudget().unitDiskLies(server.endpoint());
    cluster.diskMayLie(server);
    cluster.diskMayFail(server);
  }

  /** The server's disks are about to be read. */
  void opens(SimServer server) {
    if (hasChanged(server) && cluster.faultBudget().isUnitDiskNeeded(server.endpoint())) {
      restore(server, "nobody else has it");
      isHonest(server);
    }
  }

  /** Returns whether the unit's disk was changed, and the unit may not have noticed yet. */
  boolean hasChanged(SimServer server) {
    return truths.containsKey(server) || putRight.contains(server);
  }

  /** Returns whether the disk of this incarnation is found out for the first time. */
  boolean isNews(SimServer server, Incarnation life) {
    return !life.equals(foundOut.put(server, life));
  }

  /** The unit does not rely on the disk's contents. */
  void isNotTrusted(SimServer server) {
    putRight.remove(server);
    if (truths.remove(server) != null) {
      simulator.reached("a disk that was tampered with is recognised");
    }
  }

  /** Other servers have vouched for the unit, and it is about to serve. */
  void isTrusted(SimServer server) {
    if (truths.containsKey(server)) {
      simulator.reached("nobody could tell that a disk was tampered with");
      server.kill();
      restore(server, "nobody could tell");
      server.start();
    } else if (putRight.contains(server)) {
      isHonest(server);
    }
  }

  private void restore(SimServer server, String why) {
    SimDisk truth = truths.remove(server);
    if (truth != null) {
      say(server, "has again what it had: " + why);
      server.unitDisk().becomes(truth);
      putRight.add(server);
    }
  }

  private void isHonest(SimServer server) {
    putRight.remove(server);
    cluster.faultBudget().isHonest(server.endpoint(), true);
  }

  private void say(SimServer server, String what) {
    simulator.trace.mark(what.hashCode());
    simulator.trace.say(server.unitDisk().name(), () -> what);
  }
}
