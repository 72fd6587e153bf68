package corfu.runtime.internal.rpc;

import corfu.protocol.Endpoint;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.RequestRefusedException;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import corfu.transport.WrongClusterException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Sends a request to a server once. Any reply but the expected one becomes a {@link
 * RetryableException}. Thread-safe.
 */
public final class Servers {

  private final Transport transport;
  private final Duration requestTimeout;

  public Servers(Transport transport, Duration requestTimeout) {
    this.transport = transport;
    this.requestTimeout = requestTimeout;
  }

  public CompletableFuture<Reply> send(Endpoint server, Request request, Deadline deadline) {
    return transport.peer(server).send(request, deadline.remainingNanos(requestTimeout));
  }

  /**
   * Sends each server its request, all at the same time, and waits for all replies. Where it can,
   * the calling thread does the work itself, which is the fastest way.
   *
   * @return the replies for {@link #await}, in the same order, all of them done
   */
  public Map<Endpoint, CompletableFuture<Reply>> askAll(
      Map<Endpoint, ? extends Request> requests, Deadline deadline) {
    return beginAll(requests, deadline, Servers::outcome);
  }

  /**
   * Sends each server its request, and waits only a moment for each reply.
   *
   * @param patienceNanos the time to wait for each reply, in nanoseconds
   * @return the replies for {@link #await}, in the same order; the received ones are done
   */
  public Map<Endpoint, CompletableFuture<Reply>> askAll(
      Map<Endpoint, ? extends Request> requests, Deadline deadline, long patienceNanos) {
    return beginAll(requests, deadline, exchange -> exchange.settle(patienceNanos));
  }

  private Map<Endpoint, CompletableFuture<Reply>> beginAll(
      Map<Endpoint, ? extends Request> requests,
      Deadline deadline,
      Function<Peer.Exchange, CompletableFuture<Reply>> end) {
    Map<Endpoint, Peer.Exchange> begun = LinkedHashMap.newLinkedHashMap(requests.size());
    requests.forEach((server, request) -> begun.put(server, begin(server, request, deadline)));
    Map<Endpoint, CompletableFuture<Reply>> replies = LinkedHashMap.newLinkedHashMap(begun.size());
    begun.forEach((server, exchange) -> replies.put(server, end.apply(exchange)));
    return replies;
  }

  /** Begins a request, as {@link Peer#begin} does. {@link #await} accepts the result. */
  public Peer.Exchange begin(Endpoint server, Request request, Deadline deadline) {
    return transport.peer(server).begin(request, deadline.remainingNanos(requestTimeout));
  }

  private static CompletableFuture<Reply> outcome(Peer.Exchange exchange) {
    try {
      return CompletableFuture.completedFuture(exchange.await());
    } catch (TransportException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  public <R extends Reply> R ask(
      Endpoint server, Request request, Class<R> answer, Deadline deadline) {
    return await(server, begin(server, request, deadline), answer);
  }

  /** Waits for the reply to a request that {@link #begin} has begun. */
  public static <R extends Reply> R await(
      Endpoint server, Peer.Exchange exchange, Class<R> answer) {
    return await(server, outcome(exchange), answer);
  }

  /**
   * Asks once, and returns the reply, of any kind.
   *
   * @throws UnavailableException if no reply comes
   */
  public Reply ask(Endpoint server, Request request, Duration patience) {
    try {
      return transport.peer(server).call(request, Math.max(1, patience.toNanos()));
    } catch (TransportException silent) {
      throw new UnavailableException(String.valueOf(silent.getMessage()), silent);
    }
  }

  /** Waits for the reply to a request that {@link #send} has sent. */
  public static <R extends Reply> R await(
      Endpoint server, CompletableFuture<Reply> reply, Class<R> answer) {
    try {
      return expect(server, Peer.await(reply), answer);
    } catch (WrongClusterException e) {
      throw e; // no retry can help
    } catch (UnreachableException e) {
      throw RetryableException.unsent(server, String.valueOf(e.getMessage()));
    } catch (TransportException e) {
      throw RetryableException.server(server, e instanceof NoReplyException, e.getMessage());
    }
  }

  /**
   * Waits for the reply to a request that older servers do not know.
   *
   * @return the reply, or empty if the server does not know the request
   */
  public static <R extends Reply> Optional<R> awaitIfKnown(
      Endpoint server, CompletableFuture<Reply> reply, Class<R> answer) {
    try {
      return Peer.await(reply) instanceof Failure.Refused(var cause, var reason)
              && cause == Failure.Cause.UNKNOWN_TYPE
          ? Optional.empty()
          : Optional.of(await(server, reply, answer));
    } catch (RequestRefusedException noFrame) { // the version that both sides speak has none
      return Optional.empty();
    } catch (TransportException failure) {
      return Optional.of(await(server, reply, answer));
    }
  }

  static <R extends Reply> R expect(Endpoint server, Reply reply, Class<R> answer) {
    if (answer.isInstance(reply)) {
      return answer.cast(reply);
    }
    if (!(reply instanceof Failure failure)) {
      throw RetryableException.server(
          server,
          true,
          "the server at "
              + server
              + " answered with "
              + reply
              + " where "
              + answer.getSimpleName()
              + " was expected");
    }
    throw switch (failure) {
      case Failure.Sealed(var current) -> RetryableException.sealed(server, current);
      case Failure.Behind behind -> RetryableException.behind(server);
      case Failure.NotBootstrapped fresh -> RetryableException.behind(server);
      case Failure.WrongCluster(var actual) ->
          RetryableException.server(
              server, false, "the server at " + server + " belongs to cluster " + actual);
      case Failure.NotServing(var reason) ->
          RetryableException.server(
              server, false, "the server at " + server + " does not serve: " + reason);
      case Failure.Refused(var cause, var reason) ->
          RetryableException.server(
              server, false, "the server at " + server + " refused the request: " + reason);
      case Failure.Overloaded(var reason) -> RetryableException.overloaded(server, reason);
      case Failure.Forbidden forbidden -> RetryableException.forbidden(server, forbidden);
      case Failure.OverQuota over -> RetryableException.overQuota(server, over);
      case Failure.Broken(var reason) ->
          RetryableException.server(server, true, "the server at " + server + " failed: " + reason);
    };
  }
}
