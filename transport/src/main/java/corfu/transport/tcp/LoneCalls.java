package corfu.transport.tcp;

import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.TransportException;
import corfu.transport.WrongClusterException;
import corfu.transport.internal.FrameSize;
import corfu.transport.internal.NetworkErrors;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Carries the calls of waiting threads, one at a time, over a {@link LoneConnection} of its own. On
 * the loop a call is handed between threads twice, which takes longer than the way to the server
 * and back.
 *
 * <p>The loop carries concurrent calls and large calls. It also carries calls of virtual threads
 * while it has other work, because a virtual thread must be woken anyway. The lone connection
 * exists only while the loop's connection works, and only after a number of calls. Thread-safe.
 */
final class LoneCalls {

  /**
   * The largest request in bytes: a socket accepts this much at once, even if the server does not
   * read.
   */
  private static final int MOST_BYTES = 16 << 10;

  /**
   * The largest request of a virtual thread in bytes: a larger one carries much data already, and
   * shares the loop's turns with others.
   */
  private static final int MOST_BYTES_VIRTUAL = 6 << 10;

  /** The number of calls from which on a connection is worthwhile. */
  private static final int WORTHWHILE = 8;

  /** The idle time after which a connection may have ended unnoticed. */
  private static final long IDLE_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TcpPeer peer;
  private final AtomicReference<@Nullable Line> idle = new AtomicReference<>();
  private final AtomicBoolean exists = new AtomicBoolean(); // or is being opened
  private final AtomicInteger missed = new AtomicInteger();
  private volatile long notBeforeNanos;

  /** The connection that was opened last, idle or in use. */
  private volatile @Nullable LoneConnection made;

  /** The era of the loop's connection while that connection works. */
  private volatile @Nullable Era era;

  private static final class Era {
    private final boolean isEncrypted;

    private Era(boolean isEncrypted) {
      this.isEncrypted = isEncrypted;
    }
  }

  private record Line(LoneConnection connection, Era era, long idleSinceNanos) {}

  LoneCalls(TcpPeer peer) {
    this.peer = peer;
    this.notBeforeNanos = peer.nanoTime();
  }

  /** The loop's connection has been welcomed; this one is to be as it is. */
  void begin(boolean isEncrypted) {
    era = new Era(isEncrypted);
  }

  /**
   * The loop's connection has ended, so this one may have ended, too. A call on this connection
   * fails.
   */
  void end() {
    era = null;
    LoneConnection last = made;
    if (last != null) {
      last.close();
    }
    Line line = idle.getAndSet(null);
    if (line != null) {
      discard(line);
    }
  }

  /**
   * Sends the request. Returns empty if nothing was sent, so that the loop shall carry the request.
   */
  Optional<Peer.Exchange> begin(Request request, long deadlineNanos) {
    Era current = era;
    if (current == null || !isLone(FrameSize.of(request))) {
      return Optional.empty();
    }
    Line line = idle.getAndSet(null);
    if (line == null) {
      makeIfWorthwhile(current);
      return Optional.empty();
    }
    if (!isUsable(line, current)) {
      discard(line);
      return Optional.empty();
    }
    try {
      line.connection.send(request);
    } catch (IllegalArgumentException noFrame) { // the loop refuses the request, and tells why
      layDown(line.connection, line.era);
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      discardForAWhile(line);
      // the server may have received the request
      return Optional.of(Peer.Exchange.of(CompletableFuture.failedFuture(noReply(e))));
    }
    return Optional.of(new LoneExchange(line, deadlineNanos));
  }

  private final class LoneExchange implements Peer.Exchange {
    private final Line line;
    private final long deadlineNanos;

    private LoneExchange(Line line, long deadlineNanos) {
      this.line = line;
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public Reply await() {
      return receive(line, deadlineNanos);
    }

    @Override
    public CompletableFuture<Reply> settle(long patienceNanos) {
      CompletableFuture<Reply> reply = new CompletableFuture<>();
      if (line.connection.isAnswered(Math.min(patienceNanos, deadlineNanos - peer.nanoTime()))) {
        receiveFor(reply);
      } else {
        peer.start("corfu-lone-slow-" + peer.endpoint(), () -> receiveFor(reply));
      }
      return reply;
    }

    private void receiveFor(CompletableFuture<Reply> reply) {
      try {
        reply.complete(receive(line, deadlineNanos));
      } catch (TransportException failure) {
        reply.completeExceptionally(failure);
      }
    }
  }

  private boolean isLone(int bytes) {
    return Thread.currentThread().isVirtual()
        ? bytes <= MOST_BYTES_VIRTUAL && peer.isLoopIdle()
        : bytes <= MOST_BYTES;
  }

  private boolean isUsable(Line line, Era current) {
    return line.era == current
        && peer.nanoTime() - line.idleSinceNanos < IDLE_NANOS_MAX
        && line.connection.cluster().equals(peer.expectedCluster());
  }

  private Reply receive(Line line, long deadlineNanos) {
    LoneConnection connection = line.connection;
    Reply reply;
    try {
      reply = connection.receive(deadlineNanos);
    } catch (IOException | RuntimeException e) {
      discardForAWhile(line);
      throw noReply(e);
    }
    if (reply instanceof Failure.WrongCluster wrong && connection.cluster().isPresent()) {
      discardForAWhile(line);
      throw new WrongClusterException(peer.endpoint(), connection.cluster().get(), wrong.actual());
    }
    layDown(connection, line.era);
    return reply;
  }

  private NoReplyException noReply(Exception reason) {
    return new NoReplyException(
        peer.endpoint(), "no reply came: " + NetworkErrors.describe(reason));
  }

  private void layDown(LoneConnection connection, Era of) {
    idle.set(new Line(connection, of, peer.nanoTime()));
    if (era == null) {
      end(); // the era ended meanwhile, without seeing this line
    }
  }

  private void makeIfWorthwhile(Era current) {
    if (missed.get() < WORTHWHILE) {
      missed.incrementAndGet();
    } else if (peer.nanoTime() - notBeforeNanos >= 0 && exists.compareAndSet(false, true)) {
      peer.start("corfu-lone-" + peer.endpoint(), () -> make(current));
    }
  }

  private void make(Era current) {
    try {
      LoneConnection fresh =
          LoneConnection.open(
              peer.endpoint(),
              peer.expectedCluster(),
              peer.maxFrameBytes(),
              peer::nanoTime,
              current.isEncrypted ? Optional.of(peer.credentials()) : Optional.empty());
      made = fresh;
      layDown(fresh, current);
    } catch (IOException | RuntimeException e) {
      notBeforeNanos = peer.nanoTime() + PAUSE_NANOS;
      exists.set(false);
    }
  }

  private void discardForAWhile(Line line) {
    notBeforeNanos = peer.nanoTime() + PAUSE_NANOS;
    discard(line);
  }

  private void discard(Line line) {
    line.connection.close();
    exists.set(false);
  }
}
