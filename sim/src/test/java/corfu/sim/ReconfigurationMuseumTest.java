package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Supervision;
import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutChanges;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.LogEntry;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Observers;
import corfu.sim.cluster.Operator;
import corfu.sim.cluster.ProtocolStep;
import corfu.sim.cluster.SimServer;
import corfu.sim.history.CallHistory;
import corfu.sim.world.SimNetwork;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Failures of other shared logs when servers came and went; each one step by step. */
class ReconfigurationMuseumTest {

  private static final Supervision MENDED = Supervision.DEFAULT.withTrust(Duration.ofMillis(500));

  /** CorfuDB #3875: a commit that reached only one layout server led to one epoch after another. */
  @Test
  void aDecisionThatOneLayoutServerOnlyHasLearnedIsTheDecision() {
    Scenario scenario = new Scenario(3, 2, 0, 1, MENDED);
    Operator operator = scenario.cluster.operators().getFirst();
    boolean[] died = {false};
    operator
        .crashPoint()
        .arm(
            ProtocolStep.DECIDED,
            1,
            () -> {
              operator.kill();
              died[0] = true;
            });
    Epoch before = scenario.newest().epoch();
    operator.renew();
    scenario.until("the operator dies", () -> died[0]);

    assertThat(scenario.append("x")).isEqualTo(Address.ZERO);
    assertThat(before.isBefore(scenario.newest().epoch())).isTrue();
    assertThatTheLayoutStays(scenario);
  }

  /** CorfuDB #408: two layouts at one epoch. */
  @Test
  void twoOperatorsWithDifferentWishesGetBothOneAfterTheOther() {
    Scenario scenario = new Scenario(3, 2, 0, 1, MENDED);
    Endpoint retired = scenario.arrangement.units().getLast();
    scenario.cluster.operators().get(0).wish("drain", now -> Plan.withRetiring(now, retired));
    scenario
        .cluster
        .operators()
        .get(1)
        .wish("want three replicas", now -> Plan.withWanted(now, new Wanted(3, 3)));
    scenario.until(
        "both are content", () -> scenario.cluster.operators().stream().allMatch(Operator::isIdle));
    scenario.until("the cluster is as wanted", scenario.cluster::isWhole);

    assertThat(scenario.newest().logUnits()).doesNotContain(retired);
    assertThat(scenario.newest().wanted()).isEqualTo(new Wanted(3, 3));
    assertThat(scenario.simulator.findings.all()).isEmpty();
  }

  /** CorfuDB #1585: a node was never repaired because its copy outlasted a timeout. */
  @Test
  void aCopyToASlowDiskComesToAnEnd() {
    Scenario scenario = new Scenario(2, 2, 1, 1, MENDED);
    for (int i = 0; i < 40; i++) {
      scenario.append("x" + i);
    }
    SimServer spare = scenario.server(scenario.newest().spares().getFirst());
    spare.unitDisk().slowDown(500);
    scenario.cluster.letDie(scenario.server(scenario.arrangement.units().get(1)));
    scenario.until("the spare has everything", scenario.cluster::isWhole);

    assertThat(scenario.newest().logUnits()).contains(spare.endpoint());
    LogEntry entry = scenario.client(corfu -> corfu.log().read(new Address(39)));
    assertThat(CallHistory.content(entry).payload()).isEqualTo("x39");
  }

  /**
   * The unit needed so much time to accept a new epoch that it seemed to be left sealed. So it was
   * given another epoch, without end.
   */
  @Test
  void aUnitThatTakesSecondsToKeepAnEpochIsLeftInPeace() {
    Scenario scenario = new Scenario(2, 2, 1, 1, MENDED);
    for (int i = 0; i < 40; i++) {
      scenario.append("x" + i);
    }
    SimServer spare = scenario.server(scenario.newest().spares().getFirst());
    spare.unitDisk().slowDown(2000);
    scenario.cluster.letDie(scenario.server(scenario.arrangement.units().get(1)));
    scenario.until("the spare has everything", scenario.cluster::isWhole);

    assertThatTheLayoutStays(scenario);
    assertThat(scenario.newest().logUnits()).contains(spare.endpoint());
  }

  /** All servers were sealed first, again and again, and then waited for the spare in vain. */
  @Test
  void aSpareThatIsTooSlowToBeUsedHoldsNobodyUp() {
    Scenario scenario = new Scenario(2, 2, 1, 1, MENDED);
    scenario.append("x");
    scenario.server(scenario.newest().spares().getFirst()).unitDisk().slowDown(100_000);
    scenario.cluster.letDie(scenario.server(scenario.arrangement.units().get(1)));
    scenario.until("the unit is dropped", () -> scenario.newest().logUnits().size() == 1);
    scenario.append("y");

    assertThatTheLayoutStays(scenario);
    long longest = 0;
    for (int i = 0; i < 100; i++) {
      long begun = scenario.simulator.timeline.nowNanos();
      scenario.append("z" + i);
      longest = Math.max(longest, scenario.simulator.timeline.nowNanos() - begun);
      scenario.pass(Duration.ofMillis(100));
    }
    assertThat(Duration.ofNanos(longest)).isLessThan(Duration.ofMillis(100));
  }

  /** Restate #4463: a lost node was repaired without end. */
  @Test
  void aUnitThatIsLostWithoutReplacementIsDroppedOnce() {
    Scenario scenario = new Scenario(4, 2, 0, 1, MENDED);
    scenario.append("x");
    scenario.cluster.letDie(scenario.server(scenario.arrangement.units().getLast()));
    scenario.until("the others have everything", scenario.cluster::isWhole);

    assertThatTheLayoutStays(scenario);
    assertThat(scenario.append("y")).isEqualTo(new Address(1));
  }

  /** Restate #3529: a dead sequencer was never replaced. */
  @Test
  void aSequencerThatDiesIsReplacedByTheNextOne() {
    Scenario scenario = new Scenario(3, 2, 0, 2, MENDED);
    scenario.append("x");
    Endpoint first = scenario.arrangement.sequencer();
    scenario.cluster.letDie(scenario.server(first));

    assertThat(scenario.append("y")).isEqualTo(new Address(1));
    assertThat(scenario.newest().sequencers().getFirst()).isNotEqualTo(first);
  }

  /**
   * etcd #20418: stale reads after a pause. Seed 36172: a sequencer was replaced while it was cut
   * off. It learned the new layout, got a lease for that, and returned the tail of its old epoch.
   */
  @Test
  void aSequencerThatWasReplacedNeverTellsATailAgain() {
    Scenario scenario = new Scenario(3, 2, 0, 2, MENDED);
    Endpoint first = scenario.arrangement.sequencer();
    Epoch before = scenario.newest().epoch();
    Set<String> others = new HashSet<>(scenario.cluster.serverNames());
    others.remove(first.host());
    SimNetwork.Cut out = new SimNetwork.Cut(Set.of(first.host()), others);
    SimNetwork.Cut in = new SimNetwork.Cut(others, Set.of(first.host()));
    scenario.simulator.network.cut(out);
    scenario.simulator.network.cut(in);
    scenario.until(
        "it is replaced", () -> !scenario.newest().sequencers().getFirst().equals(first));
    scenario.append("x");
    assertThat(scenario.ask(first, new SequencerRequest.AskTail(before)))
        .isInstanceOf(Failure.class); // while it still does not know the new layout
    scenario.simulator.network.mend(out);
    scenario.simulator.network.mend(in);

    for (int i = 0; i < 100; i++) {
      scenario.pass(Duration.ofMillis(20));
      assertThat(scenario.ask(first, new SequencerRequest.AskTail(before)))
          .isInstanceOf(Failure.class);
    }
  }

  /** Restate #4940: the log stalled for 16 s after the end of a partition. */
  @Test
  void theLogGoesOnSoonAfterAPartition() {
    Scenario scenario = new Scenario(3, 3, 0, 1, MENDED);
    scenario.append("x");
    Set<String> everybody = Set.copyOf(scenario.cluster.serverNames());
    List<SimNetwork.Cut> cuts =
        everybody.stream().sorted().map(one -> new SimNetwork.Cut(Set.of(one), everybody)).toList();
    cuts.forEach(scenario.simulator.network::cut);
    scenario.pass(Duration.ofSeconds(5));
    cuts.forEach(scenario.simulator.network::mend);
    long healed = scenario.simulator.timeline.nowNanos();

    scenario.append("y");

    Duration pause = Duration.ofNanos(scenario.simulator.timeline.nowNanos() - healed);
    assertThat(pause).isLessThan(Duration.ofSeconds(4));
  }

  /** A server that comes back with an empty disk votes and serves only when the layout says so. */
  @Test
  void aServerThatLostItsDisksIsFilledAgain() {
    Scenario scenario = new Scenario(3, 2, 0, 1, MENDED);
    for (int i = 0; i < 10; i++) {
      scenario.append("x" + i);
    }
    SimServer victim = scenario.server(scenario.arrangement.units().getFirst());
    Layout before = scenario.newest();
    scenario.cluster.loseDisks(victim, true, true);
    victim.start();
    scenario.until(
        "it is back",
        () ->
            scenario.cluster.isWhole()
                && !scenario
                    .newest()
                    .incarnationOf(victim.endpoint())
                    .equals(before.incarnationOf(victim.endpoint()))
                && !scenario.newest().acceptors().getFirst().equals(before.acceptors().getFirst()));

    for (int i = 0; i < 10; i++) {
      Address address = new Address(i);
      LogEntry entry = scenario.client(corfu -> corfu.log().read(address));
      assertThat(CallHistory.content(entry).payload()).isEqualTo("x" + i);
    }
  }

  /**
   * Seed 50138: an operator had looked at the cluster before a layout server lost its disk. After
   * the layout relied on the new disk, the operator made it rely on the lost one again.
   */
  @Test
  void aLayoutNeverReliesOnADiskAgainThatIsKnownToBeLost() {
    Scenario scenario = new Scenario(3, 2, 0, 1, MENDED);
    ClusterHealth old =
        scenario.run(
            world ->
                new Observers(
                        world,
                        scenario.transport(world),
                        MENDED.suspicion(),
                        Duration.ofMillis(200))
                    .ask(scenario.newest()));
    SimServer victim = scenario.server(scenario.arrangement.layoutServers().getFirst());
    Member lost = scenario.newest().acceptors().getFirst();
    scenario.cluster.loseDisks(victim, false, true);
    victim.start();
    scenario.until(
        "the layout relies on the new disk",
        () -> !scenario.newest().acceptors().getFirst().equals(lost));
    Member reliedOn = scenario.newest().acceptors().getFirst();

    Layout changed =
        scenario.reconfigure(
            reconfiguration ->
                reconfiguration.change(
                    scenario.newest(), now -> Plan.withWanted(now, new Wanted(3, 3)), old));

    assertThat(old.layoutServers()).containsEntry(lost.endpoint(), lost.incarnation());
    assertThat(changed.wanted()).isEqualTo(new Wanted(3, 3));
    assertThat(changed.acceptors()).contains(reliedOn).doesNotContain(lost);
  }

  /**
   * Seed 42102: an operator began to make a cluster, and did not learn that it had been made. It
   * could not continue once a server had died.
   */
  @Test
  void aBootstrapThatIsRepeatedFindsTheClusterThatWasMadeThoughAServerHasDied() {
    Scenario scenario = new Scenario(3, 2, 0, 1, MENDED);
    scenario.append("x");
    scenario.cluster.letDie(scenario.server(scenario.arrangement.units().getLast()));
    scenario.until("the others have everything", scenario.cluster::isWhole);

    Layout layout =
        scenario.reconfigure(
            reconfiguration -> reconfiguration.bootstrap(scenario.arrangement.layout()));

    assertThat(layout).isEqualTo(scenario.newest());
  }

  /**
   * No new layout server knows the leases that the former ones have granted. If such a lease were
   * still running, the next change would not wait for it.
   */
  @Test
  void aLeaseEndsBeforeOtherLayoutServersAreDecided() {
    Scenario scenario = new Scenario(3, 2, 0, 1, MENDED.withAgent(false));
    scenario.append("x");
    Endpoint retired = scenario.chainOf(0).getLast();
    ClusterHealth calm = ClusterHealth.calm(scenario.newest());
    scenario.reconfigure(
        reconfiguration ->
            reconfiguration.change(
                scenario.newest(), now -> Plan.withRetiring(now, retired), calm));
    scenario.pass(Duration.ofSeconds(1));
    Epoch before = scenario.newest().epoch();
    var read = new LogUnitRequest.Read(before, new AddressSet.Strided(0, 1, 1), 1 << 16);
    assertThat(scenario.newest().openSegment().units()).doesNotContain(retired);
    assertThat(scenario.ask(retired, read)).isInstanceOf(LogUnitReply.Reads.class);

    String operator = "operator";
    Set<String> others = new HashSet<>(scenario.cluster.serverNames());
    others.remove(retired.host());
    others.add(operator);
    scenario.simulator.network.cut(new SimNetwork.Cut(Set.of(retired.host()), others));
    scenario.simulator.network.cut(new SimNetwork.Cut(others, Set.of(retired.host())));
    Layout changed =
        scenario.reconfigureAs(
            operator,
            reconfiguration ->
                reconfiguration.change(
                    scenario.newest(),
                    now -> LayoutChanges.withoutLayoutServer(now, retired),
                    calm));

    assertThat(changed.layoutServers()).hasSize(2).doesNotContain(retired);
    assertThat(scenario.ask(retired, read))
        .isInstanceOfSatisfying(
            Failure.NotServing.class, no -> assertThat(no.reason()).contains("lease"));
  }

  /** The new layout servers decide the next layout, and know only their own grants. */
  @Test
  void whatFormerLayoutServersHaveGrantedLetsNobodyAnswerInTheNextEpoch() {
    Scenario scenario = new Scenario(3, 2, 0, 1, MENDED.withAgent(false));
    scenario.append("x");
    Endpoint sequencer = scenario.arrangement.sequencer();
    List<Endpoint> layoutServers = scenario.newest().layoutServers();
    assertThat(layoutServers).hasSize(3).doesNotContain(sequencer);
    Endpoint remaining = layoutServers.getLast();
    var apart = new SimNetwork.Cut(Set.of(sequencer.host()), Set.of(remaining.host()));
    scenario.simulator.network.cut(apart);
    scenario.pass(Duration.ofSeconds(1));
    var alone = new SimNetwork.Cut(Set.of(sequencer.host()), hostsOf(layoutServers));
    scenario.simulator.network.cut(alone); // so that it learns no layout, and still has its lease

    Layout first = withoutLayoutServer(scenario, scenario.newest(), layoutServers.getFirst());
    Layout changed = withoutLayoutServer(scenario, first, layoutServers.get(1));
    assertThat(changed.layoutServers()).containsExactly(remaining);
    assertThat(changed.sequencers()).first().isEqualTo(sequencer);
    var ask = new SequencerRequest.AskTail(changed.epoch());
    assertThat(scenario.ask(sequencer, ask))
        .isInstanceOfSatisfying(
            Failure.NotServing.class, no -> assertThat(no.reason()).contains("lease"));

    scenario.simulator.network.mend(apart);
    scenario.simulator.network.mend(alone);
    Reply answer = scenario.ask(sequencer, ask);
    for (int tries = 0; tries < 10 && answer instanceof Failure.NotServing; tries++) {
      scenario.pass(Duration.ofSeconds(1)); // until the remaining layout server has granted a lease
      answer = scenario.ask(sequencer, ask);
    }
    assertThat(answer).isEqualTo(new SequencerReply.Tail(1));
  }

  private static Set<String> hostsOf(List<Endpoint> servers) {
    return servers.stream().map(Endpoint::host).collect(Collectors.toSet());
  }

  private static Layout withoutLayoutServer(Scenario scenario, Layout from, Endpoint leaver) {
    return scenario.reconfigure(
        reconfiguration ->
            reconfiguration.change(
                from,
                now -> LayoutChanges.withoutLayoutServer(now, leaver),
                ClusterHealth.calm(from)));
  }

  /**
   * All servers that could still reply under the old layout are sealed, so no lease has to end
   * first.
   */
  @Test
  void theLogHardlyStandsStillWhenALayoutServerLeaves() {
    Scenario scenario = new Scenario(3, 2, 0, 1, MENDED.withAgent(false));
    scenario.append("x");
    Endpoint retired = scenario.chainOf(0).getLast(); // keeps its entries, and is no head
    Endpoint leaver = scenario.chainOf(0).getFirst();
    ClusterHealth calm = ClusterHealth.calm(scenario.newest());
    scenario.reconfigure(
        reconfiguration ->
            reconfiguration.change(
                scenario.newest(), now -> Plan.withRetiring(now, retired), calm));
    scenario.pass(Duration.ofSeconds(1));
    long begun = scenario.simulator.timeline.nowNanos();

    Layout changed =
        scenario.reconfigure(
            reconfiguration ->
                reconfiguration.change(
                    scenario.newest(),
                    now -> LayoutChanges.withoutLayoutServer(now, leaver),
                    calm));

    assertThat(changed.layoutServers()).hasSize(2).doesNotContain(leaver);
    assertThat(Duration.ofNanos(scenario.simulator.timeline.nowNanos() - begun))
        .isLessThan(Duration.ofMillis(50));
  }

  private static void assertThatTheLayoutStays(Scenario scenario) {
    scenario.pass(Duration.ofSeconds(5));
    Epoch settled = scenario.newest().epoch();
    scenario.pass(Duration.ofSeconds(20));
    assertThat(scenario.newest().epoch()).isEqualTo(settled);
  }
}
