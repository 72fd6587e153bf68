package corfu.node.agent;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.ChainLayout;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Health;
import corfu.protocol.message.Health.State;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.ClusterHealth.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A cluster of four servers as its layout servers see it: A, B and C have all roles, and D is a
 * spare log unit. Every unit's incarnation is its port.
 */
final class ClusterHealths {

  static final Endpoint A = new Endpoint("a", 1);
  static final Endpoint B = new Endpoint("b", 2);
  static final Endpoint C = new Endpoint("c", 3);
  static final Endpoint D = new Endpoint("d", 4);

  static final long STEADY_MILLIS = 60_000;

  private Layout layout;
  private final Map<Endpoint, Verdict> verdicts = new LinkedHashMap<>();

  ClusterHealths() {
    Map<Endpoint, Incarnation> lives = new LinkedHashMap<>();
    for (Endpoint server : List.of(A, B, C, D)) {
      lives.put(server, new Incarnation(server.port()));
    }
    layout =
        Layout.initial(
                new ClusterId(new UUID(1, 2)),
                List.of(A, B, C),
                List.of(A, B, C),
                List.of(A, B, C, D),
                new Wanted(3, 2))
            .withIncarnations(lives, lives)
            .next();
    for (Endpoint server : List.of(A, B, C)) {
      State sequencer = server.equals(A) ? State.SERVING : State.IDLE;
      Incarnation life = lives.get(server);
      healthy(server, new Health(State.SERVING, sequencer, State.SERVING, life, life, ""));
    }
    healthy(
        D, new Health(State.IDLE, State.ABSENT, State.ABSENT, lives.get(D), Incarnation.NONE, ""));
  }

  private void healthy(Endpoint server, Health health) {
    verdicts.put(server, new Verdict(false, false, 0, STEADY_MILLIS, health));
  }

  Layout layout() {
    return layout;
  }

  ClusterHealths silent(Endpoint server) {
    verdicts.put(server, new Verdict(true, true, STEADY_MILLIS, 0, verdicts.get(server).health()));
    return this;
  }

  /** Makes a live server unreachable for clients. */
  ClusterHealths unreachable(Endpoint server) {
    verdicts.put(server, verdicts.get(server).withUnreachable(true));
    return this;
  }

  /** Makes a server reachable for clients, or unused by them. */
  ClusterHealths reached(Endpoint server) {
    verdicts.put(server, verdicts.get(server).withUnreachable(false));
    return this;
  }

  /** Lets a server have given signs of life for this time. */
  ClusterHealths steady(Endpoint server, long millis) {
    verdicts.put(server, new Verdict(false, false, 0, millis, verdicts.get(server).health()));
    return this;
  }

  ClusterHealths unit(Endpoint server, State state) {
    Health was = verdicts.get(server).health();
    healthy(
        server,
        new Health(state, was.sequencer(), was.layoutServer(), was.unit(), was.acceptor(), ""));
    return this;
  }

  ClusterHealths lostDisk(Endpoint server) {
    Health was = verdicts.get(server).health();
    Health blank =
        new Health(
            State.IDLE,
            was.sequencer(),
            was.layoutServer(),
            new Incarnation(77),
            was.acceptor(),
            "");
    verdicts.put(server, new Verdict(true, false, 0, STEADY_MILLIS, blank));
    return this;
  }

  ClusterHealths sequencer(Endpoint server, State state) {
    Health was = verdicts.get(server).health();
    healthy(
        server,
        new Health(was.logUnit(), state, was.layoutServer(), was.unit(), was.acceptor(), ""));
    return this;
  }

  ClusterHealths acceptor(Endpoint server, long incarnation) {
    Health was = verdicts.get(server).health();
    healthy(
        server,
        new Health(
            was.logUnit(),
            was.sequencer(),
            was.layoutServer(),
            was.unit(),
            new Incarnation(incarnation),
            ""));
    return this;
  }

  /** Drains a server's log unit, at an operator's wish; the server keeps its other roles. */
  ClusterHealths drained(Endpoint server) {
    layout =
        new Layout(
            layout.clusterId(),
            layout.epoch().next(),
            new Wanted(2, 2),
            layout.sequencers(),
            layout.acceptors(),
            layout.units().stream().filter(unit -> !unit.endpoint().equals(server)).toList(),
            List.of(
                open(
                    0,
                    layout.openSegment().units().stream()
                        .filter(unit -> !unit.equals(server))
                        .toArray(Endpoint[]::new))));
    return this;
  }

  /** Makes the next epoch with these segments. */
  ClusterHealths next(LayoutSegment... segments) {
    return next(layout.wanted(), segments);
  }

  /** Makes the next epoch with these segments and another wanted state. */
  ClusterHealths next(Wanted wanted, LayoutSegment... segments) {
    layout =
        new Layout(
            layout.clusterId(),
            layout.epoch().next(),
            wanted,
            layout.sequencers(),
            layout.acceptors(),
            layout.units(),
            List.of(segments));
    return this;
  }

  /** Returns a segment for the whole log from an address on, with one ring over these units. */
  static LayoutSegment open(long start, Endpoint... units) {
    return new LayoutSegment(
        start, LayoutSegment.OPEN, Layout.ring(List.of(units), Math.min(2, units.length)));
  }

  /** Makes the next epoch with these sequencers, the serving one first. */
  ClusterHealths sequencers(Endpoint... sequencers) {
    layout =
        new Layout(
            layout.clusterId(),
            layout.epoch().next(),
            layout.wanted(),
            List.of(sequencers),
            layout.acceptors(),
            layout.units(),
            layout.segments());
    return this;
  }

  /** Returns a segment of the addresses 0 to 99 on one chain, with another target. */
  static LayoutSegment closed(List<Endpoint> chain, List<Endpoint> target) {
    Optional<ChainLayout> shall =
        target.isEmpty()
            ? Optional.empty()
            : Optional.of(new ChainLayout(List.of(new Chain(target))));
    return new LayoutSegment(0, 100, List.of(new Chain(chain))).withTarget(shall);
  }

  ClusterHealth clusterHealth() {
    Map<Endpoint, Incarnation> lives = new LinkedHashMap<>();
    for (Endpoint server : layout.layoutServers()) {
      Verdict verdict = verdicts.get(server);
      if (!verdict.suspected()) {
        lives.put(server, verdict.health().acceptor());
      }
    }
    return new ClusterHealth(layout, true, verdicts, Set.of(), lives, Optional.of(A));
  }

  Epoch epoch() {
    return layout.epoch();
  }
}
