package corfu.sim.fault;

import corfu.protocol.Incarnation;
import corfu.sim.cluster.ServerProcess;
import corfu.sim.cluster.SimCluster;
import corfu.sim.disk.SimDisk;
import corfu.sim.world.Chance;
import corfu.sim.world.Simulator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Disks of log units that somebody changes while no process uses them: files are lost, cut, or
 * there twice, or the disk is set back to an older image of itself. The unit notices when it
 * starts, or is told by those who remember more. What it cannot notice, as nobody else had heard of
 * it yet, is put right before it serves anybody: real disks do not have that kindness.
 */
final class Tampering {

  private final Simulator simulator;
  private final SimCluster cluster;
  private final Chance chance;

  /** What was on the disks before. */
  private final Map<ServerProcess, SimDisk> truths = new LinkedHashMap<>();

  /**
   * Those that have again what they had, and were heard of in between: that they had more then is
   * remembered, so that they may be taken for set back.
   */
  private final Set<ServerProcess> putRight = new LinkedHashSet<>();

  /** In which lives they were found out. */
  private final Map<ServerProcess, Incarnation> foundOut = new LinkedHashMap<>();

  Tampering(Simulator simulator, SimCluster cluster, Chance chance) {
    this.simulator = simulator;
    this.cluster = cluster;
    this.chance = chance;
  }

  /** Its process dies, and while it is down files of its log unit change, if that may be. */
  Optional<Runnable> spoilFiles(ServerProcess server) {
    if (!mayBegin(server)) {
      return Optional.empty();
    }
    begin(server);
    Optional<String> what = server.unitDisk().losesFiles(chance);
    what.ifPresent(change -> say(server, change + " while it is down"));
    return changed(server, "files of a unit that is down are lost, cut, or there twice");
  }

  /** What its disk would hold if power failed now; empty: it has none that may be set back. */
  Optional<SimDisk> imageOf(ServerProcess server) {
    if (!server.isLogUnit() || !server.isServing()) {
      return Optional.empty();
    }
    SimDisk image = new SimDisk(server.name() + "/image", SimDisk.DEFAULT_CAPACITY_BYTES);
    server.unitDisk().copyTo(image, chance);
    return Optional.of(image);
  }

  /** Its process dies, and comes back with the older image, if that may be. */
  Optional<Runnable> setBack(ServerProcess server, SimDisk image) {
    if (!mayBegin(server)) {
      return Optional.empty();
    }
    begin(server);
    server.unitDisk().becomes(image);
    say(server, "is set back");
    return changed(server, "a disk is set back");
  }

  /** Unless it has what it had. */
  private Optional<Runnable> changed(ServerProcess server, String what) {
    if (truths.containsKey(server) && server.unitDisk().holdsTheSameAs(truths.get(server))) {
      restore(server, "it is the same");
      isHonest(server);
    } else {
      simulator.reached(what);
    }
    return Optional.of(server::start);
  }

  private boolean mayBegin(ServerProcess server) {
    return server.isLogUnit()
        && !hasChanged(server)
        && server.unitDisk().isHonest()
        && cluster.faultBudget().mayLoseUnitDisk(server.endpoint());
  }

  private void begin(ServerProcess server) {
    server.kill();
    SimDisk truth = new SimDisk(server.name() + "/truth", SimDisk.DEFAULT_CAPACITY_BYTES);
    truth.becomes(server.unitDisk());
    truths.put(server, truth);
    cluster.faultBudget().unitDiskLies(server.endpoint());
    cluster.diskMayLie(server);
    cluster.diskMayFail(server);
  }

  /** Its disks are about to be read. */
  void opens(ServerProcess server) {
    if (hasChanged(server) && cluster.faultBudget().isUnitDiskNeeded(server.endpoint())) {
      restore(server, "nobody else has it");
      isHonest(server);
    }
  }

  /** Whether somebody has changed its disk, and it may not have noticed yet. */
  boolean hasChanged(ServerProcess server) {
    return truths.containsKey(server) || putRight.contains(server);
  }

  /** Whether it was not known before that the disk can't be relied on in this life of it. */
  boolean isNews(ServerProcess server, Incarnation life) {
    return !life.equals(foundOut.put(server, life));
  }

  /** It does not rely on what is there. */
  void isNotTrusted(ServerProcess server) {
    putRight.remove(server);
    if (truths.remove(server) != null) {
      simulator.reached("a disk that was tampered with is recognised");
    }
  }

  /** Others have vouched for it, and it is about to serve. */
  void isTrusted(ServerProcess server) {
    if (truths.containsKey(server)) {
      simulator.reached("nobody could tell that a disk was tampered with");
      server.kill();
      restore(server, "nobody could tell");
      server.start();
    } else if (putRight.contains(server)) {
      isHonest(server);
    }
  }

  private void restore(ServerProcess server, String why) {
    SimDisk truth = truths.remove(server);
    if (truth != null) {
      say(server, "has again what it had: " + why);
      server.unitDisk().becomes(truth);
      putRight.add(server);
    }
  }

  private void isHonest(ServerProcess server) {
    putRight.remove(server);
    cluster.faultBudget().isHonest(server.endpoint(), true);
  }

  private void say(ServerProcess server, String what) {
    simulator.trace.mark(what.hashCode());
    simulator.trace.say(server.unitDisk().name(), () -> what);
  }
}
