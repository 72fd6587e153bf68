package corfu.runtime.reconfiguration;

import static corfu.runtime.internal.ScriptedServers.HEAD;
import static corfu.runtime.internal.ScriptedServers.SEQUENCER;
import static corfu.runtime.internal.ScriptedServers.TAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.Seal.Extent;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.internal.ScriptedServers;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The facts that a reconfigurer learns from seals. */
final class SealingTest {

  private final ScriptedServers servers = new ScriptedServers();
  private final Sealing sealing =
      new Sealing(
          new Servers(servers, Duration.ofSeconds(1)), servers.layout(), servers.deadline());

  @AfterEach
  void close() {
    servers.close();
  }

  private void sealed(Endpoint unit, long next, long trimmedBefore, Incarnation incarnation) {
    servers.script(
        unit,
        request ->
            request instanceof LogUnitRequest.Seal
                ? Optional.of(new LogUnitReply.SealedAt(next, trimmedBefore, incarnation))
                : Optional.empty());
  }

  private void sealed(Endpoint unit, long next, long trimmedBefore) {
    sealed(unit, next, trimmedBefore, servers.layout().incarnationOf(unit));
  }

  @Test
  void theTailIsTheHighestThatASealedServerTells() {
    sealed(HEAD, 7, 3);
    sealed(TAIL, 5, 4);
    servers.script(
        SEQUENCER,
        request ->
            request instanceof SequencerRequest.Seal
                ? Optional.of(new SequencerReply.SealedAt(9, 1))
                : Optional.empty());
    sealing.sealUnits(Map.of(HEAD, Extent.ALL_BUT_READS, TAIL, Extent.EVERYTHING));
    assertThat(sealing.tail()).isEqualTo(7);
    assertThat(sealing.trimmedBefore()).isEqualTo(4);

    sealing.sealSequencer(SEQUENCER);

    assertThat(sealing.tail()).isEqualTo(9);
    assertThat(sealing.incarnationOf(SEQUENCER)).contains(1L);
  }

  @Test
  void aUnitThatStillAnswersReadsIsSealedButNotClosed() {
    sealed(HEAD, 0, 0);
    sealed(TAIL, 0, 0);

    sealing.sealUnits(Map.of(HEAD, Extent.ALL_BUT_READS, TAIL, Extent.EVERYTHING));

    assertThat(sealing.isUnitSealed(HEAD)).isTrue();
    assertThat(sealing.isUnitClosed(HEAD)).isFalse();
    assertThat(sealing.isUnitClosed(TAIL)).isTrue();
  }

  @Test
  void aUnitOfAnotherIncarnationIsLostAndTellsNoTail() {
    sealed(HEAD, 100, 0, new Incarnation(4711));

    sealing.sealUnits(Map.of(HEAD, Extent.EVERYTHING));

    assertThat(sealing.lost()).containsExactly(HEAD);
    assertThat(sealing.isUnitSealed(HEAD)).isFalse();
    assertThat(sealing.isTailKnown()).isFalse();
  }

  @Test
  void aUnitThatRefusesTheSealEndsTheTry() {
    servers.script(HEAD, request -> Optional.of(new Failure.Broken("the disk is gone")));

    assertThatThrownBy(() -> sealing.sealUnits(Map.of(HEAD, Extent.EVERYTHING)))
        .isInstanceOf(RetryableException.class);
  }
}
