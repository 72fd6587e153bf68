package corfu.zookeeper.client;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.subject.Subject;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/** ZooKeeper's own client, connected, with a queue of its watch events. */
public final class StockClient implements AutoCloseable {

  private static final int SESSION_TIMEOUT_MILLIS = 60_000;
  private static final int PATIENCE_SECONDS = 120;

  private final ZooKeeper zooKeeper;
  private final BlockingQueue<WatchedEvent> events = new LinkedBlockingQueue<>();
  private final BlockingQueue<KeeperState> states = new LinkedBlockingQueue<>();

  /** Returns when the client is connected. */
  StockClient(Subject subject) throws IOException, InterruptedException {
    this(subject.connectString());
  }

  public StockClient(String connectString) throws IOException, InterruptedException {
    this(connectString, KeeperState.SyncConnected);
  }

  /**
   * Returns when the client has come to a state. A client that waits for a server that serves reads
   * only accepts one.
   */
  public StockClient(String connectString, KeeperState state)
      throws IOException, InterruptedException {
    this(connectString, state, new ZKClientConfig());
  }

  /** Returns when the client is connected as its configuration says. */
  public StockClient(String connectString, ZKClientConfig config)
      throws IOException, InterruptedException {
    this(connectString, KeeperState.SyncConnected, config);
  }

  /** Returns when the client, configured so, has come to a state. */
  StockClient(String connectString, KeeperState state, ZKClientConfig config)
      throws IOException, InterruptedException {
    zooKeeper =
        new ZooKeeper(
            connectString,
            SESSION_TIMEOUT_MILLIS,
            this::onEvent,
            state == KeeperState.ConnectedReadOnly,
            config);
    awaitState(state);
  }

  private void onEvent(WatchedEvent event) {
    if (event.getType() == EventType.None) {
      states.add(event.getState());
    } else {
      events.add(event);
    }
  }

  public ZooKeeper zooKeeper() {
    return zooKeeper;
  }

  /** Returns when the client has come to this state, after the states seen before. */
  public void awaitState(KeeperState state) throws InterruptedException {
    KeeperState next;
    do {
      next = states.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(next).as("a state before " + state).isNotNull();
    } while (next != state);
  }

  /** Returns the next event as text of its type and path. */
  public String nextEvent() throws InterruptedException {
    WatchedEvent event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(event).as("the next watch event").isNotNull();
    return event.getType() + " " + event.getPath();
  }

  /** Returns a watcher that puts its events into the queue of this client. */
  public Watcher queue() {
    return this::onEvent;
  }

  @Override
  public void close() {
    try {
      zooKeeper.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while the session closes", e);
    }
  }
}
