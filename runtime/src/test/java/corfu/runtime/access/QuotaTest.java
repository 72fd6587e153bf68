package corfu.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.runtime.QuotaExceededException;
import corfu.runtime.cluster.RoleCluster;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients of a sequencer that says that their quota is used up. */
class QuotaTest {

  private static final int WAIT_MILLIS = 30;
  private static final Failure LATER = new Failure.OverQuota("appends a second: 100", WAIT_MILLIS);

  private final RoleCluster cluster = RoleCluster.builder().start();
  private final AtomicInteger refusals = new AtomicInteger();

  @AfterEach
  void close() {
    cluster.close();
  }

  private Corfu client(Duration timeout) {
    return cluster.connect(
        cluster.clientOptions().withOperationTimeout(timeout), real -> new Limited(real));
  }

  @Test
  void anAppendOverTheQuotaWaitsAndSucceeds() {
    Corfu client = client(Duration.ofSeconds(20));
    refusals.set(2);

    assertThat(client.log().append(new byte[1])).isEqualTo(new Address(0));
    assertThat(refusals.get()).isLessThanOrEqualTo(0);
  }

  @Test
  void anAppendWithoutTimeToWaitFailsWithThatTimeAndHasNoEffect() {
    Corfu client =
        cluster.connect(
            cluster
                .clientOptions()
                .withHoleTimeout(Duration.ofMillis(1))
                .withOperationTimeout(Duration.ofMillis(WAIT_MILLIS - 10)),
            real -> new Limited(real));
    refusals.set(Integer.MAX_VALUE);

    var over =
        catchThrowableOfType(QuotaExceededException.class, () -> client.log().append(new byte[1]));

    assertThat(over.waitTime()).isEqualTo(Duration.ofMillis(WAIT_MILLIS));
    assertThat(over)
        .hasMessageContaining("appends a second: 100")
        .hasMessageContaining("127.0.0.1");
    assertThat(cluster.connect().log().tail()).isEqualTo(new Address(0));
  }

  /** Refuses requests for tokens instead of the sequencer. */
  private final class Limited implements Transport {
    private final Transport real;

    Limited(Transport real) {
      this.real = real;
    }

    @Override
    public Peer peer(Endpoint endpoint) {
      Peer peer = real.peer(endpoint);
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return endpoint;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
          return request instanceof SequencerRequest.Next && refusals.getAndDecrement() > 0
              ? CompletableFuture.completedFuture(LATER)
              : peer.send(request, timeoutNanos);
        }

        @Override
        public Exchange begin(Request request, long timeoutNanos) {
          return Exchange.of(send(request, timeoutNanos));
        }
      };
    }

    @Override
    public void close() {
      real.close();
    }
  }
}
