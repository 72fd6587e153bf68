package corfu.transport;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Entry;
import corfu.protocol.Limits;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.ReadOutcome.Found;
import corfu.protocol.message.LogUnitReply.Reads;
import corfu.protocol.message.LogUnitRequest.Write;
import corfu.protocol.message.NodeReply.Status;
import corfu.protocol.message.NodeRequest.AskStatus;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerReply.Tokens;
import corfu.protocol.message.SequencerRequest.Next;
import corfu.transport.TransportGround.Server;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How every transport calls: replies, deadlines, bounds, and unchanged entries. */
public abstract class TransportConformance extends ConformanceSuite {

  protected TransportConformance(TransportGround ground) {
    super(ground);
  }

  @Test
  void aCallGetsItsReply() {
    Server server = ground.start(new ScriptedServer(ConformanceSuite::answerTokens));

    assertThat(peer(server).call(new Next(EPOCH, 3), LONG)).isEqualTo(new Tokens(3, 1));
  }

  @Test
  void aPeerIsAlwaysTheSame() {
    Server server = ground.start(new ScriptedServer(NEVER));
    Transport transport = ground.closing(ground.connect(Optional::empty, ClientOptions.DEFAULT));

    assertThat(transport.peer(server.endpoint())).isSameAs(transport.peer(server.endpoint()));
    assertThat(transport.peer(server.endpoint()).endpoint()).isEqualTo(server.endpoint());
  }

  @Test
  void repliesFindTheirRequestsInWhateverOrderTheyCome() {
    int count = 2_000;
    List<Runnable> held = new ArrayList<>();
    Server server =
        ground.start(
            new ScriptedServer(
                (request, reply) -> {
                  held.add(() -> answerTokens(request, reply));
                  if (held.size() == count) {
                    Collections.shuffle(held, new Random(1));
                    held.forEach(Runnable::run);
                  }
                }));
    Peer peer = peer(server);

    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replies.add(peer.send(new Next(EPOCH, i + 1), LONG));
    }

    for (int i = 0; i < count; i++) {
      assertThat(replies.get(i).join()).isEqualTo(new Tokens(i + 1, 1));
    }
  }

  @Test
  void manyThreadsShareAPeer() throws InterruptedException {
    Server server = ground.start(new ScriptedServer(ConformanceSuite::answerTokens));
    Peer peer = peer(server, Optional::empty, bounds(1 << 20, 8));
    AtomicInteger right = new AtomicInteger();

    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 64; t++) {
      int first = t * 100 + 1;
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int i = first; i < first + 100; i++) {
                  if (peer.call(new Next(EPOCH, i), LONG).equals(new Tokens(i, 1))) {
                    right.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(right).hasValue(6_400);
  }

  @Test
  void theHandlerLearnsThatNoMoreRequestsAreAtHand() {
    AtomicReference<Consumer<Reply>> gathered = new AtomicReference<>();
    var handler =
        new RequestHandler() {
          private final ScriptedServer greeter =
              new ScriptedServer((request, reply) -> gathered.set(reply));

          @Override
          public void handle(Request request, Consumer<Reply> reply) {
            greeter.handle(request, reply);
          }

          @Override
          public void turnEnded() {
            Consumer<Reply> reply = gathered.getAndSet(null);
            if (reply != null) {
              reply.accept(new Tokens(1, 1));
            }
          }
        };

    assertThat(peer(ground.start(handler)).call(new Next(EPOCH, 1), LONG))
        .isEqualTo(new Tokens(1, 1));
  }

  @Test
  void theHandlerLearnsWhichRequestsComeFromOneClient() {
    List<RequestOrigin> origins = Collections.synchronizedList(new ArrayList<>());
    ScriptedServer greeter = new ScriptedServer(ConformanceSuite::answerTokens);
    var handler =
        new RequestHandler() {
          @Override
          public void handle(Request request, Consumer<Reply> reply) {
            greeter.handle(request, reply);
          }

          @Override
          public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
            if (request instanceof Next) {
              origins.add(origin);
            }
            handle(request, reply);
          }
        };
    Server server = ground.start(handler);
    Peer one = peer(server);
    Peer other = peer(server);

    for (Peer peer : List.of(one, one, other)) {
      assertThat(peer.send(new Next(EPOCH, 1), LONG).join()).isEqualTo(new Tokens(1, 1));
    }

    assertThat(origins).hasSize(3).allMatch(RequestOrigin::isKnown);
    assertThat(origins.get(1)).isEqualTo(origins.get(0));
    assertThat(origins.get(2)).isNotEqualTo(origins.get(0));
  }

  @Test
  void aRequestThatWasSentIsOverByItsDeadlineWithItsOutcomeUnknown() {
    AtomicReference<Consumer<Reply>> unanswered = new AtomicReference<>();
    Server server =
        ground.start(
            new ScriptedServer(
                (request, reply) -> {
                  if (((Next) request).count() == 1) {
                    unanswered.set(reply);
                  } else {
                    unanswered.get().accept(new Tokens(99, 1));
                    answerTokens(request, reply);
                  }
                }));
    Peer peer = connectedPeer(server, ClientOptions.DEFAULT);

    NoReplyException late = overdue(peer, new Next(EPOCH, 1));
    assertThat(late.outcomeUnknown()).isTrue();
    assertThat(late).hasMessageContaining(server.endpoint().toString());

    assertThat(peer.call(new Next(EPOCH, 2), LONG)).isEqualTo(new Tokens(2, 1));
  }

  @Test
  void deadlinesOfOnePeerAreKeptApart() {
    Server server = ground.start(new ScriptedServer(NEVER));
    Peer peer = connectedPeer(server, ClientOptions.DEFAULT);
    CompletableFuture<Reply> longer = peer.send(new Next(EPOCH, 1), LONG);

    assertThat(overdue(peer, new Next(EPOCH, 2))).isNotNull();
    assertThat(failureOf(peer.send(new Next(EPOCH, 2), 1))).isInstanceOf(TransportException.class);
    assertThat(longer).isNotDone();
  }

  @Test
  void aRequestWithoutTimeIsAMistake() {
    Peer peer = peer(ground.start(new ScriptedServer(NEVER)));

    assertThatThrownBy(() -> peer.send(new Next(EPOCH, 1), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whereNobodyListensARequestHasNoEffect() {
    Server server = ground.start(new ScriptedServer(NEVER));
    server.stop();

    assertThatThrownBy(() -> peer(server).call(new Next(EPOCH, 1), LONG))
        .isInstanceOfSatisfying(
            UnreachableException.class, e -> assertThat(e.outcomeUnknown()).isFalse());
  }

  @Test
  void aServerThatStopsLeavesItsRequestsUnanswered() throws InterruptedException {
    CountDownLatch taken = new CountDownLatch(3);
    Server server = ground.start(new ScriptedServer((request, reply) -> taken.countDown()));
    Peer peer = peer(server);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      replies.add(peer.send(new Next(EPOCH, 1), LONG));
    }
    taken.await();

    server.stop();

    assertThat(replies)
        .allSatisfy(reply -> assertThat(failureOf(reply)).isInstanceOf(NoReplyException.class));
  }

  @Test
  void aServerThatComesBackIsFoundAgain() {
    Server server = ground.start(new ScriptedServer(ConformanceSuite::answerTokens));
    Peer peer = peer(server);
    assertThat(peer.call(new Next(EPOCH, 1), LONG)).isEqualTo(new Tokens(1, 1));
    server.stop();
    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 2), LONG))
        .isInstanceOf(TransportException.class);

    server.restart(new ScriptedServer((request, reply) -> reply.accept(new Tokens(42, 42))));

    assertThat(callUntilReached(peer, new Next(EPOCH, 3))).isEqualTo(new Tokens(42, 42));
  }

  private Reply callUntilReached(Peer peer, Request request) {
    return eventually(
            () -> {
              try {
                return Optional.of(peer.call(request, LONG));
              } catch (TransportException notYet) {
                return Optional.<Reply>empty();
              }
            },
            reply -> assertThat(reply).isPresent())
        .orElseThrow();
  }

  @Test
  void aRequestAboveTheLimitIsRefusedBeforeItIsSent() {
    ScriptedServer handler = new ScriptedServer(NEVER);
    Peer peer =
        peer(
            ground.start(handler),
            Optional::empty,
            new ClientOptions(new Limits(100, 300, 10), 1 << 20, 10, 10));
    Random random = new Random(2);

    assertThatThrownBy(() -> peer.call(new Write(EPOCH, List.of(entry(random, 300))), LONG))
        .isInstanceOf(RequestRefusedException.class)
        .hasMessageContaining("300");
    assertThat(handler.requests).hasValue(0);
    assertThat(peer.call(new AskStatus(), LONG)).isInstanceOf(Status.class);
  }

  @Test
  void noMoreRequestsAreInFlightThanTheBoundSays() {
    ScriptedServer handler = new ScriptedServer(NEVER);
    Peer peer = peer(ground.start(handler), Optional::empty, bounds(1 << 20, 4));
    List<CompletableFuture<Reply>> inFlight = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      inFlight.add(peer.send(new Next(EPOCH, 1), LONG));
    }

    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 1), SHORT))
        .isInstanceOf(UnreachableException.class);

    assertThat(inFlight).noneMatch(CompletableFuture::isDone);
    assertThat(handler.requests).hasValueLessThanOrEqualTo(4);
  }

  @Test
  void noMoreBytesAreInFlightThanTheBoundSaysButAlwaysOneRequest() {
    Random random = new Random(3);
    Peer peer = peer(ground.start(new ScriptedServer(NEVER)), Optional::empty, bounds(1_000, 100));
    CompletableFuture<Reply> large =
        peer.send(new Write(EPOCH, List.of(entry(random, 5_000))), LONG);

    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 1), SHORT))
        .isInstanceOf(UnreachableException.class);

    assertThat(large).isNotDone();
  }

  @Test
  void aWaitingSenderGoesOnWhenThereIsRoomAgain() {
    Server server =
        ground.start(
            new ScriptedServer(
                (request, reply) -> {
                  if (((Next) request).count() == 2) {
                    answerTokens(request, reply);
                  }
                }));
    Peer peer = connectedPeer(server, bounds(1 << 20, 1));
    long patience = SHORT;
    Throwable failure;
    do {
      CompletableFuture<Reply> first = peer.send(new Next(EPOCH, 1), patience);
      assertThat(peer.call(new Next(EPOCH, 2), LONG)).isEqualTo(new Tokens(2, 1));
      failure = failureOf(first);
      patience *= 2;
    } while (failure instanceof UnreachableException); // it left too late
    assertThat(failure).isInstanceOf(NoReplyException.class);
  }

  @Test
  void aThreadOfTheTransportsIsRefusedRatherThanParked() {
    Transport transport = ground.closing(ground.connect(Optional::empty, bounds(1 << 20, 1)));
    Peer full = transport.peer(ground.start(new ScriptedServer(NEVER)).endpoint());
    CompletableFuture<Reply> stuck = full.send(new Next(EPOCH, 1), LONG);
    CompletableFuture<Boolean> sending = new CompletableFuture<>();
    Server server =
        ground.start(
            new ScriptedServer(
                (request, reply) -> {
                  sending.join(); // so that a thread waits for the reply
                  answerTokens(request, reply);
                }));

    var second =
        transport
            .peer(server.endpoint())
            .send(new Next(EPOCH, 1), LONG)
            .thenCompose(reply -> full.send(new Next(EPOCH, 1), LONG));
    sending.complete(true);

    assertThat(failureOf(second)).isInstanceOf(RequestRefusedException.class);
    assertThat(stuck).isNotDone();
  }

  @Test
  void aHandlerThatThrowsHasAnsweredThatItIsBroken() {
    Server server =
        ground.start(
            new ScriptedServer(
                (request, reply) -> {
                  if (((Next) request).count() == 1) {
                    throw new IllegalStateException("no luck");
                  }
                  answerTokens(request, reply);
                }));
    Peer peer = peer(server);

    assertThat(peer.call(new Next(EPOCH, 1), LONG))
        .isInstanceOfSatisfying(
            Failure.Broken.class, broken -> assertThat(broken.reason()).contains("no luck"));
    assertThat(peer.call(new Next(EPOCH, 2), LONG)).isEqualTo(new Tokens(2, 1));
  }

  @Test
  void entriesArriveAsTheyWereAndStayUntilTheReply() {
    Random random = new Random(4);
    List<Runnable> held = new ArrayList<>();
    AtomicInteger damaged = new AtomicInteger();
    Server server =
        ground.start(
            new ScriptedServer(
                (request, reply) -> {
                  List<Entry> entries = ((Write) request).entries();
                  held.add(
                      () -> {
                        entries.stream()
                            .filter(entry -> !entry.isIntact())
                            .forEach(entry -> damaged.incrementAndGet());
                        reply.accept(
                            new Reads(
                                entries.stream()
                                    .map(e -> new Found(e.copy()))
                                    .map(f -> (corfu.protocol.message.LogUnitReply.ReadOutcome) f)
                                    .toList()));
                      });
                  if (held.size() == 8) {
                    Collections.shuffle(held, random);
                    held.forEach(Runnable::run);
                    held.clear();
                  }
                }));
    Peer peer = peer(server);

    for (int round = 0; round < 40; round++) {
      List<List<Entry>> sent = new ArrayList<>();
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        List<Entry> entries = new ArrayList<>();
        for (int n = random.nextInt(1, 5); n > 0; n--) {
          entries.add(entry(random, random.nextInt(1 << random.nextInt(1, 20))));
        }
        sent.add(entries);
        replies.add(peer.send(new Write(EPOCH, entries), LONG));
      }
      for (int i = 0; i < 8; i++) {
        assertThat(((Reads) replies.get(i).join()).outcomes())
            .isEqualTo(sent.get(i).stream().map(Found::new).toList());
      }
    }
    assertThat(damaged).hasValue(0);
  }

  @Test
  void requestsOfManyMegabytesFollowEachOther() {
    Random random = new Random(5);
    Server server =
        ground.start(
            new ScriptedServer(
                (request, reply) -> {
                  Entry entry = ((Write) request).entries().getFirst();
                  reply.accept(new Tokens(entry.address(), entry.isIntact() ? 1 : 0));
                }));
    Peer peer = peer(server, Optional::empty, bounds(16 << 20, 64));
    List<Entry> entries = new ArrayList<>();
    List<CompletableFuture<Reply>> replies = new ArrayList<>();

    for (int i = 0; i < 40; i++) {
      entries.add(entry(random, (1 << 20) + i));
      replies.add(peer.send(new Write(EPOCH, List.of(entries.getLast())), LONG));
    }

    for (int i = 0; i < 40; i++) {
      assertThat(replies.get(i).join()).isEqualTo(new Tokens(entries.get(i).address(), 1));
    }
  }

  @Test
  void aClosedTransportFailsWhatIsInFlightAndWhatComesLater() throws InterruptedException {
    CountDownLatch taken = new CountDownLatch(1);
    Server server = ground.start(new ScriptedServer((request, reply) -> taken.countDown()));
    Transport transport = ground.connect(Optional::empty, ClientOptions.DEFAULT);
    Peer peer = transport.peer(server.endpoint());
    CompletableFuture<Reply> inFlight = peer.send(new Next(EPOCH, 1), LONG);
    taken.await();

    transport.close();

    assertThat(failureOf(inFlight)).isInstanceOf(NoReplyException.class);
    assertThat(failureOf(peer.send(new Next(EPOCH, 1), LONG)))
        .isInstanceOf(UnreachableException.class);
  }
}
