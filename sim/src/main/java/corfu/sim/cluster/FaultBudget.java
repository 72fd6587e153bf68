package corfu.sim.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Member;
import corfu.sim.watch.ClusterWatch;
import corfu.sim.watch.UnitWatch;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which permanent losses are still allowed. One sound replica must remain of every chain
 * or, with stream replicas, of every chain of one kind. A majority of the layout servers must
 * remain, and one sequencer.
 *
 * <p>Nothing may be lost during a reconfiguration, which may rely on earlier replies: the loss
 * would be a second failure of the same chain.
 */
public final class FaultBudget {

  private final ClusterWatch watch;
  private final Map<Endpoint, UnitWatch> units;

  /** Incarnations of lost disks. */
  private final Set<Incarnation> lostDisks = new HashSet<>();

  /**
   * Servers that may become layout servers. Such a server must not lose its disk until the layout
   * names it.
   */
  private final Set<Endpoint> joining = new HashSet<>();

  /** Layout servers that may be dropped at any time. */
  private final Set<Endpoint> leaving = new HashSet<>();

  /** Servers that never come back. */
  private final Set<Endpoint> dead = new LinkedHashSet<>();

  /** Log units with disks that corrupt data. */
  private final Set<Endpoint> lyingUnits = new HashSet<>();

  /** Layout servers with disks that corrupt data. */
  private final Set<Endpoint> lyingAcceptors = new HashSet<>();

  public FaultBudget(ClusterWatch watch, Map<Endpoint, UnitWatch> units) {
    this.watch = watch;
    this.units = units;
  }

  public boolean isDead(Endpoint server) {
    return dead.contains(server);
  }

  Set<Endpoint> dead() {
    return dead;
  }

  public boolean mayLoseUnitDisk(Endpoint server) {
    return watch.newest().filter(now -> isQuiet(now) && isSpareable(now, server)).isPresent();
  }

  /**
   * Returns whether the server's disk may corrupt its contents, because others have all of them.
   */
  public boolean mayUnitDiskLie(Endpoint server) {
    return lyingUnits.contains(server) || mayLoseUnitDisk(server);
  }

  public boolean mayLayoutDiskLie(Endpoint server) {
    return lyingAcceptors.contains(server) || mayLoseLayoutDisk(server);
  }

  /** Marks the log unit's disk: from now on no decision relies on its contents. */
  public void unitDiskLies(Endpoint server) {
    lyingUnits.add(server);
  }

  public void layoutDiskLies(Endpoint server) {
    lyingAcceptors.add(server);
  }

  public void isHonest(Endpoint server, boolean unit) {
    (unit ? lyingUnits : lyingAcceptors).remove(server);
  }

  /** Returns whether the corrupted contents of the disk are still needed. */
  public boolean isUnitDiskNeeded(Endpoint server) {
    return watch.newest().filter(now -> isQuiet(now) && hasOthers(now, server)).isEmpty();
  }

  /** Returns whether the server has the only copy of a chain's contents. */
  public boolean isLastHonest(Endpoint server) {
    return watch.newest().filter(now -> !hasOthers(now, server)).isPresent();
  }

  public boolean isLayoutDiskNeeded(Endpoint server) {
    return watch.newest().filter(now -> isQuiet(now) && isMinorityWith(now, server)).isEmpty();
  }

  private boolean isMinorityWith(Layout now, Endpoint server) {
    if (!now.layoutServers().contains(server)) {
      return !joining.contains(server);
    }
    Set<Endpoint> failed = failed(now);
    failed.add(server);
    return hasMajority(now, failed, Set.of()) && hasMajority(now, failed, leaving);
  }

  public boolean mayLoseLayoutDisk(Endpoint server) {
    return watch.newest().filter(now -> isQuiet(now) && isMinority(now, server)).isPresent();
  }

  public boolean mayDie(Endpoint server) {
    return mayLoseUnitDisk(server)
        && mayLoseLayoutDisk(server)
        && watch.newest().filter(now -> isReplaceable(now, server)).isPresent();
  }

  /** Returns whether this layout server may leave, in addition to those that already have to. */
  public boolean mayLeave(Endpoint layoutServer) {
    return watch.newest().filter(now -> mayLeave(now, layoutServer)).isPresent();
  }

  private boolean mayLeave(Layout now, Endpoint layoutServer) {
    Set<Endpoint> leavers = new HashSet<>(leaving);
    leavers.add(layoutServer);
    return hasMajority(now, failed(now), leavers);
  }

  public void joins(Endpoint layoutServer) {
    joining.add(layoutServer);
  }

  public void leaves(Endpoint layoutServer) {
    leaving.add(layoutServer);
  }

  void losesUnitDisk(Endpoint server) {
    watch.newest().map(now -> now.incarnationOf(server)).ifPresent(this::isLost);
  }

  void losesLayoutDisk(Endpoint server) {
    watch.newest().map(now -> acceptorOf(now, server)).ifPresent(this::isLost);
  }

  private void isLost(Incarnation named) {
    if (named.isKnown()) {
      lostDisks.add(named);
    }
  }

  void dies(Endpoint server) {
    dead.add(server);
  }

  private static Incarnation acceptorOf(Layout now, Endpoint server) {
    return now.acceptors().stream()
        .filter(member -> member.endpoint().equals(server))
        .map(Member::incarnation)
        .findFirst()
        .orElse(Incarnation.NONE);
  }

  /**
   * Returns whether no reconfiguration is in progress. No log unit is sealed at the newest epoch,
   * and no spare is prepared for the next one. All log units have the newest layout, so that it is
   * not lost with the layout servers that voted for it.
   */
  private boolean isQuiet(Layout now) {
    return Epoch.FIRST.isBefore(now.epoch())
        && now.units().stream()
            .map(member -> units.get(member.endpoint()))
            .allMatch(unit -> unit == null || unit.serves(now.epoch()))
        && now.logUnits().stream()
            .filter(unit -> isSound(now, unit))
            .map(units::get)
            .allMatch(unit -> unit == null || unit.knows(now.epoch()));
  }

  /**
   * Returns whether the server's log unit is the one that the layout names, and has all its
   * contents.
   */
  boolean isSoundUnit(Layout now, Endpoint unit) {
    return isSound(now, unit);
  }

  /**
   * Returns whether the server's layout server is the one that the layout names, and has forgotten
   * nothing.
   */
  boolean isSoundAcceptor(Layout now, Endpoint server) {
    return !failed(now).contains(server);
  }

  private boolean isSound(Layout now, Endpoint unit) {
    return !dead.contains(unit)
        && !lyingUnits.contains(unit)
        && !lostDisks.contains(now.incarnationOf(unit));
  }

  /** A disk that the layout does not know yet must not be lost once more. */
  private boolean isSpareable(Layout now, Endpoint unit) {
    return isSound(now, unit) && hasOthers(now, unit);
  }

  private boolean hasOthers(Layout now, Endpoint unit) {
    return now.segments().stream()
        .filter(segment -> segment.units().contains(unit))
        .allMatch(segment -> isLeft(now, segment, unit));
  }

  /** Returns whether the others have the whole log or, with stream replicas, all streams. */
  private boolean isLeft(Layout now, LayoutSegment segment, Endpoint without) {
    return segment.log().stream().allMatch(chain -> isLeft(now, chain, without))
        || (!segment.stream().isEmpty()
            && segment.stream().stream().allMatch(chain -> isLeft(now, chain, without)));
  }

  private boolean isLeft(Layout now, Chain chain, Endpoint without) {
    return chain.replicas().stream().anyMatch(r -> !r.equals(without) && isSound(now, r));
  }

  private boolean isMinority(Layout now, Endpoint server) {
    if (!now.layoutServers().contains(server)) {
      return !joining.contains(server);
    }
    Set<Endpoint> failed = failed(now);
    return failed.add(server)
        && hasMajority(now, failed, Set.of())
        && hasMajority(now, failed, leaving);
  }

  private Set<Endpoint> failed(Layout now) {
    Set<Endpoint> failed = new HashSet<>();
    for (Member member : now.acceptors()) {
      if (dead.contains(member.endpoint())
          || lyingAcceptors.contains(member.endpoint())
          || lostDisks.contains(member.incarnation())) {
        failed.add(member.endpoint());
      }
    }
    return failed;
  }

  /**
   * Returns whether a majority remains, even if all leaving servers that have not failed are
   * already gone.
   */
  private static boolean hasMajority(Layout now, Set<Endpoint> failed, Set<Endpoint> leaving) {
    long staying =
        now.layoutServers().stream()
            .filter(server -> failed.contains(server) || !leaving.contains(server))
            .count();
    return failed.size() <= (staying - 1) / 2;
  }

  private boolean isReplaceable(Layout now, Endpoint server) {
    boolean hasUnit =
        now.units().stream()
            .anyMatch(u -> !u.endpoint().equals(server) && !u.retiring() && isSound(now, u));
    Optional<Endpoint> sequencer =
        now.sequencers().stream().filter(s -> !s.equals(server) && !dead.contains(s)).findFirst();
    return hasUnit && sequencer.isPresent();
  }

  private boolean isSound(Layout now, Member member) {
    return isSound(now, member.endpoint());
  }
}
