package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.ClusterId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.transport.ClientOptions;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.RequestHandler;
import corfu.transport.ScriptedServer;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import corfu.transport.WrongClusterException;
import corfu.world.RealWorld;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of a waiting thread, which gets a connection of its own after some calls. */
class LoneCallsTest {

  private static final ClusterId CLUSTER = new ClusterId(new UUID(1, 2));
  private static final Epoch EPOCH = new Epoch(1);
  private static final Request TAIL = new SequencerRequest.AskTail(EPOCH);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();
  private static final int MANY_CALLS = 100_000;

  private final RealWorld world = new RealWorld();
  private final Tails tails = new Tails();
  private TcpServer server = TcpServer.bind(world, "127.0.0.1", 0, TcpServerOptions.DEFAULT);
  private volatile Optional<ClusterId> meant = Optional.of(CLUSTER);
  private final TcpTransport transport =
      TcpTransport.open(world, () -> meant, ClientOptions.DEFAULT);

  /** Answers the number of earlier requests; or stays silent, or answers with large entries. */
  private static final class Tails implements RequestHandler {
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final ConcurrentLinkedQueue<Consumer<Reply>> unanswered = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Request> heldBack = new CompletableFuture<>();
    private volatile boolean isSilent;
    private final ScriptedServer scripted =
        new ScriptedServer(
                (request, reply) -> {
                  if (isSilent) {
                    unanswered.add(reply);
                    heldBack.complete(request);
                  } else {
                    reply.accept(answer(request));
                  }
                })
            .in(CLUSTER);

    private Reply answer(Request request) {
      return request instanceof LogUnitRequest.Read
          ? new LogUnitReply.Reads(List.of(new ReadOutcome.Found(large())))
          : new SequencerReply.Tail(asked.getAndIncrement());
    }

    @Override
    public void handle(Request request, Consumer<Reply> reply) {
      if (request instanceof NodeRequest.Hello) {
        connections.incrementAndGet();
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

  private static Entry large() {
    return Entry.data(3, new AppendId(1, 2), ByteBuffer.allocate(1 << 20));
  }

  @AfterEach
  void close() {
    transport.close();
    server.loop().execute(tails::answerTheRest);
    server.close();
    world.close();
  }

  @Test
  void getTheirRepliesOnAConnectionOfTheirOwn() {
    Peer peer = serve();

    for (int i = 0; tails.connections.get() < 2 && i < MANY_CALLS; i++) {
      assertThat(call(peer)).isEqualTo(i);
    }
    int before = tails.asked.get();

    for (int i = 0; i < 100; i++) {
      assertThat(call(peer)).isEqualTo(before + i);
    }
    assertThat(tails.connections).hasValue(2);
  }

  @Test
  void getRepliesOfAnySize() {
    Peer peer = calledOften();
    var read = new LogUnitRequest.Read(EPOCH, AddressSet.of(3), 1 << 21);

    for (int i = 0; i < 10; i++) {
      assertThat(peer.call(read, PATIENCE_NANOS))
          .isEqualTo(new LogUnitReply.Reads(List.of(new ReadOutcome.Found(large()))));
      call(peer);
    }
  }

  @Test
  void ofVirtualThreadsDoSoToo() {
    var answers = new CompletableFuture<List<Long>>();
    world.start(
        "virtual",
        () -> {
          Peer peer = calledOften();
          int before = tails.asked.get();
          answers.complete(List.of(call(peer) - before, call(peer) - before));
        });

    assertThat(answers).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(List.of(0L, 1L));
    assertThat(tails.connections).hasValue(2);
  }

  @Test
  void endByTheirDeadlinesAndLeaveLaterOnesUnharmed() {
    Peer peer = calledOften();
    tails.isSilent = true;

    assertThat(overdue(peer)).hasMessageContaining(server.endpoint().toString());

    tails.isSilent = false;
    int before = tails.asked.get();
    for (int i = 0; i < 100; i++) {
      assertThat(call(peer)).isEqualTo(before + i);
    }
  }

  @Test
  void areCarriedOnByOthersWhenTheCallerIsOutOfPatience() {
    Peer peer = calledOften();
    int before = tails.asked.get();
    assertThat(peer.begin(TAIL, PATIENCE_NANOS).settle(PATIENCE_NANOS))
        .isCompletedWithValue(new SequencerReply.Tail(before));
    tails.isSilent = true;

    CompletableFuture<Reply> late = peer.begin(TAIL, PATIENCE_NANOS).settle(1);
    assertThat(tails.heldBack).succeedsWithin(Duration.ofSeconds(60));
    assertThat(late).isNotDone();

    tails.isSilent = false;
    assertThat(call(peer)).isEqualTo(before + 1); // other calls do not wait for it
    server.loop().execute(tails::answerTheRest);
    assertThat(late).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(new SequencerReply.Tail(0));
    assertThat(call(peer)).isEqualTo(before + 2);
    assertThat(tails.connections).hasValue(2);
  }

  @Test
  void failAtOnceWhenTheTransportIsClosed() {
    Peer peer = calledOften();
    tails.isSilent = true;
    var outcome = new CompletableFuture<Reply>();
    world.start(
        "caller",
        () -> {
          try {
            outcome.complete(peer.call(TAIL, Duration.ofHours(1).toNanos()));
          } catch (TransportException failure) {
            outcome.completeExceptionally(failure);
          }
        });
    assertThat(tails.heldBack).succeedsWithin(Duration.ofSeconds(60));

    transport.close();

    assertThat(outcome)
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withCauseInstanceOf(NoReplyException.class);
  }

  @Test
  void comeThroughAgainWhenTheServerWasStartedAnew() {
    Peer peer = calledOften();
    int port = server.endpoint().port();
    server.close();
    server = TcpServer.bind(world, "127.0.0.1", port, TcpServerOptions.DEFAULT);
    server.serve(tails);

    Optional<Long> answer = Optional.empty();
    for (int i = 0; answer.isEmpty() && i < MANY_CALLS; i++) {
      try {
        answer = Optional.of(call(peer));
      } catch (TransportException lost) {
        assertThat(lost.endpoint()).isEqualTo(server.endpoint());
      }
    }
    assertThat(answer).isPresent();
  }

  @Test
  void neverReachAClusterThatIsNotMeantAnyMore() {
    Peer peer = calledOften();
    meant = Optional.of(new ClusterId(new UUID(3, 4)));

    assertThatThrownBy(() -> call(peer)).isInstanceOf(WrongClusterException.class);
  }

  /**
   * Returns the failure of a call that was sent but not answered. A call that leaves too late does
   * not count.
   */
  private NoReplyException overdue(Peer peer) {
    for (Duration patience = Duration.ofMillis(50); ; patience = patience.multipliedBy(2)) {
      long start = world.nanoTime();
      try {
        throw new AssertionError("got a reply: " + peer.call(TAIL, patience.toNanos()));
      } catch (NoReplyException late) {
        assertThat(world.nanoTime() - start).isGreaterThanOrEqualTo(patience.toNanos());
        return late;
      } catch (UnreachableException notSent) {
        assertThat(world.nanoTime() - start).isGreaterThanOrEqualTo(patience.toNanos());
      }
    }
  }

  private Peer serve() {
    server.serve(tails);
    return transport.peer(server.endpoint());
  }

  /** Returns a peer after so many calls that it has a lone connection. */
  private Peer calledOften() {
    Peer peer = serve();
    for (int i = 0; tails.connections.get() < 2 && i < MANY_CALLS; i++) {
      call(peer);
    }
    assertThat(tails.connections).hasValue(2);
    for (int i = 0; i < 100; i++) {
      call(peer); // while the welcome arrives
    }
    return peer;
  }

  private static long call(Peer peer) {
    return ((SequencerReply.Tail) peer.call(TAIL, PATIENCE_NANOS)).next();
  }
}
