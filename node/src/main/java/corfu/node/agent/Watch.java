package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.ChainLayout;
import corfu.protocol.layout.LastReplicaException;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.PlanInput;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Health.State;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds the faults of a cluster from successive outlooks. For one thread; the caller passes the
 * time.
 */
final class Watch {

  /** The time for which a starting role may report itself at rest. */
  private static final Duration REST_MAX = Duration.ofMillis(300);

  /**
   * The least time for which roles may be sealed, because a reconfiguration may still be running.
   */
  private static final Duration SEALED_AT_LEAST = Duration.ofMillis(600);

  private final FlapDamping trust;
  private final UnreachableServers unreachable;
  private final Duration sealedMax;

  /** The time since which a role that should serve has been at rest. */
  private final Map<ClusterProblem, Long> restingSince = new HashMap<>();

  /**
   * @param trust the time for which a dropped unit must live before it is used again
   * @param lease the duration of leases, which a reconfiguration may have to wait out
   * @param suspicion the time for which a server may leave clients without answers
   */
  Watch(Duration trust, Duration lease, Duration suspicion) {
    Duration twice = lease.multipliedBy(2);
    this.sealedMax = twice.compareTo(SEALED_AT_LEAST) > 0 ? twice : SEALED_AT_LEAST;
    this.trust = new FlapDamping(trust);
    this.unreachable = new UnreachableServers(suspicion);
  }

  /** Returns the finding from this cluster health and the earlier ones. */
  HealthAssessment look(ClusterHealth clusterHealth, long nowMillis) {
    Layout layout = clusterHealth.layout();
    trust.saw(layout, nowMillis);
    Set<Endpoint> usable = new LinkedHashSet<>(clusterHealth.livingSpares());
    usable.removeIf(
        spare -> !trust.isEarnedBy(spare, clusterHealth.of(spare).steadyMillis(), nowMillis));
    ClusterHealth trusted = clusterHealth.withUsableSpares(usable);
    List<ClusterProblem> ailments = new ArrayList<>();
    findSuspects(clusterHealth, ailments);
    findUnreachable(trusted, nowMillis, ailments);
    findUnnamed(clusterHealth, ailments);
    findResting(clusterHealth, nowMillis, ailments);
    if (isTooSmall(layout) && mayGrow(trusted)) {
      ailments.add(new ClusterProblem(ClusterProblem.Kind.TOO_SMALL, Optional.empty()));
    }
    return new HealthAssessment(trusted, ailments, rebuild(clusterHealth));
  }

  private static void findSuspects(ClusterHealth clusterHealth, List<ClusterProblem> ailments) {
    Set<Endpoint> needed = needed(clusterHealth.layout());
    needed.retainAll(clusterHealth.suspects());
    for (Endpoint server : needed) {
      boolean forgetful = hasLostItsUnit(clusterHealth, server);
      ailments.add(
          ClusterProblem.of(
              server, forgetful ? ClusterProblem.Kind.FORGETFUL_UNIT : ClusterProblem.Kind.SILENT));
    }
  }

  private static Set<Endpoint> needed(Layout layout) {
    Set<Endpoint> needed = new LinkedHashSet<>(layout.logUnits());
    serving(layout).ifPresent(needed::add);
    return needed;
  }

  private void findUnreachable(
      ClusterHealth trusted, long nowMillis, List<ClusterProblem> ailments) {
    unreachable
        .choose(trusted, needed(trusted.layout()), server -> mayLeave(trusted, server), nowMillis)
        .ifPresent(
            server -> ailments.add(ClusterProblem.of(server, ClusterProblem.Kind.UNREACHABLE)));
  }

  /**
   * Returns whether the others have everything that clients need from the server, and the next
   * layout can do without it.
   */
  private static boolean mayLeave(ClusterHealth clusterHealth, Endpoint server) {
    Set<Endpoint> gone = clusterHealth.suspects();
    gone.add(server);
    return clusterHealth.layout().segments().stream()
            .flatMap(segment -> segment.log().stream())
            .map(Chain::replicas)
            .allMatch(replicas -> !replicas.contains(server) || !gone.containsAll(replicas))
        && next(clusterHealth, gone)
            .filter(next -> !clusterHealth.layout().differsOnlyInEpoch(next))
            .isPresent();
  }

  private static boolean hasLostItsUnit(ClusterHealth clusterHealth, Endpoint server) {
    Incarnation told = clusterHealth.of(server).health().unit();
    Incarnation named = clusterHealth.layout().incarnationOf(server);
    return named.isKnown() && told.isKnown() && !told.equals(named); // drained: none is named
  }

  private static void findUnnamed(ClusterHealth clusterHealth, List<ClusterProblem> ailments) {
    Layout layout = clusterHealth.layout();
    clusterHealth
        .layoutServers()
        .forEach(
            (server, told) -> {
              if (!layout.reliesOnLayoutServer(told)) {
                ailments.add(ClusterProblem.of(server, ClusterProblem.Kind.UNNAMED_LAYOUT_SERVER));
              }
            });
  }

  private void findResting(
      ClusterHealth clusterHealth, long nowMillis, List<ClusterProblem> ailments) {
    Set<ClusterProblem> resting = new HashSet<>();
    for (Endpoint unit : clusterHealth.layout().logUnits()) {
      State state = clusterHealth.of(unit).health().logUnit();
      ClusterProblem ailment = ClusterProblem.of(unit, ClusterProblem.Kind.UNIT_AT_REST);
      checkRest(ailment, state, clusterHealth, nowMillis, resting, ailments);
    }
    serving(clusterHealth.layout())
        .ifPresent(
            sequencer -> {
              State state = clusterHealth.of(sequencer).health().sequencer();
              ClusterProblem ailment =
                  ClusterProblem.of(sequencer, ClusterProblem.Kind.SEQUENCER_AT_REST);
              checkRest(ailment, state, clusterHealth, nowMillis, resting, ailments);
            });
    restingSince.keySet().retainAll(resting);
  }

  private void checkRest(
      ClusterProblem ailment,
      State state,
      ClusterHealth clusterHealth,
      long nowMillis,
      Set<ClusterProblem> resting,
      List<ClusterProblem> ailments) {
    boolean rests = state == State.IDLE || state == State.SEALED;
    if (!rests || clusterHealth.of(ailment.server().orElseThrow()).suspected()) {
      return;
    }
    resting.add(ailment);
    long since = restingSince.computeIfAbsent(ailment, fresh -> nowMillis);
    Duration longest = state == State.IDLE ? REST_MAX : sealedMax;
    if (nowMillis - since > longest.toMillis()) {
      ailments.add(ailment);
    }
  }

  private static Optional<Endpoint> serving(Layout layout) {
    return layout.sequencers().stream().findFirst();
  }

  private static boolean isTooSmall(Layout layout) {
    Wanted wanted = layout.wanted();
    return layout.openSegment().units().size() < wanted.units()
        || layout.segments().stream().anyMatch(segment -> isTooSmall(segment, wanted));
  }

  private static boolean isTooSmall(LayoutSegment segment, Wanted wanted) {
    ChainLayout shall = segment.target().orElse(segment.serving());
    return hasFewer(shall.log(), wanted.replicas())
        || hasFewer(shall.stream(), wanted.streamReplicas())
        || (wanted.streamReplicas() > 0 && !shall.hasStreams());
  }

  private static boolean hasFewer(List<Chain> chains, int replicas) {
    return chains.stream().anyMatch(chain -> chain.replicas().size() < replicas);
  }

  /** Returns whether any server could fill a gap, in which case the next layout differs. */
  private static boolean mayGrow(ClusterHealth clusterHealth) {
    Layout layout = clusterHealth.layout();
    return next(clusterHealth, clusterHealth.suspects())
        .filter(next -> !next.segments().equals(layout.segments()))
        .isPresent();
  }

  /** Returns the next layout without these servers, or empty if one of them is the last replica. */
  private static Optional<Layout> next(ClusterHealth clusterHealth, Set<Endpoint> gone) {
    Layout layout = clusterHealth.layout();
    Map<Endpoint, Incarnation> spares = new HashMap<>();
    clusterHealth.usableSpares().forEach(spare -> spares.put(spare, Incarnation.NONE));
    long tail = layout.openSegment().start() + 1;
    try {
      PlanInput circumstances = new PlanInput(gone, spares, Map.of(), tail, 0);
      return Optional.of(Plan.next(layout, circumstances.boundedBy(clusterHealth.bestTailBound())));
    } catch (LastReplicaException hopeless) {
      return Optional.empty();
    }
  }

  private static OptionalLong rebuild(ClusterHealth clusterHealth) {
    Set<Endpoint> suspects = clusterHealth.suspects();
    return clusterHealth.layout().segments().stream()
        .filter(LayoutSegment::hasTarget)
        .filter(
            segment ->
                segment.target().stream()
                    .flatMap(aim -> aim.units().stream())
                    .noneMatch(suspects::contains))
        .mapToLong(LayoutSegment::start)
        .findFirst();
  }
}
