package corfu.runtime.reconfiguration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.LastReplicaException;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import corfu.runtime.cluster.FaultyWay;
import corfu.runtime.cluster.FaultyWay.Fate;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Attempts to replace the layout of three servers, each of which has all roles. */
final class ReconfigurationAttemptTest {

  /** The timeout of requests and attempts, long enough for a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final RoleCluster cluster = RoleCluster.builder().nodes(3).replicas(2).start();
  private final Corfu client = cluster.connect();
  private final Layout now = client.layout();
  private final FaultyWay way = new FaultyWay(cluster.transport());
  private final List<Stages.Stage> stages = new ArrayList<>();
  private final List<Request> sent = new ArrayList<>();
  private final Endpoint first = now.layoutServers().getFirst();
  private final Endpoint last = now.layoutServers().getLast();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private ReconfigurationAttempt attempt(Layout layout) {
    return new ReconfigurationAttempt(
        cluster.world(),
        new Servers(way, PATIENCE),
        layout,
        Deadline.in(cluster.world(), PATIENCE),
        stages::add);
  }

  private static ClusterHealth calm(Layout layout) {
    return ClusterHealth.calm(layout);
  }

  private Layout renewed() {
    return attempt(now).to(now, calm(now), true);
  }

  /** Records the requests of attempts, and lets all arrive. */
  private void record() {
    way.plan(
        (server, request) -> {
          sent.add(request);
          return Fate.ARRIVES;
        });
  }

  private boolean isSent(Class<? extends Request> kind) {
    return sent.stream().anyMatch(kind::isInstance);
  }

  private Address append(String text) {
    return client.log().append(text.getBytes(UTF_8));
  }

  private Layout layoutOf(Endpoint server) {
    var reply =
        cluster.transport().peer(server).call(new LayoutRequest.Fetch(), PATIENCE.toNanos());
    return ((LayoutReply.Current) reply).layout();
  }

  private void assertThatEntriesAreRead(String... texts) {
    assertThatEntriesAreReadFrom(Address.ZERO, texts);
  }

  private void assertThatEntriesAreReadFrom(Address start, String... texts) {
    List<String> found = new ArrayList<>();
    for (LogEntry entry : client.log().read(start, client.log().tail())) {
      found.add(((LogEntry.Data) entry).text());
    }
    assertThat(found).containsExactly(texts);
  }

  @Test
  void withoutAChangeNoServerIsSealed() {
    record();

    assertThat(attempt(now).to(now, calm(now), false)).isEqualTo(now);

    assertThat(sent).isEmpty();
    assertThat(stages).isEmpty();
    assertThat(append("x")).isEqualTo(Address.ZERO);
  }

  @Test
  void aForcedAttemptLeadsToTheNextEpochStepByStep() {
    assertThat(append("before")).isEqualTo(Address.ZERO);

    Layout next = renewed();

    assertThat(next).isEqualTo(now.next());
    assertThat(stages).containsExactly(Stages.Stage.values());
    assertThat(next.servers()).allSatisfy(server -> assertThat(layoutOf(server)).isEqualTo(next));
    assertThat(append("after"))
        .as("the sequencer starts behind the tail")
        .isEqualTo(new Address(1));
    assertThatEntriesAreRead("before", "after");
  }

  @Test
  void aSuspectedUnitLeavesTheLayoutAndNoEntryIsLost() {
    append("a");
    append("b");
    cluster.kill("n3");

    Layout next = attempt(now).to(now, calm(now).suspectingToo(last), false);

    assertThat(next.epoch()).isEqualTo(now.epoch().next());
    assertThat(next.logUnits()).doesNotContain(last).hasSize(2);
    append("c");
    assertThatEntriesAreRead("a", "b", "c");
  }

  @Test
  void aUsableSpareTakesTheSuspectedUnitsPlaceWithoutItsOldEntries() {
    append("x");
    append("y");
    append("z");
    Address start = client.log().tail();
    client.log().prefixTrim(start);
    Layout without = attempt(now).to(now, calm(now).suspectingToo(last), false);
    Layout wished = Plan.withSpare(without, last);
    Layout withSpare = attempt(without).to(wished, calm(without), false);
    assertThat(withSpare.spares()).containsExactly(last);
    append("a");
    cluster.kill("n2");
    Endpoint second = now.layoutServers().get(1);

    Layout next =
        attempt(withSpare)
            .to(
                withSpare,
                calm(withSpare).suspectingToo(second).withUsableSpares(Set.of(last)),
                false);

    assertThat(next.openSegment().units()).contains(last).doesNotContain(second);
    assertThat(next.incarnationOf(last)).as("it was reset").isNotEqualTo(now.incarnationOf(last));
    append("b");
    assertThatEntriesAreReadFrom(start, "a", "b");
  }

  @Test
  void aWishIsPutIntoTheNextLayout() {
    Layout wished = Plan.withWanted(now, new Wanted(3, 3));

    Layout next = attempt(now).to(wished, calm(now), false);

    assertThat(next.wanted()).isEqualTo(new Wanted(3, 3));
    assertThat(next.openSegment().log())
        .allSatisfy(chain -> assertThat(chain.replicas()).hasSize(3));
    append("x");
    assertThatEntriesAreRead("x");
  }

  @Test
  void theLastReplicaOfAnEntryIsNotDropped() {
    append("x");
    ClusterHealth health = calm(now).suspectingToo(first).suspectingToo(last);

    assertThatThrownBy(() -> attempt(now).to(now, health, false))
        .isInstanceOf(LastReplicaException.class);
    assertThat(layoutOf(first)).isEqualTo(now);
  }

  @Test
  void aUnitThatIsSilentButNotSuspectedPreventsADecision() {
    cluster.kill("n3");
    record();

    assertThatThrownBy(this::renewed)
        .isInstanceOf(RetryableException.class)
        .hasMessageContaining(last.toString());

    assertThat(isSent(LayoutRequest.Accept.class)).isFalse();
    assertThat(stages).containsExactly(Stages.Stage.FOUND);
  }

  /** Decides a layout as another proposer would that died before it told any server. */
  private Layout decidedByAnother() {
    Layout rival = Plan.withWanted(now.next(), new Wanted(3, 3));
    var decision =
        new LayoutDecision(
            cluster.world(),
            new Servers(cluster.transport(), PATIENCE),
            Deadline.in(cluster.world(), PATIENCE),
            layout -> Set.of(),
            Stages.ignored());
    assertThat(decision.decide(rival, now.layoutServers()).isOurs()).isTrue();
    return rival;
  }

  @Test
  void theSequencerOfALayoutThatAnotherProposerDecidedIsNotStarted() {
    Layout rival = decidedByAnother();
    record();

    assertThatThrownBy(this::renewed).isInstanceOf(RetryableException.class);

    assertThat(isSent(SequencerRequest.Start.class)).isFalse();
    assertThat(now.servers()).allSatisfy(server -> assertThat(layoutOf(server)).isEqualTo(rival));
  }

  @Test
  void aDecisionThatNoServerWasToldIsSpread() {
    Layout rival = decidedByAnother();
    assertThat(now.servers()).allSatisfy(server -> assertThat(layoutOf(server)).isEqualTo(now));
    record();

    attempt(now).spreadDecision();

    assertThat(now.servers()).allSatisfy(server -> assertThat(layoutOf(server)).isEqualTo(rival));
    assertThat(isSent(LogUnitRequest.Seal.class)).isFalse();
    assertThat(isSent(SequencerRequest.Start.class)).isFalse();
  }

  @Test
  void aServerThatIsNotToldDoesNotPreventTheNextEpoch() {
    way.plan(
        (server, request) ->
            server.equals(last)
                    && (request instanceof LayoutRequest.Learn
                        || request instanceof LogUnitRequest.Install)
                ? Fate.IS_LOST
                : Fate.ARRIVES);

    Layout next = renewed();

    assertThat(next.epoch()).isEqualTo(new Epoch(now.epoch().value() + 1));
    assertThat(layoutOf(last)).isEqualTo(now);
    append("x"); // its client brings the layout to the server
    append("y");
    append("z");
    assertThatEntriesAreRead("x", "y", "z");
    assertThat(layoutOf(last)).isEqualTo(next);
  }
}
