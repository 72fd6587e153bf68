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
 * The layout servers' common view of the servers of a layout. Immutable.
 *
 * @param layout the layout that the layout servers were asked about
 * @param hasMajority whether a majority of the layout servers answered; if not, nothing else here
 *     is valid
 * @param verdicts the verdict on every server of the layout
 * @param usableSpares the spares of the layout that may be used
 * @param layoutServers the incarnation of each layout server that is not silent, as the server
 *     itself reports it
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
   * The verdict on one server.
   *
   * @param suspected whether the server is silent, reports itself as broken, or has lost the disk
   *     of its log unit
   * @param silent whether a majority of all layout servers has not heard of it for too long
   * @param silentMillis the time in milliseconds for which at least a majority of all layout
   *     servers has not heard of it
   * @param steadyMillis the time in milliseconds for which at least a majority of all layout
   *     servers has heard of it without a gap
   * @param health the last health that it reported of itself
   * @param unreachable whether enough clients have told a majority of all layout servers that they
   *     cannot reach it, but reach others
   */
  public record Verdict(
      boolean suspected,
      boolean silent,
      long silentMillis,
      long steadyMillis,
      Health health,
      boolean unreachable) {

    /** Makes the verdict on a server that all clients reach. */
    public Verdict(
        boolean suspected, boolean silent, long silentMillis, long steadyMillis, Health health) {
      this(suspected, silent, silentMillis, steadyMillis, health, false);
    }

    /** Returns this verdict with {@code unreachable} set or cleared. */
    public Verdict withUnreachable(boolean forClients) {
      return new Verdict(suspected, silent, silentMillis, steadyMillis, health, forClients);
    }

    /** The verdict on a server that no layout server has reported on. */
    public static final Verdict UNKNOWN = new Verdict(false, false, 0, 0, Health.UNKNOWN);

    private Verdict suspectedIf(boolean isSuspected) {
      return new Verdict(
          isSuspected, silent && isSuspected, silentMillis, steadyMillis, health, unreachable);
    }

    /** Returns whether the server has a log unit that works. */
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

  /** Returns a health without any answers: no server is suspected, and no spare is usable. */
  public static ClusterHealth calm(Layout layout) {
    return new ClusterHealth(layout, false, Map.of(), Set.of(), Map.of(), Optional.empty());
  }

  /** Returns the verdict on a server, of the layout or not. */
  public Verdict of(Endpoint server) {
    return verdicts.getOrDefault(server, Verdict.UNKNOWN);
  }

  /** Returns the suspected servers, in the layout's order. */
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

  /** Returns the suspected servers that the layout servers do not hear, in the layout's order. */
  public Set<Endpoint> silent() {
    Set<Endpoint> silent = suspects();
    silent.removeIf(server -> !of(server).silent());
    return silent;
  }

  /** Returns the servers that clients cannot reach, in the layout's order. */
  public Set<Endpoint> unreachable() {
    Set<Endpoint> unreachable = new LinkedHashSet<>(verdicts.keySet());
    unreachable.removeIf(server -> !of(server).unreachable());
    return unreachable;
  }

  /**
   * Returns the spares of the layout whose log units work and which clients reach, in the layout's
   * order, trusted or not.
   */
  public Set<Endpoint> livingSpares() {
    Set<Endpoint> living = new LinkedHashSet<>(layout.spares());
    living.removeIf(spare -> !of(spare).hasUnit());
    return living;
  }

  /**
   * Returns the suspected servers that cannot issue tokens, or whose tokens clients cannot get. A
   * server that has lost only its log unit's disk still can.
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
   * Returns the best source of the tail for a reconfiguration of the layout: its sequencer, while
   * that can be asked. In a mirror it is the chains, because the mirror's sequencer has not issued
   * the copied addresses.
   */
  public TailBound bestTailBound() {
    boolean isCounted =
        layout.origin().isEmpty()
            && layout.sequencers().stream()
                .limit(1)
                .anyMatch(sequencer -> !deafSequencers().contains(sequencer));
    return isCounted ? TailBound.SEALED_SEQUENCER : TailBound.SEALED_CHAINS;
  }

  /** Returns this health with no suspects but these. */
  public ClusterHealth suspectingOnly(Set<Endpoint> suspects) {
    Map<Endpoint, Verdict> fewer = new LinkedHashMap<>();
    verdicts.forEach(
        (server, verdict) ->
            fewer.put(
                server, verdict.suspectedIf(verdict.suspected() && suspects.contains(server))));
    return new ClusterHealth(layout, hasMajority, fewer, usableSpares, layoutServers, first);
  }

  /** Returns this health with one more suspect. */
  public ClusterHealth suspectingToo(Endpoint server) {
    Map<Endpoint, Verdict> more = new LinkedHashMap<>(verdicts);
    more.put(server, of(server).suspectedIf(true));
    return new ClusterHealth(layout, hasMajority, more, usableSpares, layoutServers, first);
  }

  /**
   * Returns this health with these servers as the ones that clients cannot reach. They are no
   * usable spares.
   */
  ClusterHealth withUnreachable(Set<Endpoint> servers) {
    Map<Endpoint, Verdict> told = new LinkedHashMap<>();
    verdicts.forEach(
        (server, verdict) -> told.put(server, verdict.withUnreachable(servers.contains(server))));
    Set<Endpoint> usable = new LinkedHashSet<>(usableSpares);
    usable.removeAll(servers);
    return new ClusterHealth(layout, hasMajority, told, usable, layoutServers, first);
  }

  /** Returns this health with exactly these usable spares. */
  public ClusterHealth withUsableSpares(Set<Endpoint> spares) {
    return new ClusterHealth(layout, hasMajority, verdicts, spares, layoutServers, first);
  }
}
