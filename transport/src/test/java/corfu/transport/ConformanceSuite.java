package corfu.transport;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.ClusterId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.message.NodeReply.Status;
import corfu.protocol.message.NodeRequest.AskStatus;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply.Tokens;
import corfu.protocol.message.SequencerRequest.Next;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Tests that every transport passes. A subclass chooses the transport by its ground. */
@Timeout(180)
abstract class ConformanceSuite {

  static final long LONG = TimeUnit.SECONDS.toNanos(60);
  static final long SHORT = TimeUnit.MILLISECONDS.toNanos(60);
  static final Epoch EPOCH = new Epoch(7);
  static final BiConsumer<Request, Consumer<Reply>> NEVER = (request, reply) -> {};

  final TransportGround ground;

  ConformanceSuite(TransportGround ground) {
    this.ground = ground;
  }

  @AfterEach
  void closeEverything() throws Exception {
    ground.close();
  }

  final Peer peer(TransportGround.Server server) {
    return peer(server, Optional::empty, ClientOptions.DEFAULT);
  }

  final Peer peer(
      TransportGround.Server server, Supplier<Optional<ClusterId>> cluster, ClientOptions options) {
    return ground.closing(ground.connect(cluster, options)).peer(server.endpoint());
  }

  /** Returns a peer with an open connection, so that a short deadline is enough for a test. */
  final Peer connectedPeer(TransportGround.Server server, ClientOptions options) {
    Peer peer = peer(server, Optional::empty, options);
    assertThat(peer.call(new AskStatus(), LONG)).isInstanceOf(Status.class);
    return peer;
  }

  static ClientOptions bounds(long bytes, int requests) {
    return new ClientOptions(Limits.DEFAULT, bytes, requests, 16);
  }

  static void answerTokens(Request request, Consumer<Reply> reply) {
    reply.accept(new Tokens(((Next) request).count(), 1));
  }

  /**
   * Returns the failure of a request that was sent but not answered by its deadline. Uses the
   * shortest deadline for which this machine sends the request in time: a request that leaves too
   * late has no effect.
   */
  static NoReplyException overdue(Peer peer, Request request) {
    for (long patience = SHORT; ; patience *= 2) {
      long start = System.nanoTime();
      Throwable failure = failureOf(peer.send(request, patience));
      assertThat(System.nanoTime() - start).isBetween(patience, LONG);
      if (failure instanceof NoReplyException sent) {
        return sent;
      }
      assertThat(failure).isInstanceOf(UnreachableException.class);
    }
  }

  static Throwable failureOf(CompletableFuture<Reply> future) {
    try {
      throw new AssertionError("got a reply: " + future.join());
    } catch (CompletionException e) {
      return e.getCause();
    }
  }

  static Entry entry(Random random, int bytes) {
    byte[] payload = new byte[bytes];
    random.nextBytes(payload);
    return Entry.data(
        random.nextLong(1L << 60),
        new AppendId(random.nextLong(), random.nextLong()),
        ByteBuffer.wrap(payload));
  }
}
