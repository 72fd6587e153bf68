package corfu.smr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Endpoint;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.stream.Streams;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Own entries of a replica that lie behind entries of other clients, which it has to read. */
class OwnEntryBehindOthersTest {

  /** Longer than any test lasts. */
  private static final Duration FOR_EVER = Duration.ofHours(1);

  private static final SmrOptions WITHOUT_LOOKS =
      SmrOptions.DEFAULT.withCheckpointEvery(0).withFollowEvery(FOR_EVER);

  private final EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static StateMachineReplica<Ledger> open(Corfu corfu) {
    return StateMachineReplica.open(corfu, "ledger", Ledger::new, WITHOUT_LOOKS);
  }

  private static void submit(StateMachineReplica<Ledger> to, String line) {
    var unused = to.submit(line.getBytes(UTF_8));
  }

  @Test
  void aNewerEntryInFlightDelaysNoReply() {
    CorfuOptions options = cluster.clientOptions().withHoleTimeout(FOR_EVER);
    var own = new WriteGate(cluster.transport());
    var newer = new WriteGate(cluster.transport());
    try (Corfu ownClient = Corfu.connect(options, cluster.world(), own);
        Corfu newerClient = Corfu.connect(options, cluster.world(), newer);
        StateMachineReplica<Ledger> one = open(ownClient);
        StateMachineReplica<Ledger> other = open(cluster.connect())) {
      submit(one, "a");
      assertThat(one.read(Ledger::lines)).containsExactly("a");
      submit(other, "b");

      CompletableFuture<Void> hasToken = new CompletableFuture<>();
      CompletableFuture<Void> never = new CompletableFuture<>();
      newer.before(
          () -> {
            hasToken.complete(null);
            return never;
          });
      own.before(
          () -> {
            var unused =
                Streams.over(newerClient)
                    .open(Names.commands("ledger"))
                    .appendAsync(ByteBuffer.allocate(1));
            return hasToken;
          });
      submit(one, "c");

      assertThat(one.readPlayed(Ledger::lines)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void aReaderThatAskedLaterWaitsForTheNewerEntry() throws Exception {
    CorfuOptions options = cluster.clientOptions().withHoleTimeout(FOR_EVER);
    var own = new WriteGate(cluster.transport());
    var newer = new WriteGate(cluster.transport());
    try (Corfu ownClient = Corfu.connect(options, cluster.world(), own);
        Corfu newerClient = Corfu.connect(options, cluster.world(), newer);
        StateMachineReplica<Ledger> one = open(ownClient);
        StateMachineReplica<Ledger> other = open(cluster.connect());
        StateMachineReplica<Ledger> third = open(newerClient)) {
      submit(one, "a");
      assertThat(one.read(Ledger::lines)).containsExactly("a");
      submit(other, "b");

      CompletableFuture<Void> hasToken = new CompletableFuture<>();
      CompletableFuture<Void> written = new CompletableFuture<>();
      AtomicReference<CompletableFuture<List<String>>> reader = new AtomicReference<>();
      newer.before(
          () -> {
            hasToken.complete(null);
            return written;
          });
      own.before(
          () -> {
            var unused = third.submitAsync(ByteBuffer.wrap("d".getBytes(UTF_8)));
            return hasToken.thenRun(
                () -> reader.set(one.syncAsync().thenApply(now -> one.readPlayed(Ledger::lines))));
          });
      submit(one, "c");

      assertThatThrownBy(() -> reader.get().get(100, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      written.complete(null);
      assertThat(reader.get().get()).containsExactly("a", "b", "c", "d");
    }
  }

  /** A transport that does something before the next write. Thread-safe. */
  private static final class WriteGate implements Transport {
    private final Transport way;
    private final AtomicReference<Supplier<CompletableFuture<Void>>> before =
        new AtomicReference<>();

    WriteGate(Transport way) {
      this.way = way;
    }

    /** Sends the next write when the future of this supplier is done. */
    void before(Supplier<CompletableFuture<Void>> next) {
      before.set(next);
    }

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
          if (request instanceof LogUnitRequest.Write) {
            var next = before.getAndSet(null);
            if (next != null) {
              return next.get().thenCompose(open -> peer.send(request, timeoutNanos));
            }
          }
          return peer.send(request, timeoutNanos);
        }
      };
    }

    @Override
    public void close() {}
  }
}
