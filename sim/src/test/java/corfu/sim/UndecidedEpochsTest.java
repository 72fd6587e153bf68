package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Supervision;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.sim.cluster.SimServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Well-formed requests of epochs that were never decided. */
class UndecidedEpochsTest {

  private static final Epoch FAR = new Epoch(1L << 62);
  private static final Supervision MENDED = Supervision.DEFAULT.withTrust(Duration.ofMillis(500));

  private final Scenario scenario = new Scenario(3, 2, 1, 1, MENDED);
  private final Endpoint unit = scenario.arrangement.units().getFirst();
  private final Endpoint sequencer = scenario.arrangement.layout().sequencers().getFirst();
  private final Epoch before = scenario.newest().epoch();

  private Epoch later(long epochs) {
    return new Epoch(before.value() + epochs);
  }

  /** Checks that the log continues, with no more than this many new epochs in a minute. */
  private void assertThatTheLogGoesOnAfter(long epochs) {
    scenario.append("x");
    scenario.pass(Duration.ofSeconds(30));
    scenario.append("y");
    scenario.until("the cluster is whole", scenario.cluster::isWhole);
    assertThat(scenario.newest().epoch().value()).isLessThanOrEqualTo(before.value() + epochs);
    assertThat(scenario.newest().logUnits()).contains(unit);
    assertThat(scenario.simulator.findings.all()).isEmpty();
  }

  @Test
  void ofOneThatIsFarAwayAreRefusedByEveryRole() {
    Ballot ballot = new Ballot(1, 4711);
    List<Request> hostile =
        List.of(
            new LogUnitRequest.Seal(FAR),
            new LayoutRequest.Prepare(FAR, ballot),
            new SequencerRequest.Seal(FAR));
    for (Request request : hostile) {
      Endpoint server = request instanceof SequencerRequest ? sequencer : unit;
      assertThat(scenario.ask(server, request)).isInstanceOf(Failure.NotServing.class);
    }
    assertThatTheLogGoesOnAfter(0);
  }

  @Test
  void aSealOfALogUnitIsTakenBack() {
    assertThat(scenario.ask(unit, new LogUnitRequest.Seal(later(1_000))))
        .isInstanceOf(LogUnitReply.SealedAt.class);
    assertThatTheLogGoesOnAfter(2);
  }

  @Test
  void aSealOfALogUnitIsTakenBackAfterARestartToo() {
    scenario.ask(unit, new LogUnitRequest.Seal(later(1_000)));
    SimServer server = scenario.server(unit);
    server.kill();
    server.start();
    assertThatTheLogGoesOnAfter(4);
    server.kill();
    server.start();
    assertThatTheLogGoesOnAfter(8);
  }

  @Test
  void aSealOfEveryLogUnitIsTakenBack() {
    for (Endpoint each : scenario.arrangement.units()) {
      scenario.ask(each, new LogUnitRequest.Seal(later(1_000)));
    }
    assertThatTheLogGoesOnAfter(2);
  }

  /** The unit can be reset only in the next epoch, which nothing else would start. */
  @Test
  void aSpareThatHoldsSomethingIsUsedAfterItsSealIsTakenBack() {
    Scenario noSpare = new Scenario(3, 2, 0, 1, MENDED);
    for (int i = 0; i < 8; i++) {
      noSpare.append("x" + i);
    }
    SimServer server = noSpare.server(unit);
    server.kill();
    noSpare.until("it has left", () -> !noSpare.newest().logUnits().contains(unit));
    server.start();
    noSpare.pass(Duration.ofMillis(100));
    Epoch far = new Epoch(noSpare.newest().epoch().value() + 1_000);
    assertThat(noSpare.ask(unit, new LogUnitRequest.Seal(far)))
        .isInstanceOf(LogUnitReply.SealedAt.class);

    noSpare.until("it is used again", () -> noSpare.newest().logUnits().contains(unit));
    noSpare.until("the cluster is whole", noSpare.cluster::isWhole);
    assertThat(noSpare.newest().epoch().isBefore(far)).isTrue();
    assertThat(noSpare.simulator.findings.all()).isEmpty();
  }

  @Test
  void aSealOfTheSequencerIsTakenBack() {
    assertThat(scenario.ask(sequencer, new SequencerRequest.Seal(later(1_000))))
        .isInstanceOf(SequencerReply.SealedAt.class);
    assertThatTheLogGoesOnAfter(2);
  }

  @Test
  void aStartOfTheSequencerIsTakenBack() {
    var sealed =
        (SequencerReply.SealedAt) scenario.ask(sequencer, new SequencerRequest.Seal(before));
    scenario.ask(sequencer, new SequencerRequest.Start(later(7), 1L << 40, sealed.incarnation()));
    assertThatTheLogGoesOnAfter(3);
    assertThat(scenario.append("z").value()).isLessThan(1_000);
  }
}
