package corfu.sim.cluster;

import corfu.node.Supervision;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Member;
import corfu.sim.history.CallObserver;
import corfu.sim.world.ProcessLife;
import corfu.sim.world.Simulator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that calls succeed while faults continue. A client's calls must not fail for long while it
 * reaches enough servers. These are a majority of the layout servers, a sequencer, and a replica of
 * each open chain. All of them must have been up, undisturbed and connected to each other for
 * {@link #STEADY_NANOS}. Other servers may fail meanwhile: the bound allows for two failures, one
 * after the other.
 *
 * <p>The watch only observes and draws no random numbers, so it changes no run.
 */
public final class AvailabilityWatch implements CallObserver {

  /** The first protocol version with reports of clients. */
  private static final int REPORTS_SINCE = 2;

  static final long STEADY_NANOS = 2_000_000_000L;

  /**
   * The time that clients need to notice a failure, beside the time for two failed servers. A
   * server that hears nobody goes silent after the suspicion time, and is suspected after the same
   * time again; then its lease ends.
   */
  private static final long CLIENT_NANOS = 1_000_000_000L;

  private static final int FAILURES = 2;

  /**
   * The minimum of the bound. A wait is first checked when servers have been steady for {@link
   * #STEADY_NANOS}, so no shorter outage is measured.
   */
  private static final long OUTAGE_MIN_NANOS = STEADY_NANOS + CLIENT_NANOS / 2;

  private static final long PERIOD_NANOS = 50_000_000L;

  private final Simulator simulator;
  private final SimCluster cluster;
  private final long outageMaxNanos;

  /** Since when each process has been up and undisturbed, if it is. */
  private final Map<String, Long> steadySince = new HashMap<>();

  /** The life of each process that was steady at the last check. */
  private final Map<String, ProcessLife> lives = new HashMap<>();

  /** Since when each pair of processes has been connected, if it is. */
  private final Map<Pair, Long> connectedSince = new HashMap<>();

  /** The calls of each client thread whose calls have not succeeded yet. */
  private final Map<String, Waiting> waiting = new HashMap<>();

  /** Since when each client has been able to reach enough servers, if it is. */
  private final Map<Served, Long> servedSince = new HashMap<>();

  /** Threads whose last call failed, so that its end is no success. */
  private final Set<String> failing = new HashSet<>();

  private Seen newest = new Seen(Epoch.NONE, 0);
  private long longestNanos;
  private boolean over;

  /** Two processes, in the order of their names. */
  private record Pair(String one, String other) {
    static Pair of(String one, String other) {
      return one.compareTo(other) < 0 ? new Pair(one, other) : new Pair(other, one);
    }
  }

  /**
   * Calls without success.
   *
   * @param since when the first of them began, plus the time that the thread has spent on
   *     interruptions
   * @param lastBegun when the last of them began
   * @param interrupted since when the thread is busy with something else
   */
  private record Waiting(Need need, long since, long lastBegun, Optional<Long> interrupted) {}

  /** The newest layout that was seen, and when. */
  private record Seen(Epoch epoch, long since) {}

  /** Calls of a client with the same need. */
  private record Served(String client, Need need) {}

  public AvailabilityWatch(Simulator simulator, SimCluster cluster, Supervision supervision) {
    this.simulator = simulator;
    this.cluster = cluster;
    long leases = supervision.lease().toNanos() + supervision.lease().toNanos() / 4;
    long failures = FAILURES * (2 * supervision.suspicion().toNanos() + leases);
    this.outageMaxNanos = Math.max(OUTAGE_MIN_NANOS, CLIENT_NANOS + failures);
  }

  public void start() {
    look();
  }

  public void stop() {
    over = true;
  }

  /** Returns the longest time in which calls should have succeeded but did not. */
  public long longestNanos() {
    return longestNanos;
  }

  @Override
  public void begins(String thread, Need need) {
    Waiting before = waiting.get(thread);
    long since = before == null || before.need() != need ? now() : before.since();
    waiting.put(thread, new Waiting(need, since, now(), Optional.empty()));
  }

  @Override
  public void interrupts(String thread) {
    waiting.computeIfPresent(
        thread,
        (name, one) -> new Waiting(one.need(), one.since(), one.lastBegun(), Optional.of(now())));
  }

  @Override
  public void goesOn(String thread) {
    waiting.computeIfPresent(
        thread,
        (name, one) -> {
          long lost = now() - one.interrupted().orElse(now());
          return new Waiting(one.need(), one.since() + lost, one.lastBegun(), Optional.empty());
        });
  }

  @Override
  public void fails(String thread) {
    failing.add(thread);
  }

  @Override
  public void ends(String thread) {
    if (!failing.remove(thread)) {
      waiting.remove(thread);
    }
  }

  /**
   * Notes that a message or connection of this process was lost: a call that waits for it will time
   * out.
   */
  public void disturbed(String process) {
    steadySince.put(process, now());
  }

  private long now() {
    return simulator.timeline.nowNanos();
  }

  private void look() {
    if (over) {
      return;
    }
    noteProcesses();
    noteConnections();
    cluster.watch().newest().ifPresent(this::note);
    cluster.watch().newest().ifPresent(this::check);
    simulator.timeline.after(PERIOD_NANOS, this::look);
  }

  private void note(Layout layout) {
    if (!newest.epoch().equals(layout.epoch())) {
      newest = new Seen(layout.epoch(), now());
    }
  }

  private void noteProcesses() {
    for (SimServer server : cluster.servers()) {
      note(server.name(), server.life().filter(life -> server.isUndisturbed()));
    }
    for (ClientProcess client : cluster.clients()) {
      note(client.name(), client.life().filter(life -> !life.isPaused()));
    }
  }

  /** Notes the process. Each life counts as another process. */
  private void note(String process, Optional<ProcessLife> undisturbed) {
    if (undisturbed.isEmpty() || simulator.network.isDisturbed(process)) {
      steadySince.remove(process);
      lives.remove(process);
    } else if (lives.put(process, undisturbed.get()) != undisturbed.get()) {
      steadySince.put(process, now());
    }
  }

  private void noteConnections() {
    List<String> names = cluster.names();
    for (String one : names) {
      for (String other : names) {
        if (one.compareTo(other) < 0) {
          Pair pair = Pair.of(one, other);
          if (simulator.network.isCut(one, other) || simulator.network.isCut(other, one)) {
            connectedSince.remove(pair);
          } else {
            connectedSince.putIfAbsent(pair, now());
          }
        }
      }
    }
  }

  private void check(Layout layout) {
    for (ClientProcess client : cluster.clients()) {
      Set<Endpoint> reached = isSteady(client.name()) ? reached(client.name()) : Set.of();
      boolean isAlone = isAlone(client, layout);
      for (Need need : Need.values()) {
        Served calls = new Served(client.name(), need);
        if (!canServe(layout, reached, need)) {
          servedSince.remove(calls);
        } else if (isAlone) {
          servedSince.put(calls, now());
        } else {
          long served = servedSince.computeIfAbsent(calls, fresh -> now() - STEADY_NANOS);
          check(layout, client.threadPrefix(), need, served);
        }
      }
    }
  }

  private void check(Layout layout, String life, Need need, long served) {
    waiting.forEach(
        (thread, one) -> {
          if (thread.startsWith(life) && needOf(one) == need && one.interrupted().isEmpty()) {
            check(layout, thread, now() - Math.max(one.since(), served));
          }
        });
  }

  /**
   * Returns the need of the calls. In-flight appends of an older layout may be on a log unit that
   * no client reaches any more.
   */
  private Need needOf(Waiting calls) {
    return calls.lastBegun() < newest.since() ? Need.ALL_SEGMENTS : calls.need();
  }

  /**
   * Returns whether the client misses a server that the layout servers hear, and some other client
   * does not report that server. Such a server stays in the layout. The same holds if the first
   * agent has an earlier version, and so receives no reports: the next agent takes its turn later.
   */
  private boolean isAlone(ClientProcess client, Layout layout) {
    return cluster.servers().stream()
        .filter(server -> layout.servers().contains(server.endpoint()))
        .filter(server -> isCut(client.name(), server.name()) && isHeard(server, layout))
        .anyMatch(
            server ->
                !isAgentTold(layout)
                    || !cluster.clients().stream().allMatch(one -> reports(one, server)));
  }

  private boolean isAgentTold(Layout layout) {
    String first = layout.layoutServers().getFirst().host();
    return isSteady(first) && knowsReports(first);
  }

  private boolean knowsReports(String process) {
    return simulator.network.newestVersionOf(process) >= REPORTS_SINCE;
  }

  private boolean reports(ClientProcess client, SimServer missed) {
    return isSteady(client.name())
        && isCut(client.name(), missed.name())
        && knowsReports(client.name());
  }

  private boolean isHeard(SimServer server, Layout layout) {
    long hearing =
        layout.layoutServers().stream()
            .filter(observer -> !isCut(observer.host(), server.name()))
            .count();
    return hearing > layout.layoutServers().size() / 2;
  }

  private boolean isCut(String one, String other) {
    return !one.equals(other) && !connectedSince.containsKey(Pair.of(one, other));
  }

  private void check(Layout layout, String thread, long waitedNanos) {
    longestNanos = Math.max(longestNanos, waitedNanos);
    if (waitedNanos > outageMaxNanos) {
      simulator.findings.broken(
          "Availability",
          "no call of %s has succeeded for %d ms, though it reaches enough servers of %s",
          thread,
          waitedNanos / 1_000_000,
          layout);
    }
  }

  private boolean isSteady(String process) {
    return isOld(steadySince.get(process));
  }

  private boolean isOld(@Nullable Long since) {
    return since != null && now() - since >= STEADY_NANOS;
  }

  /**
   * Returns the steady servers that are connected to the client and to all other servers of that
   * kind.
   */
  private Set<Endpoint> reached(String client) {
    Set<SimServer> steady = new LinkedHashSet<>();
    for (SimServer server : cluster.servers()) {
      if (isSteady(server.name()) && isConnected(client, server.name())) {
        steady.add(server);
      }
    }
    Set<Endpoint> reached = new LinkedHashSet<>();
    for (SimServer server : steady) {
      if (steady.stream()
          .allMatch(other -> other == server || isConnected(server.name(), other.name()))) {
        reached.add(server.endpoint());
      }
    }
    return reached;
  }

  private boolean isConnected(String one, String other) {
    return isOld(connectedSince.get(Pair.of(one, other)));
  }

  private boolean canServe(Layout layout, Set<Endpoint> reached, Need need) {
    FaultBudget faultBudget = cluster.faultBudget();
    long acceptors =
        layout.acceptors().stream()
            .map(Member::endpoint)
            .filter(reached::contains)
            .filter(server -> faultBudget.isSoundAcceptor(layout, server))
            .count();
    Set<Endpoint> units = new HashSet<>(reached);
    units.removeIf(unit -> !faultBudget.isSoundUnit(layout, unit));
    List<LayoutSegment> needed =
        switch (need) {
          case OPEN_SEGMENT -> List.of(layout.openSegment());
          case ALL_SEGMENTS -> layout.segments();
        };
    return acceptors > layout.layoutServers().size() / 2
        && layout.sequencers().stream().anyMatch(reached::contains)
        && hasReplicas(layout.openSegment().log(), units)
        && needed.stream()
            .allMatch(
                segment ->
                    hasReplicas(segment.log(), units)
                        || (!segment.stream().isEmpty() && hasReplicas(segment.stream(), units)));
  }

  private static boolean hasReplicas(List<Chain> chains, Set<Endpoint> units) {
    return chains.stream().allMatch(chain -> chain.replicas().stream().anyMatch(units::contains));
  }
}
