package corfu.runtime.reconfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.roles.layout.LayoutServer;
import corfu.roles.layout.LeaseTerms;
import corfu.runtime.Deadline;
import corfu.runtime.internal.ScriptedServers;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.transport.NoReplyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One proposer and three layout servers, which answer at once unless a test intercepts them. */
final class LayoutDecisionTest {

  private static final Endpoint A = new Endpoint("a", 1);
  private static final Endpoint B = new Endpoint("b", 2);
  private static final Endpoint C = new Endpoint("c", 3);
  private static final List<Endpoint> ALL = List.of(A, B, C);
  private static final Endpoint UNIT = new Endpoint("unit", 4);
  private static final Endpoint OTHER_UNIT = new Endpoint("other-unit", 5);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final long LEASE_MILLIS = 400;

  /** The time for which a lease may be in use, with the allowance for other clocks. */
  private static final long LEASE_RUNS_MILLIS = 500;

  /** Lower than every ballot of the tested proposer in the same round. */
  private static final long LOW_PROPOSER = 1;

  private static final Ballot HIGHER = new Ballot(7, 7);

  private final PausingWorld world = new PausingWorld();
  private final ScriptedServers transport = new ScriptedServers();
  private final Map<Endpoint, LayoutServer> layoutServers = new LinkedHashMap<>();
  private final List<Stages.Stage> stages = new ArrayList<>();
  private final List<LayoutRequest> sent = new ArrayList<>();
  private Layout first = Layout.initial(new ClusterId(new UUID(1, 2)), List.of(A), ALL, units(), 1);

  private static List<Endpoint> units() {
    return List.of(UNIT, OTHER_UNIT);
  }

  @BeforeEach
  void start() {
    Map<Endpoint, Incarnation> lives = new LinkedHashMap<>();
    for (Endpoint server : ALL) {
      LayoutServer role = LayoutServer.inMemory(LeaseTerms.of(LEASE_MILLIS), world);
      layoutServers.put(server, role);
      lives.put(server, role.incarnation());
      intercept(server, request -> Optional.empty());
    }
    first = first.withIncarnations(lives, Map.of());
    // A layout server that has just started may have granted leases before.
    world.pause(Duration.ofMillis(LEASE_RUNS_MILLIS));
    world.pauses().clear();
  }

  @AfterEach
  void close() {
    transport.close();
  }

  /** Answers requests in the place of a layout server, which answers the others itself. */
  private void intercept(Endpoint server, Function<LayoutRequest, Optional<Reply>> script) {
    transport.script(
        server,
        request -> {
          LayoutRequest toLayoutServer = (LayoutRequest) request;
          sent.add(toLayoutServer);
          return script.apply(toLayoutServer).or(() -> Optional.of(ask(server, toLayoutServer)));
        });
  }

  private void silence(Endpoint server) {
    intercept(
        server,
        request -> {
          throw new NoReplyException(server, "silenced");
        });
  }

  private Reply ask(Endpoint server, LayoutRequest request) {
    AtomicReference<Reply> answer = new AtomicReference<>();
    layoutServers.get(server).handle(request, answer::set);
    return answer.get();
  }

  /** Tells all layout servers the first layout, so that they vote on the second one. */
  private Layout secondEpoch() {
    ALL.forEach(server -> ask(server, new LayoutRequest.Learn(first)));
    return first.next();
  }

  private static Layout differing(Layout layout) {
    return Plan.withWanted(layout, new Wanted(2, 2));
  }

  /** Lets another proposer have its layout accepted by one layout server. */
  private void accepted(Endpoint server, Ballot ballot, Layout layout) {
    ask(server, new LayoutRequest.Prepare(layout.epoch(), ballot));
    assertThat(ask(server, new LayoutRequest.Accept(ballot, layout)))
        .isEqualTo(LayoutReply.AcceptedNow.ACCEPTED);
  }

  private Optional<Layout> acceptedBy(Endpoint server, Epoch epoch) {
    var ballot = new Ballot(1 << 20, 1);
    return ask(server, new LayoutRequest.Prepare(epoch, ballot))
            instanceof LayoutReply.Promised promised
        ? promised.accepted().map(LayoutReply.Accepted::layout)
        : Optional.empty();
  }

  private LayoutDecision.Decided decide(Layout proposal) {
    return decide(proposal, Set.of());
  }

  private LayoutDecision.Decided decide(Layout proposal, Set<Endpoint> notSealed) {
    return new LayoutDecision(
            world,
            new Servers(transport, TIMEOUT),
            Deadline.in(world, TIMEOUT),
            layout -> notSealed,
            stages::add)
        .decide(proposal, ALL);
  }

  private List<LayoutRequest> sent(Class<? extends Request> kind) {
    return sent.stream().filter(kind::isInstance).toList();
  }

  private List<Long> rounds() {
    return sent(LayoutRequest.Prepare.class).stream()
        .map(request -> ((LayoutRequest.Prepare) request).ballot().round())
        .distinct()
        .toList();
  }

  @Test
  void aProposalWithoutARivalIsAcceptedByAllInOneRound() {
    Layout proposal = secondEpoch();

    assertThat(decide(proposal)).isEqualTo(new LayoutDecision.Decided(proposal, true));
    assertThat(ALL)
        .allSatisfy(server -> assertThat(acceptedBy(server, proposal.epoch())).contains(proposal));
    assertThat(stages).containsExactly(Stages.Stage.PREPARED, Stages.Stage.DECIDED);
    assertThat(rounds()).containsExactly(1L);
    assertThat(world.pauses()).isEmpty();
  }

  @Test
  void aLayoutThatOneServerHasAcceptedIsDecidedInsteadOfTheProposal() {
    Layout proposal = secondEpoch();
    Layout rival = differing(proposal);
    accepted(C, new Ballot(1, LOW_PROPOSER), rival);

    assertThat(decide(proposal)).isEqualTo(new LayoutDecision.Decided(rival, false));
    assertThat(ALL)
        .allSatisfy(server -> assertThat(acceptedBy(server, proposal.epoch())).contains(rival));
  }

  @Test
  void anEqualProposalOfAnotherProposerIsNotOurs() {
    Layout proposal = secondEpoch();
    accepted(C, new Ballot(1, LOW_PROPOSER), proposal);

    assertThat(decide(proposal)).isEqualTo(new LayoutDecision.Decided(proposal, false));
  }

  @Test
  void ofTwoAcceptedLayoutsTheOneWithTheHigherBallotIsDecided() {
    Layout proposal = secondEpoch();
    Layout higher = differing(proposal);
    Layout lower = Plan.withSpare(proposal, C);
    accepted(A, new Ballot(1, LOW_PROPOSER), lower);
    accepted(B, new Ballot(1, LOW_PROPOSER + 1), higher);

    assertThat(decide(proposal)).isEqualTo(new LayoutDecision.Decided(higher, false));
  }

  @Test
  void aProposerThatIsOutbidTriesTheRoundAboveTheHigherBallot() {
    Layout proposal = secondEpoch();
    ask(B, new LayoutRequest.Prepare(proposal.epoch(), HIGHER));
    ask(C, new LayoutRequest.Prepare(proposal.epoch(), HIGHER));

    assertThat(decide(proposal)).isEqualTo(new LayoutDecision.Decided(proposal, true));
    assertThat(rounds()).containsExactly(1L, HIGHER.round() + 1);
    assertThat(world.pauses()).as("so that two proposers do not outbid each other").hasSize(1);
  }

  /** Two servers promise more to another proposer after their promises to this one. */
  @Test
  void aLayoutThatTheProposerHadAcceptedInAnEarlierRoundIsStillItsOwn() {
    Layout proposal = secondEpoch();
    for (Endpoint server : List.of(B, C)) {
      intercept(
          server,
          request -> {
            if (request instanceof LayoutRequest.Accept && rounds().size() == 1) {
              ask(server, new LayoutRequest.Prepare(proposal.epoch(), HIGHER));
            }
            return Optional.empty();
          });
    }

    assertThat(decide(proposal)).isEqualTo(new LayoutDecision.Decided(proposal, true));
    assertThat(rounds()).containsExactly(1L, HIGHER.round() + 1);
    assertThat(stages)
        .containsExactly(Stages.Stage.PREPARED, Stages.Stage.PREPARED, Stages.Stage.DECIDED);
  }

  @Test
  void oneServerIsEnoughToTellThatTheEpochIsOver() {
    Layout proposal = secondEpoch();
    Layout newer = differing(proposal).next();
    ask(B, new LayoutRequest.Learn(newer));
    silence(A);
    silence(C);

    assertThat(decide(proposal)).isEqualTo(new LayoutDecision.Decided(newer, false));
    assertThat(sent(LayoutRequest.Accept.class)).isEmpty();
    assertThat(stages).isEmpty();
  }

  @Test
  void aMajorityDecidesALaterEpoch() {
    Layout proposal = secondEpoch();
    silence(B);

    assertThat(decide(proposal)).isEqualTo(new LayoutDecision.Decided(proposal, true));
  }

  @Test
  void oneOfThreeDecidesNothing() {
    Layout proposal = secondEpoch();
    silence(B);
    silence(C);

    assertThatThrownBy(() -> decide(proposal))
        .isInstanceOf(RetryableException.class)
        .hasMessageContaining("2 of the layout servers")
        .hasMessageContaining("silenced");
    assertThat(sent(LayoutRequest.Accept.class)).isEmpty();
  }

  @Test
  void allMustDecideTheFirstEpoch() {
    silence(C);

    assertThatThrownBy(() -> decide(first))
        .isInstanceOf(RetryableException.class)
        .hasMessageContaining("3 of the layout servers");
    assertThat(sent(LayoutRequest.Accept.class)).isEmpty();

    intercept(C, request -> Optional.empty());
    assertThat(decide(first)).isEqualTo(new LayoutDecision.Decided(first, true));
  }

  @Test
  void aProposerThatIsAlwaysOutbidEndsByItsDeadline() {
    Layout proposal = secondEpoch();
    for (Endpoint server : ALL) {
      intercept(
          server,
          request ->
              request instanceof LayoutRequest.Prepare(Epoch epoch, Ballot ballot)
                  ? Optional.of(new LayoutReply.Outbid(new Ballot(ballot.round() + 1, 7)))
                  : Optional.empty());
    }
    long begin = world.nanoTime();

    assertThatThrownBy(() -> decide(proposal))
        .isInstanceOf(RetryableException.class)
        .hasMessageContaining("epoch 2")
        .hasMessageContaining("outbidding");
    assertThat(Duration.ofNanos(world.nanoTime() - begin))
        .isBetween(TIMEOUT, TIMEOUT.plusSeconds(1));
  }

  private void leased(Endpoint grantor, Endpoint server) {
    var renew = new LayoutRequest.Renew(first.epoch(), server, Health.UNKNOWN);
    assertThat(ask(grantor, renew)).isEqualTo(new LayoutReply.Granted(LEASE_MILLIS));
  }

  /** A lease needs a majority. So the lease that only one server still grants is over. */
  @Test
  void aDecisionWaitsUntilNoMajorityGrantsAServerThatIsNotSealedALease() {
    Layout proposal = secondEpoch();
    leased(A, UNIT);
    long granted = world.nanoTime();
    world.pause(Duration.ofMillis(200));
    leased(B, UNIT);
    world.pauses().clear();
    List<Long> accepts = new ArrayList<>();
    intercept(
        C,
        request -> {
          if (request instanceof LayoutRequest.Accept) {
            accepts.add(Duration.ofNanos(world.nanoTime() - granted).toMillis());
          }
          return Optional.empty();
        });

    assertThat(decide(proposal, Set.of(UNIT)).isOurs()).isTrue();

    long remaining = LEASE_RUNS_MILLIS - 200; // of the lease of A, at the time of its promise
    assertThat(accepts)
        .singleElement()
        .satisfies(
            at ->
                assertThat(at)
                    .as("clocks differ by up to a quarter")
                    .isGreaterThanOrEqualTo(200 + remaining * 5 / 4)
                    .as("before the end of the lease of B")
                    .isLessThan(200 + LEASE_RUNS_MILLIS));
  }

  @Test
  void noDecisionWaitsForTheLeaseOfASealedServer() {
    Layout proposal = secondEpoch();
    ALL.forEach(grantor -> leased(grantor, UNIT));

    assertThat(decide(proposal, Set.of(OTHER_UNIT)).isOurs()).isTrue();

    assertThat(world.pauses()).isEmpty();
  }
}
