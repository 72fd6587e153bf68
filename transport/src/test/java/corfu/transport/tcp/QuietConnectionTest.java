package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.RequestHandler;
import corfu.transport.ScriptedServer;
import corfu.transport.TransportException;
import corfu.transport.WrongClusterException;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A connection whose other end has vanished without closing it. */
class QuietConnectionTest {

  private static final ClusterId CLUSTER = new ClusterId(new UUID(1, 2));
  private static final Request REQUEST = new SequencerRequest.AskTail(new Epoch(1));

  /** Leaves the first connection with a request unanswered, as if its other end had vanished. */
  private static final class HalfOpen implements RequestHandler {
    private final AtomicInteger handshakes = new AtomicInteger();
    private final AtomicInteger silentUpTo = new AtomicInteger();
    private final List<Consumer<Reply>> unanswered = new ArrayList<>();
    private final ScriptedServer scripted =
        new ScriptedServer(
                (request, reply) -> {
                  silentUpTo.compareAndSet(0, handshakes.get());
                  if (handshakes.get() > silentUpTo.get()) {
                    reply.accept(new SequencerReply.Tail(7));
                  } else {
                    unanswered.add(reply);
                  }
                })
            .in(CLUSTER);

    @Override
    public void handle(Request request, Consumer<Reply> reply) {
      if (request instanceof NodeRequest.Hello) {
        handshakes.incrementAndGet();
      }
      scripted.handle(request, reply);
    }

    @Override
    public void turnEnded() {}

    /**
     * Answers the remaining requests, because unanswered requests hold memory. Runs on the server's
     * loop.
     */
    void answerTheRest() {
      unanswered.forEach(reply -> reply.accept(new SequencerReply.Tail(0)));
    }
  }

  @Test
  void isGivenUpSoThatLaterCallsGetThrough() {
    HalfOpen vanished = new HalfOpen();
    try (RealWorld world = new RealWorld();
        TcpServer server = TcpServer.bind(world, "127.0.0.1", 0, TcpServerOptions.DEFAULT);
        TcpTransport transport =
            TcpTransport.open(world, () -> Optional.of(CLUSTER), ClientOptions.DEFAULT)) {
      server.serve(vanished);
      Peer peer = transport.peer(server.endpoint());
      long start = world.nanoTime();
      Optional<Reply> answer = Optional.empty();
      int lostCalls = 0;
      while (answer.isEmpty() && lostCalls < 100) {
        try {
          answer = Optional.of(Peer.await(peer.send(REQUEST, Duration.ofMillis(300).toNanos())));
        } catch (TransportException lost) {
          assertThat(lost).isNotInstanceOf(WrongClusterException.class);
          lostCalls++;
        }
      }
      server.loop().execute(vanished::answerTheRest);
      assertThat(answer).contains(new SequencerReply.Tail(7));
      assertThat(world.nanoTime() - start)
          .as("a short silence means nothing")
          .isGreaterThan(ClientConnection.QUIET_NANOS_MAX);
    }
  }
}
