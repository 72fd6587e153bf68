package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Supervision;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.sim.history.Payloads;
import corfu.sim.world.SimNetwork;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Servers that clients can't reach, or claim that they can't, while the servers' peers reach them.
 */
final class UnreachableServerTest {

  private static final Duration FELT_AT_MOST = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(20);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Scenario scenario = new Scenario(3, 2, 1, 2, Supervision.DEFAULT);
  private final List<String> names =
      Stream.iterate(1, i -> i + 1)
          .map(i -> "client" + i)
          .filter(name -> versionOf(name) == FrameCodec.NEWEST_VERSION)
          .limit(4)
          .toList();

  /** A client that appends one entry after another. */
  private final class Appender {
    private final String name;
    private final SimWorld world;
    private final TestWay way;
    private long succeededNanos;
    private long longestNanos;
    private boolean over;

    private Appender(String name) {
      this.name = name;
      this.world = scenario.simulator.born(name, 0);
      this.way = new TestWay(scenario.transport(world));
      world.start("appends", this::run);
      scenario.until(name + " appends", () -> succeededNanos > 0);
    }

    private void run() {
      CorfuOptions options =
          CorfuOptions.of(scenario.arrangement.layoutServers())
              .withOperationTimeout(Duration.ofMillis(500));
      Corfu corfu = Corfu.connect(options, world, way);
      while (!over) {
        try {
          corfu.log().append(Payloads.of(name, 0));
          long now = now();
          longestNanos = Math.max(longestNanos, succeededNanos == 0 ? 0 : now - succeededNanos);
          succeededNanos = now;
        } catch (CorfuException unavailable) {
          continue;
        }
        world.pause(PAUSE);
      }
    }

    /** Returns the longest time without a success, the current one included. */
    Duration longest() {
      return Duration.ofNanos(Math.max(longestNanos, now() - succeededNanos));
    }
  }

  private int versionOf(String client) {
    return scenario.simulator.network.newestVersionOf(client);
  }

  private long now() {
    return scenario.simulator.timeline.nowNanos();
  }

  private void cut(Endpoint server, String... clients) {
    Set<String> there = Set.of(server.host());
    scenario.simulator.network.cut(new SimNetwork.Cut(Set.of(clients), there));
    scenario.simulator.network.cut(new SimNetwork.Cut(there, Set.of(clients)));
  }

  private Epoch epoch() {
    return scenario.newest().epoch();
  }

  private Endpoint unit(int index) {
    return scenario.arrangement.units().get(index);
  }

  /** Reports these servers as unreachable and all others as reachable, again and again. */
  private void lies(String name, int connections, Set<Endpoint> servers) {
    SimWorld world = scenario.simulator.born(name, 0);
    List<Endpoint> others = new ArrayList<>(scenario.newest().servers());
    others.removeAll(servers);
    var report = new LayoutRequest.Report(List.copyOf(servers), others);
    for (int i = 0; i < connections; i++) {
      SimTransport way = scenario.transport(world);
      world.start(
          "lies",
          () -> {
            while (true) {
              for (Endpoint server : scenario.arrangement.layoutServers()) {
                var unused = way.peer(server).send(report, LONG.toNanos());
              }
              world.pause(PAUSE.multipliedBy(5));
            }
          });
    }
  }

  @Test
  void appendsGoOnSoonAfterAllClientsWereCutOffFromAUnit() {
    Appender one = new Appender(names.get(0));
    Appender other = new Appender(names.get(1));
    scenario.pass(FELT_AT_MOST);
    cut(unit(0), one.name, other.name);

    scenario.pass(LONG);

    assertThat(one.longest()).isLessThan(FELT_AT_MOST);
    assertThat(other.longest()).isLessThan(FELT_AT_MOST);
    assertThat(scenario.newest().logUnits()).doesNotContain(unit(0)).contains(unit(3));
  }

  @Test
  void theOnlyClientIsBelieved() {
    Appender one = new Appender(names.get(0));
    scenario.pass(FELT_AT_MOST);
    cut(unit(1), one.name);

    scenario.pass(LONG);

    assertThat(one.longest()).isLessThan(FELT_AT_MOST);
    assertThat(scenario.newest().logUnits()).doesNotContain(unit(1)).contains(unit(3));
  }

  @Test
  void appendsGoOnSoonAfterAllClientsWereCutOffFromTheSequencer() {
    Appender one = new Appender(names.get(0));
    Appender other = new Appender(names.get(1));
    Endpoint sequencer = scenario.newest().sequencers().getFirst();
    scenario.pass(FELT_AT_MOST);
    cut(sequencer, one.name, other.name);

    scenario.pass(LONG);

    assertThat(one.longest()).isLessThan(FELT_AT_MOST);
    assertThat(other.longest()).isLessThan(FELT_AT_MOST);
    assertThat(scenario.newest().sequencers().getFirst()).isNotEqualTo(sequencer);
  }

  /** All its messages arrive, heartbeats included. */
  @Test
  void aSequencerThatHearsNobodyIsReplacedSoon() {
    Appender one = new Appender(names.get(0));
    scenario.pass(FELT_AT_MOST);
    Endpoint sequencer = scenario.newest().sequencers().getFirst();
    Set<String> others = new HashSet<>(scenario.cluster.names());
    others.add(one.name);
    others.remove(sequencer.host());
    scenario.simulator.network.cut(new SimNetwork.Cut(others, Set.of(sequencer.host())));

    scenario.pass(LONG);

    assertThat(one.longest()).isLessThan(FELT_AT_MOST);
    assertThat(scenario.newest().sequencers().getFirst()).isNotEqualTo(sequencer);
  }

  @Test
  void aClientWithABrokenCableMovesNoServer() {
    Appender sound = new Appender(names.get(0));
    Appender cutOff = new Appender(names.get(1));
    Epoch before = epoch();
    cut(unit(0), cutOff.name);

    scenario.pass(LONG);

    assertThat(epoch()).isEqualTo(before);
    assertThat(sound.longest()).isLessThan(FELT_AT_MOST);
  }

  @Test
  void twoClientsOfFiveMoveNoServer() {
    List<Appender> sound = names.stream().limit(3).map(Appender::new).toList();
    Epoch before = epoch();
    lies("liar1", 1, Set.of(unit(0)));
    lies("liar2", 1, Set.of(unit(0)));

    scenario.pass(LONG);

    assertThat(epoch()).isEqualTo(before);
    assertThat(sound).allSatisfy(one -> assertThat(one.longest()).isLessThan(FELT_AT_MOST));
  }

  @Test
  void aLiarMovesNoServerHoweverManyConnectionsItHas() {
    var unused = new Appender(names.get(0));
    Epoch before = epoch();
    lies("liar", 10, Set.of(unit(0)));

    scenario.pass(LONG);

    assertThat(epoch()).isEqualTo(before);
  }

  @Test
  void aLiarIsNotBelievedWhileAnotherClientPauses() {
    Appender other = new Appender(names.get(0));
    scenario.pass(FELT_AT_MOST);
    Epoch before = epoch();
    other.over = true;
    lies("liar", 1, Set.of(unit(0)));

    scenario.pass(Duration.ofSeconds(8));

    assertThat(epoch()).isEqualTo(before);
  }

  @Test
  void aUnitThatAnswersOtherRequestsIsNotTakenForUnreachable() {
    Appender one = new Appender(names.get(0));
    scenario.pass(FELT_AT_MOST);
    Epoch before = epoch();
    one.way.lose(LogUnitRequest.Write.class::isInstance);

    scenario.pass(LONG);

    assertThat(one.longest()).isGreaterThan(FELT_AT_MOST);
    assertThat(epoch()).isEqualTo(before);
  }

  /** The server comes back after 10 s, after 20 s more, and so on; no client asks it meanwhile. */
  @Test
  void aServerThatStaysCutOffComesBackMoreAndMoreRarely() {
    Appender one = new Appender(names.get(0));
    Appender other = new Appender(names.get(1));
    Epoch before = epoch();
    cut(unit(0), one.name, other.name);
    for (int i = 0; i < 6; i++) {
      scenario.pass(LONG);
    }

    assertThat(epoch().value() - before.value()).isLessThan(30);
    assertThat(one.longest()).isLessThan(FELT_AT_MOST);
    assertThat(other.longest()).isLessThan(FELT_AT_MOST);
  }

  @Test
  void theLastReplicaStaysThoughClientsDoNotReachIt() {
    Scenario single = new Scenario(1, 1, 0, 1, Supervision.DEFAULT);
    Layout before = single.newest();
    SimWorld world = single.simulator.born("liar", 0);
    Endpoint unit = single.arrangement.units().getFirst();
    var report = new LayoutRequest.Report(List.of(unit), List.copyOf(before.sequencers()));
    for (int i = 0; i < 20; i++) {
      var unused = single.transport(world).peer(unit).send(report, LONG.toNanos());
      single.pass(Duration.ofMillis(500));
    }

    assertThat(single.newest().epoch()).isEqualTo(before.epoch());
  }
}
