package corfu.zookeeper.server;

import corfu.runtime.CorfuException;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.smr.HistoryForgottenException;
import corfu.world.World;
import corfu.zookeeper.command.NamespaceCommand.DeleteUnused;
import corfu.zookeeper.command.NamespaceCommand.ExpireSession;
import corfu.zookeeper.command.NamespaceCommand.RegisterServer;
import corfu.zookeeper.command.NamespaceCommand.RemoveServer;
import corfu.zookeeper.command.NamespaceCommand.Vouch;
import corfu.zookeeper.command.NamespaceCommand.VouchedSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vouches for this server and its sessions, four times a tick. Closes connections that it may no
 * longer serve, and proposes the end of sessions and servers that have had no vouch.
 *
 * <p>A proposal follows a vouch of this server that was applied a moment ago. So this server has
 * applied what was in the log when it looked at its clock, and a time without the log does not
 * count.
 */
public final class Heartbeat {

  private static final int BEATS_A_TICK = 4;

  /** An entry of the log has room for so many. */
  private static final int MAX_SESSIONS_A_VOUCH = 50_000;

  /** A pause of so many beats is a time without the log. */
  private static final int BEATS_OF_AN_OUTAGE = 4;

  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  private final World world;
  private final LiveHost host;
  private final Connections connections;
  private final String address;
  private final Duration beat;
  private final UnusedNodes unusedNodes;
  private final ReadOnlyMode readOnlyMode;
  private final Runnable whenReady;
  private final CompletableFuture<Void> serving = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean isClosed;
  private long lastContactNanos;
  private volatile boolean isInContact;

  Heartbeat(
      World world,
      LiveHost host,
      Connections connections,
      String address,
      Duration tick,
      UnusedNodes unusedNodes,
      ReadOnlyMode readOnlyMode,
      Runnable whenReady) {
    this.world = world;
    this.host = host;
    this.connections = connections;
    this.address = address;
    this.beat = tick.dividedBy(BEATS_A_TICK);
    this.unusedNodes = unusedNodes;
    this.readOnlyMode = readOnlyMode;
    this.whenReady = whenReady;
  }

  /** Starts. The first beat registers the server. Called once. */
  public void start() {
    lastContactNanos = world.nanoTime();
    world.start("corfu-zookeeper-heartbeat", this::run);
  }

  /** Returns a future that is done when the server has caught up with the log, and serves. */
  public CompletableFuture<Void> serving() {
    return serving;
  }

  /** Returns a future that fails when the server has failed for good, and ends when it closes. */
  public CompletableFuture<Void> ended() {
    return ended;
  }

  /** Whether the last beat reached the log. */
  public boolean isInContact() {
    return isInContact;
  }

  private void run() {
    try {
      while (!isClosed) {
        long began = world.nanoTime();
        beatOrNot(began);
        connections.closeOverdue(world.nanoTime());
        long left = beat.toNanos() - (world.nanoTime() - began);
        if (left > 0 && !isClosed) {
          world.pause(Duration.ofNanos(left));
        }
      }
      serving.completeExceptionally(new IllegalStateException("the server is closed"));
      ended.complete(null);
    } catch (RuntimeException | Error failure) {
      LOG.error("this server cannot go on", failure);
      isInContact = false;
      connections.closeAll(DisconnectReason.SERVER_SHUTDOWN);
      serving.completeExceptionally(failure);
      ended.completeExceptionally(failure);
    }
  }

  private void beatOrNot(long began) {
    try {
      beat(began);
      isInContact = true;
      readOnlyMode.end();
      if (!serving.isDone()) {
        whenReady.run();
        serving.complete(null);
      }
    } catch (CompletionException failed) {
      if (!isTransient(failed.getCause())) {
        throw failed;
      }
      isInContact = false;
      LOG.debug("the log is out of reach", failed.getCause());
      if (serving.isDone() && began - lastContactNanos > BEATS_OF_AN_OUTAGE * beat.toNanos()) {
        readOnlyMode.begin();
      }
    }
  }

  /** Whether the log may be in reach again later. */
  private static boolean isTransient(@Nullable Throwable cause) {
    return cause instanceof CorfuException
        || cause instanceof CommandOutcomeUnknownException
        || cause instanceof HistoryForgottenException;
  }

  private void beat(long began) {
    if (host.number() == 0 || host.isRemoved()) {
      host.submit(new RegisterServer(host.incarnation(), address)).join();
    }
    vouch(began);
    long gap = began - lastContactNanos;
    lastContactNanos = began;
    if (gap > BEATS_OF_AN_OUTAGE * beat.toNanos()) {
      host.sessionClocks().postpone(gap);
      host.serverClocks().postpone(gap);
    }
    propose(began);
  }

  private void vouch(long began) {
    List<VouchedSession> sessions = connections.toVouch(began);
    int done = 0;
    do {
      int end = Math.min(sessions.size(), done + MAX_SESSIONS_A_VOUCH);
      host.submit(new Vouch(host.number(), sessions.subList(done, end))).join();
      done = end;
    } while (done < sessions.size());
    connections.vouched(sessions, began);
  }

  private void propose(long began) {
    for (SessionClocks.Expired session : host.sessionClocks().expired(began)) {
      LOG.info("session 0x{} has had no vouch within its timeout", Long.toHexString(session.id()));
      var unused =
          host.submit(new ExpireSession(session.id(), session.lastVouch(), world.wallTimeMillis()));
    }
    for (SessionClocks.Expired server : host.serverClocks().expired(began)) {
      LOG.info("server {} has not vouched for {} ticks", server.id(), LiveHost.SERVER_TICKS);
      var unused = host.submit(new RemoveServer((int) server.id(), server.lastVouch()));
    }
    for (UnusedNodes.Unused node : unusedNodes.due(began)) {
      var unused =
          host.submit(
              new DeleteUnused(
                  node.path(), node.modified(), node.childrenChanged(), world.wallTimeMillis()));
    }
  }

  /**
   * Stops, and takes the server out of the config node. Vouches for the sessions before: their
   * clients have their whole timeouts to find another server.
   */
  public void close() {
    isClosed = true;
    if (ended.handle((none, failure) -> failure != null).join()) {
      return;
    }
    if (host.number() != 0) {
      try {
        vouch(world.nanoTime());
        host.submit(new RemoveServer(host.number(), host.ownVouch())).join();
      } catch (CompletionException away) {
        LOG.debug("the other servers find out by themselves", away.getCause());
      }
    }
  }
}
