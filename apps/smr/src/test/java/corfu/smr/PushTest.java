package corfu.smr;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Endpoint;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replicas that follow by push. None of them polls: its interval is an hour. */
class PushTest {

  private static final SmrOptions PUSHED =
      SmrOptions.DEFAULT.withCheckpointEvery(0).withFollow(Follow.push(Duration.ofHours(1)));

  private final EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private StateMachineReplica<Ledger> open(Corfu corfu) {
    return StateMachineReplica.open(corfu, "ledger", Ledger::new, PUSHED);
  }

  private static void submit(StateMachineReplica<Ledger> to, String line) {
    var unused = to.submit(line.getBytes(UTF_8));
  }

  @Test
  void entriesOfOthersArriveWithoutAQuestionToTheSequencer() {
    HeldQuestions way = new HeldQuestions(cluster.transport());
    try (Corfu corfu = Corfu.connect(cluster.clientOptions(), cluster.world(), way);
        StateMachineReplica<Ledger> one = open(cluster.connect());
        StateMachineReplica<Ledger> idle = open(corfu)) {
      submit(one, "a");
      eventually(() -> assertThat(idle.readPlayed(Ledger::lines)).containsExactly("a"));
      eventually(() -> assertThat(way.isListening).isTrue());

      way.isHeld.set(true);
      submit(one, "b");
      submit(one, "c");

      eventually(() -> assertThat(idle.readPlayed(Ledger::lines)).containsExactly("a", "b", "c"));
      way.letThrough.complete(null);
    }
  }

  @Test
  void replicasThatSubmitAndReceivePushesAgree() {
    try (StateMachineReplica<Ledger> one = open(cluster.connect());
        StateMachineReplica<Ledger> other = open(cluster.connect())) {
      for (int i = 1; i <= 200; i++) {
        submit(one, "one " + i);
        submit(other, "other " + i);
      }

      assertThat(one.read(Ledger::lines)).hasSize(400).doesNotHaveDuplicates();
      assertThat(other.read(Ledger::lines)).isEqualTo(one.read(Ledger::lines));
    }
  }

  @Test
  void pushesComeAgainWhenAServerHasDied() {
    try (StateMachineReplica<Ledger> one = open(cluster.connect());
        StateMachineReplica<Ledger> idle = open(cluster.connect())) {
      submit(one, "a");
      eventually(() -> assertThat(idle.readPlayed(Ledger::lines)).containsExactly("a"));

      cluster.kill("n2");
      submit(one, "b");

      eventually(() -> assertThat(idle.readPlayed(Ledger::lines)).containsExactly("a", "b"));
    }
  }

  @Test
  void anIdleReplicaCatchesUpWithMoreEntriesThanMayWait() {
    try (StateMachineReplica<Ledger> one = open(cluster.connect());
        StateMachineReplica<Ledger> idle = open(cluster.connect())) {
      for (int i = 0; i < 2000; i++) {
        var unused = one.submitAsync(ByteBuffer.wrap(("line " + i).getBytes(UTF_8)));
      }

      eventually(() -> assertThat(idle.readPlayed(Ledger::lines)).hasSize(2000));
      assertThat(idle.readPlayed(Ledger::lines)).isEqualTo(one.read(Ledger::lines));
    }
  }

  /** Another transport, on which questions to sequencers wait once they are held. */
  private static final class HeldQuestions implements Transport {
    private final Transport way;
    final AtomicBoolean isHeld = new AtomicBoolean();
    final AtomicBoolean isListening = new AtomicBoolean();
    final CompletableFuture<Void> letThrough = new CompletableFuture<>();

    HeldQuestions(Transport way) {
      this.way = way;
    }

    @Override
    public Peer peer(Endpoint server) {
      Peer peer = way.peer(server);
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return server;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long nanos) {
          if (request instanceof LogUnitRequest.Listen) {
            isListening.set(true);
          }
          return request instanceof SequencerRequest && isHeld.get()
              ? letThrough.thenCompose(now -> peer.send(request, nanos))
              : peer.send(request, nanos);
        }
      };
    }

    @Override
    public void close() {}
  }
}
