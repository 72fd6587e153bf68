package corfu.runtime.reconfiguration;

import static corfu.runtime.internal.ScriptedServers.HEAD;
import static corfu.runtime.internal.ScriptedServers.SEQUENCER;
import static corfu.runtime.internal.ScriptedServers.TAIL;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.Health.State;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.internal.ScriptedServers;
import corfu.runtime.internal.rpc.Servers;
import corfu.transport.NoReplyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A layout of one sequencer and two log units. All of them serve unless a test says otherwise. */
final class ServiceProbeTest {

  private static final LogUnitReply.Tail TAIL_OF_UNIT = new LogUnitReply.Tail(0, 0);

  private final ScriptedServers servers = new ScriptedServers();
  private final Layout layout = servers.layout();
  private final Epoch epoch = layout.epoch();
  private final Epoch before = Epoch.FIRST;
  private final Map<Endpoint, ClusterHealth.Verdict> verdicts = new LinkedHashMap<>();
  private final List<Endpoint> asked = new ArrayList<>();

  @BeforeEach
  void serve() {
    answers(SEQUENCER, State.ABSENT, State.SERVING, epoch);
    observed(SEQUENCER, State.ABSENT, State.SERVING);
    for (Endpoint unit : List.of(HEAD, TAIL)) {
      answers(unit, State.SERVING, State.ABSENT, epoch);
      observed(unit, State.SERVING, State.ABSENT);
    }
  }

  @AfterEach
  void close() {
    servers.close();
  }

  private static Health health(State unit, State sequencer) {
    return new Health(unit, sequencer, State.ABSENT, Incarnation.NONE, Incarnation.NONE, "");
  }

  private void answers(Endpoint server, State unit, State sequencer, Epoch newest) {
    answers(server, unit, sequencer, newest, TAIL_OF_UNIT);
  }

  /**
   * Makes a server report its own state.
   *
   * @param toEpoch the reply of its log unit to a request of the layout's epoch
   */
  private void answers(Endpoint server, State unit, State sequencer, Epoch newest, Reply toEpoch) {
    var status =
        new NodeReply.Status(
            server.host(),
            Optional.of(layout.clusterId()),
            newest,
            List.of(),
            health(unit, sequencer),
            List.of());
    servers.script(
        server,
        request -> {
          asked.add(server);
          return switch (request) {
            case NodeRequest.AskStatus ask -> Optional.of(status);
            case LogUnitRequest.AskTail ask when ask.epoch().equals(epoch) -> Optional.of(toEpoch);
            default -> throw new AssertionError(server + " was asked " + request);
          };
        });
  }

  private void silent(Endpoint server) {
    servers.script(
        server,
        request -> {
          throw new NoReplyException(server, "silenced");
        });
  }

  private void observed(Endpoint server, State unit, State sequencer) {
    verdicts.put(
        server, new ClusterHealth.Verdict(false, false, 0, 60_000, health(unit, sequencer)));
  }

  private void suspected(Endpoint server, State unit, State sequencer) {
    verdicts.put(
        server, new ClusterHealth.Verdict(true, false, 0, 60_000, health(unit, sequencer)));
  }

  private ServiceProbe probe(Layout probed) {
    return new ServiceProbe(
        new Servers(servers, Duration.ofSeconds(1)), probed, servers.deadline());
  }

  private boolean isComplete() {
    return probe(layout).isComplete();
  }

  private boolean isLeftHalfDone() {
    return probe(layout)
        .isLeftHalfDone(
            new ClusterHealth(layout, true, verdicts, Set.of(), Map.of(), Optional.empty()));
  }

  @Test
  void aLayoutWhoseServersServeIsComplete() {
    assertThat(isComplete()).isTrue();
  }

  @Test
  void theFirstEpochIsNeverCompleteBecauseItOnlyLetsServersJoin() {
    Layout first =
        Layout.initial(
            layout.clusterId(), List.of(SEQUENCER), List.of(SEQUENCER), List.of(HEAD, TAIL), 2);
    answers(SEQUENCER, State.ABSENT, State.SERVING, first.epoch());

    assertThat(probe(first).isComplete()).isFalse();
    assertThat(asked).isEmpty();
  }

  @Test
  void aLayoutWhoseSequencerWasNotStartedIsIncomplete() {
    answers(SEQUENCER, State.ABSENT, State.IDLE, epoch);

    assertThat(isComplete()).isFalse();
  }

  @Test
  void aLayoutWhoseSequencerServesAnotherEpochIsIncomplete() {
    answers(SEQUENCER, State.ABSENT, State.SERVING, before);

    assertThat(isComplete()).isFalse();
  }

  @Test
  void aLayoutWhoseSequencerIsSilentIsIncomplete() {
    silent(SEQUENCER);

    assertThat(isComplete()).isFalse();
  }

  @Test
  void aLayoutOneOfWhoseUnitsIsSealedInItIsIncomplete() {
    answers(TAIL, State.SEALED, State.ABSENT, epoch, new Failure.Sealed(epoch));

    assertThat(isComplete()).isFalse();
  }

  /** Another epoch would only prevent the unit from installing this one. */
  @Test
  void aUnitThatIsSealedInAFormerEpochWillSoonServe() {
    answers(TAIL, State.SEALED, State.ABSENT, before, new Failure.Behind(before));

    assertThat(isComplete()).isTrue();
  }

  @Test
  void aSilentUnitSaysNothingAboutTheLayout() {
    silent(HEAD);

    assertThat(isComplete()).isTrue();
  }

  @Test
  void servicesThatWereObservedToRunAreNotAskedAgain() {
    assertThat(isLeftHalfDone()).isFalse();
    assertThat(asked).isEmpty();
  }

  @Test
  void aSequencerThatWasNotStartedIsLeftHalfDone() {
    observed(SEQUENCER, State.ABSENT, State.IDLE);
    answers(SEQUENCER, State.ABSENT, State.IDLE, epoch);

    assertThat(isLeftHalfDone()).isTrue();
  }

  @Test
  void aSequencerThatServesByNowIsNotLeftHalfDone() {
    observed(SEQUENCER, State.ABSENT, State.IDLE);

    assertThat(isLeftHalfDone()).isFalse();
    assertThat(asked).containsExactly(SEQUENCER);
  }

  @Test
  void aSuspectedSequencerIsReplacedRatherThanStarted() {
    suspected(SEQUENCER, State.ABSENT, State.IDLE);
    answers(SEQUENCER, State.ABSENT, State.IDLE, epoch);

    assertThat(isLeftHalfDone()).isFalse();
    assertThat(asked).isEmpty();
  }

  @Test
  void aUnitThatIsSealedInTheLayoutsEpochIsLeftHalfDone() {
    observed(HEAD, State.SEALED, State.ABSENT);
    answers(HEAD, State.SEALED, State.ABSENT, epoch, new Failure.Sealed(epoch));

    assertThat(isLeftHalfDone()).isTrue();
  }

  @Test
  void aUnitThatServesByNowIsNotLeftHalfDone() {
    observed(HEAD, State.SEALED, State.ABSENT);

    assertThat(isLeftHalfDone()).isFalse();
    assertThat(asked).containsExactly(HEAD);
  }

  @Test
  void aSuspectedUnitThatIsSealedIsDroppedRatherThanOpened() {
    suspected(HEAD, State.SEALED, State.ABSENT);
    answers(HEAD, State.SEALED, State.ABSENT, epoch, new Failure.Sealed(epoch));

    assertThat(isLeftHalfDone()).isFalse();
    assertThat(asked).isEmpty();
  }
}
