package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.PlanInput.TailBound;
import corfu.protocol.message.Health;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the layout servers together know of the servers of a layout. Immutable.
 *
 * @param layout that they were asked about
 * @param hasMajority whether a majority of the layout servers answered; if not, nothing else here
 *     means anything
 * @param verdicts about every server of the layout
 * @param usableSpares spares of the layout that may be made to serve
 * @param layoutServers which lives of their disks the layout servers have that are not silent, as
 *     they say themselves
 * @param first the first layout server, in the layout's order, that answered
 */
public record ClusterHealth(
    Layout layout,
    boolean hasMajority,
    Map<Endpoint, Verdict> verdicts,
    Set<Endpoint> usableSpares,
    Map<Endpoint, Incarnation> layoutServers,
    Optional<Endpoint> first) {

  /**
   * What is thought of one server.
   *
   * @param suspected the server is silent, or it says itself that it is broken, or has lost the
   *     disk of its log unit
   * @param silent a majority of all layout servers has not heard of it for too long
   * @param silentMillis a majority of all layout servers has not heard of it for at least so long
   * @param steadyMillis a majority of all layout servers has heard of it, without a gap, for at
   *     least so long
   * @param health what it said of itself last
   * @param unreachable a majority of all layout servers is told by enough clients that they do not
   *     reach it, while they reach others
   */
  public record Verdict(
      boolean suspected,
      boolean silent,
      long silentMillis,
      long steadyMillis,
      Health health,
      boolean unreachable) {

    /** Of a server that no client misses. */
    public Verdict(
        boolean suspected, boolean silent, long silentMillis, long steadyMillis, Health health) {
      this(suspected, silent, silentMillis, steadyMillis, health, false);
    }

    /** The same where clients do not reach it, or do. */
    public Verdict withUnreachable(boolean forClients) {
      return new Verdict(suspected, silent, silentMillis, steadyMillis, health, forClients);
    }

    /** Of a server of which nobody has told anything. */
    public static final Verdict UNKNOWN = new Verdict(false, false, 0, 0, Health.UNKNOWN);

    private Verdict suspectedIf(boolean isSuspected) {
      return new Verdict(
          isSuspected, silent && isSuspected, silentMillis, steadyMillis, health, unreachable);
    }

    /** Whether it has a log unit that works. */
    boolean hasUnit() {
      return !suspected
          && !unreachable
          && health.logUnit() != Health.State.ABSENT
          && health.logUnit() != Health.State.BROKEN;
    }
  }

  public ClusterHealth {
    verdicts = Collections.unmodifiableMap(new LinkedHashMap<>(verdicts));
    usableSpares = Collections.unmodifiableSet(new LinkedHashSet<>(usableSpares));
    layoutServers = Collections.unmodifiableMap(new LinkedHashMap<>(layoutServers));
  }

  /** Of somebody who has asked nobody: there is nothing to suspect, and nothing to use. */
  public static ClusterHealth calm(Layout layout) {
    return new ClusterHealth(layout, false, Map.of(), Set.of(), Map.of(), Optional.empty());
  }

  /** About a server of the layout, or any other. */
  public Verdict of(Endpoint server) {
    return verdicts.getOrDefault(server, Verdict.UNKNOWN);
  }

  /** The servers under suspicion, in the layout's order. */
  public Set<Endpoint> suspects() {
    Set<Endpoint> suspects = new LinkedHashSet<>();
    verdicts.forEach(
        (server, verdict) -> {
          if (verdict.suspected()) {
            suspects.add(server);
          }
        });
    return suspects;
  }

  /**
   * The servers under suspicion of which the layout servers hear nothing, in the layout's order.
   */
  public Set<Endpoint> silent() {
    Set<Endpoint> silent = suspects();
    silent.removeIf(server -> !of(server).silent());
    return silent;
  }

  /** The servers that clients do not reach, in the layout's order. */
  public Set<Endpoint> unreachable() {
    Set<Endpoint> unreachable = new LinkedHashSet<>(verdicts.keySet());
    unreachable.removeIf(server -> !of(server).unreachable());
    return unreachable;
  }

  /**
   * The spares of the layout whose log units work, and which no clients miss, in the layout's
   * order, whether they are trusted or not.
   */
  public Set<Endpoint> livingSpares() {
    Set<Endpoint> living = new LinkedHashSet<>(layout.spares());
    living.removeIf(spare -> !of(spare).hasUnit());
    return living;
  }

  /**
   * Servers under suspicion that cannot issue tokens, or whose tokens clients cannot get. One that
   * has lost its log unit's disk alone can.
   */
  Set<Endpoint> deafSequencers() {
    Set<Endpoint> deaf = suspects();
    deaf.removeIf(
        server ->
            !of(server).silent()
                && !of(server).unreachable()
                && of(server).health().sequencer() != Health.State.ABSENT
                && of(server).health().sequencer() != Health.State.BROKEN);
    return deaf;
  }

  /**
   * How a reconfiguration of that layout may know its tail at best: by its sequencer, as long as
   * that can be asked. Not in a mirror, whose sequencer has not issued what was copied.
   */
  public TailBound bestTailBound() {
    boolean isCounted =
        layout.origin().isEmpty()
            && layout.sequencers().stream()
                .limit(1)
                .anyMatch(sequencer -> !deafSequencers().contains(sequencer));
    return isCounted ? TailBound.SEALED_SEQUENCER : TailBound.SEALED_CHAINS;
  }

  /** The same where nobody but these is under suspicion. */
  public ClusterHealth suspectingOnly(Set<Endpoint> suspects) {
    Map<Endpoint, Verdict> fewer = new LinkedHashMap<>();
    verdicts.forEach(
        (server, verdict) ->
            fewer.put(
                server, verdict.suspectedIf(verdict.suspected() && suspects.contains(server))));
    return new ClusterHealth(layout, hasMajority, fewer, usableSpares, layoutServers, first);
  }

  /** The same where this one is under suspicion, too. */
  public ClusterHealth suspectingToo(Endpoint server) {
    Map<Endpoint, Verdict> more = new LinkedHashMap<>(verdicts);
    more.put(server, of(server).suspectedIf(true));
    return new ClusterHealth(layout, hasMajority, more, usableSpares, layoutServers, first);
  }

  /** The same where clients do not reach these servers, which therefore are no usable spares. */
  ClusterHealth withUnreachable(Set<Endpoint> servers) {
    Map<Endpoint, Verdict> told = new LinkedHashMap<>();
    verdicts.forEach(
        (server, verdict) -> told.put(server, verdict.withUnreachable(servers.contains(server))));
    Set<Endpoint> usable = new LinkedHashSet<>(usableSpares);
    usable.removeAll(servers);
    return new ClusterHealth(layout, hasMajority, told, usable, layoutServers, first);
  }

  /** The same where these spares, and no others, may be made to serve. */
  public ClusterHealth withUsableSpares(Set<Endpoint> spares) {
    return new ClusterHealth(layout, hasMajority, verdicts, spares, layoutServers, first);
  }
}
