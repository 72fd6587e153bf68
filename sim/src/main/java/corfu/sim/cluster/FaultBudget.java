package corfu.sim.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Segment;
import corfu.sim.watch.ClusterWatch;
import corfu.sim.watch.UnitWatch;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Knows what may still be lost for good: of every chain one replica must be left that is sound, or,
 * where streams have replicas of their own, of every chain of one kind; of the layout servers a
 * majority, of the sequencers one. Nothing is lost while a reconfiguration is under way, which may
 * rely on what it was told before: it would be a second failure of the same chain.
 */
public final class FaultBudget {

  private final ClusterWatch watch;
  private final Map<Endpoint, UnitWatch> units;

  /** Lives of disks that are over. */
  private final Set<Incarnation> lostDisks = new HashSet<>();

  /** Who may become a layout server; until the layout names its disk it must not lose it. */
  private final Set<Endpoint> joining = new HashSet<>();

  /** Layout servers that may be dropped at any time. */
  private final Set<Endpoint> leaving = new HashSet<>();

  /** Servers that do not come back. */
  private final Set<Endpoint> dead = new LinkedHashSet<>();

  /** Log units whose disks spoil something. */
  private final Set<Endpoint> lyingUnits = new HashSet<>();

  /** Layout servers whose disks do. */
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

  /** Whether its disk may spoil what it holds: others have all of it. */
  public boolean mayUnitDiskLie(Endpoint server) {
    return lyingUnits.contains(server) || mayLoseUnitDisk(server);
  }

  public boolean mayLayoutDiskLie(Endpoint server) {
    return lyingAcceptors.contains(server) || mayLoseLayoutDisk(server);
  }

  /** From now on nobody relies on what is on it. */
  public void unitDiskLies(Endpoint server) {
    lyingUnits.add(server);
  }

  public void layoutDiskLies(Endpoint server) {
    lyingAcceptors.add(server);
  }

  public void isHonest(Endpoint server, boolean unit) {
    (unit ? lyingUnits : lyingAcceptors).remove(server);
  }

  /** Whether what it has spoiled may be lost for good. */
  public boolean isUnitDiskNeeded(Endpoint server) {
    return watch.newest().filter(now -> isQuiet(now) && hasOthers(now, server)).isEmpty();
  }

  /** Whether, of a chain that it is in, nobody else has what it holds. */
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

  /** Whether a layout server may leave, besides those that have been told to. */
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
   * Nobody has sealed anything of the newest epoch, or made a spare ready for the next one; and all
   * log units have the newest layout, so that it is not forgotten with those who voted for it.
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

  /** Whether its log unit is the one that the layout names, and holds what it should. */
  boolean isSoundUnit(Layout now, Endpoint unit) {
    return isSound(now, unit);
  }

  /** Whether its layout server is the one that the layout names, and has forgotten nothing. */
  boolean isSoundAcceptor(Layout now, Endpoint server) {
    return !failed(now).contains(server);
  }

  private boolean isSound(Layout now, Endpoint unit) {
    return !dead.contains(unit)
        && !lyingUnits.contains(unit)
        && !lostDisks.contains(now.incarnationOf(unit));
  }

  /** A disk that the layout does not know of yet is not lost once more. */
  private boolean isSpareable(Layout now, Endpoint unit) {
    return isSound(now, unit) && hasOthers(now, unit);
  }

  private boolean hasOthers(Layout now, Endpoint unit) {
    return now.segments().stream()
        .filter(segment -> segment.units().contains(unit))
        .allMatch(segment -> isLeft(now, segment, unit));
  }

  /** All of the log, or, where streams have replicas of their own, all streams. */
  private boolean isLeft(Layout now, Segment segment, Endpoint without) {
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

  /** Also if, of those that leave, the ones that have not failed are gone already. */
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
