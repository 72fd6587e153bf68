package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutReply.Complaint;
import corfu.protocol.message.LayoutReply.Observation;
import corfu.protocol.message.LayoutReply.Reports;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.reconfiguration.ClusterHealth.Verdict;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/**
 * Asks the layout servers which servers live, and which ones clients reach, and combines the
 * replies. One layout server may be cut off from a server that all others reach. So it takes a
 * majority to suspect a server, and to trust it. Thread-safe.
 */
public final class Observers {

  /** A spare that has lived for this long is usable. An agent that remembers more requires more. */
  public static final Duration FRESH_TRUST = Duration.ofSeconds(1);

  /**
   * The time that a server has for its start, if no observer has heard of it since the observer
   * started. With a longer time, a start of all servers would keep appends waiting for a server
   * that does not come.
   */
  private static final Duration START_GRACE = Duration.ofSeconds(2);

  private final World world;
  private final Servers servers;
  private final FailureDetector detector;
  private final Duration timeout;
  private final long startNanos;

  /**
   * @param suspicion the longest silence before a server is suspected; an instance that has asked
   *     often suspects sooner if signs of life have come regularly
   * @param timeout the longest time that a layout server may need for its reply
   */
  public Observers(World world, Transport transport, Duration suspicion, Duration timeout) {
    this.world = world;
    this.servers = new Servers(transport, timeout);
    this.detector = new FailureDetector(suspicion);
    this.timeout = timeout;
    this.startNanos = world.nanoTime();
  }

  /** Returns the layout servers' common view of the servers of this layout. */
  public ClusterHealth ask(Layout layout) {
    Deadline deadline = Deadline.in(world, timeout);
    List<CompletableFuture<Reply>> sent = new ArrayList<>();
    List<CompletableFuture<Reply>> reports = new ArrayList<>();
    Map<Endpoint, Long> arrivals = new ConcurrentHashMap<>();
    for (Endpoint observer : layout.layoutServers()) {
      sent.add(
          servers
              .send(observer, new LayoutRequest.Observe(), deadline)
              .whenComplete(
                  (reply, failure) -> arrivals.put(observer, world.millisSince(startNanos))));
      reports.add(servers.send(observer, new LayoutRequest.AskReports(), deadline));
    }
    Map<Endpoint, List<Observation>> answers = new LinkedHashMap<>();
    for (int i = 0; i < sent.size(); i++) {
      Endpoint observer = layout.layoutServers().get(i);
      try {
        var seen = Servers.await(observer, sent.get(i), LayoutReply.Observations.class);
        if (!seen.observations().isEmpty()) { // an observer without a layout observes none
          answers.put(observer, seen.observations());
          learn(
              observer,
              seen.observations(),
              arrivals.getOrDefault(observer, world.millisSince(startNanos)));
        }
      } catch (RetryableException | TransportException silent) {
        // An observer that does not answer has no vote.
      }
    }
    ClusterHealth clusterHealth = combine(layout, answers, detector);
    return withReports(clusterHealth, awaitReports(layout, reports));
  }

  /** Waits for the reports. Layout servers of version 1 of the protocol have none. */
  private static List<Reports> awaitReports(Layout layout, List<CompletableFuture<Reply>> sent) {
    List<Reports> told = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      try {
        told.add(Servers.await(layout.layoutServers().get(i), sent.get(i), Reports.class));
      } catch (RetryableException | TransportException silent) {
        // An observer that does not answer has no vote.
      }
    }
    return told;
  }

  /**
   * Adds the servers that clients cannot reach. One layout server may be cut off from most clients,
   * so it takes a majority of all.
   *
   * @param told the reports of different layout servers
   */
  static ClusterHealth withReports(ClusterHealth clusterHealth, List<Reports> told) {
    int majority = clusterHealth.layout().layoutServers().size() / 2 + 1;
    Set<Endpoint> unreachable = new LinkedHashSet<>();
    for (Endpoint server : clusterHealth.layout().servers()) {
      long agreeing = told.stream().filter(reports -> isUnreachable(server, reports)).count();
      if (agreeing >= majority) {
        unreachable.add(server);
      }
    }
    return clusterHealth.withUnreachable(unreachable);
  }

  /**
   * Returns whether more than half of the active clients cannot reach the server. A single client
   * counts only if no other client has been heard of for a while: it may lie, or have a broken
   * cable.
   */
  private static boolean isUnreachable(Endpoint server, Reports reports) {
    int missing =
        reports.complaints().stream()
            .filter(complaint -> complaint.server().equals(server))
            .mapToInt(Complaint::clients)
            .sum();
    int needed = reports.known() > 1 ? 2 : 1;
    return missing >= needed && missing > reports.active() - missing;
  }

  private void learn(Endpoint observer, List<Observation> observations, long arrivalMillis) {
    for (Observation seen : observations) {
      if (!seen.health().equals(Health.UNKNOWN)) {
        detector.observe(observer, seen.server(), arrivalMillis - seen.silentMillis());
      }
    }
  }

  static ClusterHealth combine(
      Layout layout, Map<Endpoint, List<Observation>> answers, FailureDetector detector) {
    int majority = layout.layoutServers().size() / 2 + 1;
    Map<Endpoint, Verdict> verdicts = new LinkedHashMap<>();
    Map<Endpoint, Incarnation> lives = new LinkedHashMap<>();
    for (Endpoint server : layout.servers()) {
      Votes votes = votes(server, answers, detector);
      List<Observation> seen = votes.seen();
      Health health = newestOf(seen);
      boolean isSilent = votes.isSilent(majority);
      boolean isUseless = isBroken(health) || hasLostItsUnit(layout, server, health);
      long silent = byMajority(seen, majority, Observation::silentMillis);
      long steady = byMajority(seen, majority, Observation::steadyMillis);
      verdicts.put(server, new Verdict(isSilent || isUseless, isSilent, silent, steady, health));
      if (!isSilent && layout.layoutServers().contains(server) && health.acceptor().isKnown()) {
        lives.put(server, health.acceptor());
      }
    }
    Optional<Endpoint> first =
        layout.layoutServers().stream().filter(answers::containsKey).findFirst();
    ClusterHealth clusterHealth =
        new ClusterHealth(layout, answers.size() >= majority, verdicts, Set.of(), lives, first);
    Set<Endpoint> usable = new LinkedHashSet<>(clusterHealth.livingSpares());
    usable.removeIf(spare -> clusterHealth.of(spare).steadyMillis() < FRESH_TRUST.toMillis());
    return clusterHealth.withUsableSpares(usable);
  }

  /**
   * The observers' votes on one server.
   *
   * @param silent the number of observers that have heard of it, but not lately
   * @param unheard the number of observers that have not heard of it since they started, which is
   *     not long ago
   * @param missing the number of observers that have not heard of it for longer than any start
   *     takes
   */
  private record Votes(List<Observation> seen, int silent, int unheard, int missing) {

    /**
     * Returns whether a majority finds the server silent. When a whole cluster starts, slow servers
     * are not suspected. When one observer has restarted, another one knows that the server was
     * there before.
     */
    boolean isSilent(int majority) {
      int agreeing = silent + missing > 0 ? silent + missing + unheard : 0;
      return agreeing >= majority;
    }
  }

  private static Votes votes(
      Endpoint server, Map<Endpoint, List<Observation>> answers, FailureDetector detector) {
    List<Observation> seen = new ArrayList<>();
    int silent = 0;
    int unheard = 0;
    int missing = 0;
    for (var answer : answers.entrySet()) {
      long limitMillis = detector.limitMillis(answer.getKey(), server);
      for (Observation observation : answer.getValue()) {
        if (!observation.server().equals(server)) {
          continue;
        }
        seen.add(observation);
        boolean wasHeard = !observation.health().equals(Health.UNKNOWN);
        if (observation.silentMillis() <= limitMillis) {
          continue;
        }
        silent += wasHeard ? 1 : 0;
        boolean isOverdue = observation.silentMillis() > START_GRACE.toMillis();
        missing += !wasHeard && isOverdue ? 1 : 0;
        unheard += !wasHeard && !isOverdue ? 1 : 0;
      }
    }
    return new Votes(seen, silent, unheard, missing);
  }

  private static Health newestOf(List<Observation> seen) {
    return seen.stream()
        .min(Comparator.comparingLong(Observation::silentMillis))
        .map(Observation::health)
        .orElse(Health.UNKNOWN);
  }

  private static boolean isBroken(Health health) {
    return health.logUnit() == Health.State.BROKEN || health.sequencer() == Health.State.BROKEN;
  }

  private static boolean hasLostItsUnit(Layout layout, Endpoint server, Health health) {
    Incarnation named = layout.incarnationOf(server);
    return named.isKnown() && health.unit().isKnown() && !named.equals(health.unit());
  }

  /**
   * Returns the highest value that a majority of the layout servers has reached; 0 if too few have
   * answered.
   */
  private static long byMajority(
      List<Observation> seen, int majority, ToLongFunction<Observation> millis) {
    return seen.size() < majority
        ? 0
        : seen.stream()
            .map(millis::applyAsLong)
            .sorted(Comparator.reverseOrder())
            .toList()
            .get(majority - 1);
  }
}
