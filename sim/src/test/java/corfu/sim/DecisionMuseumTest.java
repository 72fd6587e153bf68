package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.UnavailableException;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.sim.cluster.SimServer;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * Failures of other systems around decisions. Each test intercepts an operator's requests at the
 * worst moment.
 */
class DecisionMuseumTest {

  private static final long REQUEST_NANOS = 1_000_000_000L;

  private final Scenario scenario = new Scenario(3);

  /** Returns an operator's transport that lets the test intercept requests. */
  private static Transport met(
      Transport way, BiFunction<Peer, Request, Optional<CompletableFuture<Reply>>> by) {
    return new Transport() {
      @Override
      public Peer peer(Endpoint endpoint) {
        Peer peer = way.peer(endpoint);
        return new Peer() {
          @Override
          public Endpoint endpoint() {
            return endpoint;
          }

          @Override
          public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
            return by.apply(peer, request).orElseGet(() -> peer.send(request, timeoutNanos));
          }
        };
      }

      @Override
      public void close() {
        way.close();
      }
    };
  }

  private Layout renewedBy(BiFunction<Peer, Request, Optional<CompletableFuture<Reply>>> by) {
    Layout now = scenario.newest();
    return scenario.run(
        world ->
            new Reconfiguration(
                    world,
                    met(scenario.transport(world), by),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(10))
                .renew(now));
  }

  /**
   * CorfuDB #408, #3875: two layouts at one epoch. One layout server has accepted the first
   * proposer's layout. The others then promise more to a second proposer, and accept its layout.
   */
  @Test
  void whoIsOutbidInTheMiddleOfAVoteAdoptsWhatTheOthersHaveDecided() {
    Ballot higher = new Ballot(7, 7);
    List<Endpoint> others = scenario.arrangement.layoutServers().subList(1, 3);
    List<Layout> decided = new ArrayList<>();
    List<Endpoint> outbid = new ArrayList<>();

    Layout first =
        renewedBy(
            (peer, request) -> {
              if (!(request instanceof LayoutRequest.Accept accept)
                  || !others.contains(peer.endpoint())
                  || outbid.contains(peer.endpoint())) {
                return Optional.empty();
              }
              outbid.add(peer.endpoint());
              Layout second = Plan.withWanted(accept.layout(), new Wanted(3, 2));
              return Optional.of(
                  peer.send(new LayoutRequest.Prepare(accept.epoch(), higher), REQUEST_NANOS)
                      .thenCompose(
                          promised -> {
                            assertThat(promised).isInstanceOf(LayoutReply.Promised.class);
                            return peer.send(
                                new LayoutRequest.Accept(higher, second), REQUEST_NANOS);
                          })
                      .thenCompose(
                          accepted -> {
                            assertThat(accepted).isEqualTo(LayoutReply.AcceptedNow.ACCEPTED);
                            decided.add(second);
                            return peer.send(accept, REQUEST_NANOS);
                          }));
            });

    assertThat(decided).hasSize(2);
    Layout second = decided.getFirst();
    assertThat(decided.getLast()).isEqualTo(second);
    assertThat(first.wanted()).isEqualTo(second.wanted());
    for (Endpoint server : scenario.arrangement.layoutServers()) {
      Reply told = scenario.ask(server, new LayoutRequest.Fetch());
      assertThat(((LayoutReply.Current) told).layout().wanted())
          .as("what %s has learned", server)
          .isEqualTo(second.wanted());
    }
    assertThat(scenario.simulator.findings.all()).isEmpty();
  }

  /** CorfuDB #1363: the first token after a failover was wrong. */
  @Test
  void aStartThatArrivesTwiceIssuesNoTokenAgain() {
    List<SequencerRequest.Start> starts = new ArrayList<>();
    Layout serving =
        renewedBy(
            (peer, request) -> {
              if (request instanceof SequencerRequest.Start start) {
                starts.add(start);
              }
              return Optional.empty();
            });
    assertThat(scenario.append("x")).isEqualTo(Address.ZERO);
    assertThat(scenario.append("y")).isEqualTo(new Address(1));
    Endpoint sequencer = serving.sequencers().getFirst();

    Reply again = scenario.ask(sequencer, starts.getLast());

    assertThat(again).isEqualTo(Reply.Done.DONE);
    Epoch epoch = serving.epoch();
    assertThat(scenario.ask(sequencer, new SequencerRequest.Next(epoch, 1)))
        .isEqualTo(new SequencerReply.Tokens(2, 1));
    assertThat(scenario.simulator.findings.all()).isEmpty();
  }

  /** CorfuDB #1135, #1466, #2409: endless reconnects without a deadline. */
  @Test
  void aCallEndsByItsDeadlineThoughNobodyAnswers() {
    scenario.append("x");
    long[] begun = {0};

    assertThatThrownBy(
            () ->
                scenario.client(
                    corfu -> {
                      var known = corfu.log().read(Address.ZERO);
                      scenario.cluster.servers().forEach(SimServer::kill);
                      begun[0] = scenario.simulator.timeline.nowNanos();
                      return List.of(known, corfu.log().read(Address.ZERO));
                    }))
        .hasCauseInstanceOf(UnavailableException.class);

    long took = scenario.simulator.timeline.nowNanos() - begun[0];
    assertThat(Duration.ofNanos(took)).isLessThan(Duration.ofSeconds(12));
  }
}
