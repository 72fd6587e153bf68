package corfu.transport.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.transport.internal.tls.HandshakeGate.Arrival;
import io.netty.channel.DefaultEventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which handshakes run when more arrive than a server can do. */
class HandshakeGateTest {

  private final AtomicLong now = new AtomicLong(1_000_000_000L);
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final HandshakeGate gate = new HandshakeGate(loop, now::get);
  private final List<Client> admitted = new ArrayList<>();

  private final class Client implements Arrival {
    private final String host;

    Client(String host) {
      this.host = host;
    }

    @Override
    public String host() {
      return host;
    }

    @Override
    public void admit() {
      admitted.add(this);
    }
  }

  @AfterEach
  void close() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private <T> T onLoop(Callable<T> task) throws Exception {
    return loop.submit(task).get();
  }

  private List<Client> arrive(String host, int count) {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Client client = new Client(host);
      if (gate.enter(client)) {
        clients.add(client);
      }
    }
    return clients;
  }

  @Test
  void oneHostHasHalfOfThePlacesAndAnotherOneTheRest() throws Exception {
    onLoop(
        () -> {
          arrive("a", 200);
          assertThat(admitted).hasSize(HandshakeGate.MAX_RUNNING / 2);
          arrive("b", 200);
          assertThat(gate.running()).isEqualTo(HandshakeGate.MAX_RUNNING);
          assertThat(admitted.stream().filter(client -> client.host().equals("b")))
              .hasSize(HandshakeGate.MAX_RUNNING / 2);
          return null;
        });
  }

  @Test
  void hostsTakeTurns() throws Exception {
    onLoop(
        () -> {
          List<Client> first = arrive("a", 100);
          arrive("b", 100);
          Client late = arrive("c", 1).getFirst();
          assertThat(admitted).doesNotContain(late);

          gate.ended(first.getFirst(), true);
          gate.ended(first.get(1), true);

          assertThat(admitted).contains(late);
          return null;
        });
  }

  @Test
  void thoseThatWaitHaveABoundForEachHostAndForAll() throws Exception {
    onLoop(
        () -> {
          assertThat(arrive("a", 10_000))
              .hasSize(HandshakeGate.MAX_RUNNING / 2 + HandshakeGate.MAX_WAITING / 2);
          arrive("b", 10_000);
          arrive("c", 10_000);
          assertThat(gate.waiting()).isEqualTo(HandshakeGate.MAX_WAITING);
          return null;
        });
  }

  @Test
  void aClientThatLeavesWhileItWaitsIsForgotten() throws Exception {
    onLoop(
        () -> {
          List<Client> clients = arrive("a", 100);
          Client last = clients.getLast();
          gate.abandon(last);
          clients.stream().limit(64).forEach(client -> gate.ended(client, true));
          assertThat(admitted).hasSize(99).doesNotContain(last);
          return null;
        });
  }

  @Test
  void failuresDelayLaterHandshakesAndSuccessesDoNot() throws Exception {
    onLoop(
        () -> {
          for (int i = 0; i < 10_000; i++) {
            gate.ended(arrive("a", 1).getFirst(), true);
          }
          assertThat(admitted).hasSize(10_000);
          admitted.clear();

          int failed = 0;
          while (gate.running() == 0 && failed < 1_000) {
            arrive("a", 1);
            if (gate.running() == 1) {
              gate.ended(admitted.getLast(), false);
              failed++;
            } else {
              break;
            }
          }
          assertThat(failed).isBetween(50, 60);
          return null;
        });
  }

  @Test
  void aDelayedHandshakeRunsLater() throws Exception {
    CompletableFuture<Void> runs = new CompletableFuture<>();
    onLoop(
        () -> {
          for (int i = 0; i < 60; i++) {
            arrive("a", 1);
            if (gate.running() == 1) {
              gate.ended(admitted.getLast(), false);
            }
          }
          assertThat(gate.waiting()).isPositive();
          now.addAndGet(TimeUnit.SECONDS.toNanos(1));
          gate.enter(
              new Arrival() {
                @Override
                public String host() {
                  return "b";
                }

                @Override
                public void admit() {
                  runs.complete(null);
                }
              });
          return null;
        });
    runs.get(60, TimeUnit.SECONDS);
  }
}
