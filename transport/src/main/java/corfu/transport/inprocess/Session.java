package corfu.transport.inprocess;

import corfu.protocol.ClusterId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.wire.FrameCodec;
import corfu.transport.RequestRefusedException;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import corfu.transport.WrongClusterException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counterpart of a network connection: one client with one server, after a handshake. Lives on
 * the server's loop.
 */
final class Session {

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final InProcessPeer peer;
  private final InProcessServer server;

  /** The calls that wait for the handshake. */
  private final ArrayDeque<Call> waiting = new ArrayDeque<>();

  private boolean greeting;
  private boolean advancing;
  private @Nullable Supplier<TransportException> end;
  private Optional<ClusterId> actual = Optional.empty();

  Session(InProcessPeer peer, InProcessServer server) {
    this.peer = peer;
    this.server = server;
  }

  boolean isWith(InProcessServer other) {
    return server == other;
  }

  void deliver(Call call) {
    waiting.add(call);
    advance();
  }

  /**
   * Handles waiting calls. Never runs inside itself, although a handler may answer before it
   * returns.
   */
  private void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    try {
      while (!greeting && !waiting.isEmpty()) {
        if (end != null) {
          fail(waiting.remove(), end.get());
        } else if (isSettled()) {
          hand(waiting.remove());
        } else {
          greet();
        }
      }
    } finally {
      advancing = false;
    }
  }

  /** Returns whether client and server agree on the cluster, as far as each knows one. */
  private boolean isSettled() {
    Optional<ClusterId> expected = peer.transport().cluster();
    return actual.isPresent() && (expected.isEmpty() || expected.equals(actual));
  }

  private void greet() {
    Optional<ClusterId> expected = peer.transport().cluster();
    greeting = true;
    handle(
        new Hello(FrameCodec.OLDEST_VERSION, FrameCodec.NEWEST_VERSION, expected),
        reply -> {
          greeting = false;
          takeWelcome(expected, reply);
          advance();
        });
  }

  private void takeWelcome(Optional<ClusterId> expected, Reply reply) {
    switch (reply) {
      case Welcome welcome
          when expected.isPresent()
              && welcome.cluster().isPresent()
              && !expected.equals(welcome.cluster()) ->
          end(wrongCluster(expected.get(), welcome.cluster().get()));
      case Welcome welcome -> {
        actual = welcome.cluster();
        if (actual.isEmpty()) {
          Call first =
              waiting.poll(); // the next call greets again: the server may have joined a cluster
          if (first != null) {
            hand(first);
          }
        }
      }
      case Failure.WrongCluster wrong when expected.isPresent() ->
          end(wrongCluster(expected.get(), wrong.actual()));
      case Failure.Refused refused ->
          end(
              () ->
                  new RequestRefusedException(
                      peer.endpoint(), "it refused the handshake: " + refused.reason()));
      default ->
          end(
              () ->
                  new UnreachableException(
                      peer.endpoint(), "it answered the handshake with " + reply));
    }
  }

  private Supplier<TransportException> wrongCluster(ClusterId expected, ClusterId found) {
    return () -> new WrongClusterException(peer.endpoint(), expected, found);
  }

  private void end(Supplier<TransportException> reason) {
    end = reason;
    peer.forget(this);
  }

  private void hand(Call call) {
    if (!call.hand()) {
      return;
    }
    handle(
        call.request(),
        reply -> {
          server.forget(call);
          call.answer(FrameCodec.copyOf(reply)); // the server owns the memory of its entries
        });
  }

  private void fail(Call call, TransportException failure) {
    server.forget(call);
    call.fail(failure);
  }

  private void handle(Request request, Consumer<Reply> answer) {
    Once once = new Once(answer);
    try {
      server.handler().handle(request, peer.transport().origin(), once);
    } catch (RuntimeException | Error e) {
      LOG.warn("{} failed at a {}", server.endpoint(), request.getClass().getSimpleName(), e);
      once.abandon("the server failed at it: " + e);
    }
  }

  /** A receiver of exactly one reply. */
  private final class Once implements Consumer<Reply> {

    private final Consumer<Reply> answer;
    private boolean answered;
    private boolean abandoned;

    private Once(Consumer<Reply> answer) {
      this.answer = answer;
    }

    @Override
    public void accept(Reply reply) {
      if (!server.isInside()) {
        throw new IllegalStateException("a reply belongs on its server's loop");
      }
      if (abandoned) {
        return;
      }
      if (answered) {
        throw new IllegalStateException(
            "a request to " + server.endpoint() + " was answered twice");
      }
      answered = true;
      answer.accept(reply);
    }

    /** Answers for a handler that failed, perhaps without noticing. */
    private void abandon(String reason) {
      if (!answered) {
        accept(new Failure.Broken(reason));
      }
      abandoned = true;
    }
  }
}
