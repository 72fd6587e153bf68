package corfu.bench.zookeeper.load;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Recorder;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;

/**
 * Reads and writes of nodes. Each session has a node of its own and a constant number of requests
 * in flight. The next request starts in the callback of the last one.
 */
final class MixedLoad {

  private static final int DIGITS = 3;
  private static final int PERCENT = 100;
  private static final String PARENT = "/bench/mix";

  private final Recorder latencies = new Recorder(DIGITS);
  private final Semaphore ended = new Semaphore(0);
  private final AtomicReference<String> failure = new AtomicReference<>("");
  private final int readPercent;
  private final byte[] data;
  private final long begin = System.nanoTime();
  private final long nanos;

  private MixedLoad(EnsembleOrder.Mix order) {
    this.readPercent = order.readPercent();
    this.data = new byte[order.bytes()];
    this.nanos = order.time().toNanos();
  }

  /** Carries out an order. Each session makes one request or more, even if it starts late. */
  static LoadOutcome run(Sessions sessions, EnsembleOrder.Mix order) throws Exception {
    List<ZooKeeper> clients =
        order.server() == EnsembleOrder.ALL_SERVERS
            ? sessions.spread(order.clients())
            : sessions.at(order.server(), order.clients());
    for (int i = 0; i < clients.size(); i++) {
      Sessions.ensure(clients.get(i), node(i), new byte[order.bytes()]);
    }
    return new MixedLoad(order).run(clients, order.depth());
  }

  private static String node(int client) {
    return PARENT + "/" + client;
  }

  private LoadOutcome run(List<ZooKeeper> clients, int depth) throws InterruptedException {
    for (int i = 0; i < clients.size(); i++) {
      for (int j = 0; j < depth; j++) {
        // the first requests differ, so that reads and writes mix at every moment
        new Chain(clients.get(i), node(i), (i * depth + j) * readPercent % PERCENT).next();
      }
    }
    ended.acquire(clients.size() * depth);
    if (!failure.get().isEmpty()) {
      throw new IllegalStateException("a request failed: " + failure.get());
    }
    return LoadOutcome.of(latencies.getIntervalHistogram(), System.nanoTime() - begin);
  }

  /** Requests one after the other. */
  private final class Chain implements DataCallback, StatCallback {
    private final ZooKeeper session;
    private final String path;

    /** Grows with each request; a request reads if this passes a hundred. */
    private int sum;

    private long start;

    Chain(ZooKeeper session, String path, int first) {
      this.session = session;
      this.path = path;
      this.sum = first;
    }

    void next() {
      start = System.nanoTime();
      sum += readPercent;
      if (sum >= PERCENT) {
        sum -= PERCENT;
        session.getData(path, false, (DataCallback) this, null);
      } else {
        session.setData(path, data, -1, (StatCallback) this, null);
      }
    }

    @Override
    public void processResult(
        int code, String at, Object context, byte[] read, org.apache.zookeeper.data.Stat stat) {
      done(code);
    }

    @Override
    public void processResult(
        int code, String at, Object context, org.apache.zookeeper.data.Stat stat) {
      done(code);
    }

    private void done(int code) {
      long now = System.nanoTime();
      if (code != Code.OK.intValue()) {
        failure.set(String.valueOf(KeeperException.create(Code.get(code), path)));
        ended.release();
        return;
      }
      latencies.recordValue(now - start);
      if (now - begin < nanos) {
        next();
      } else {
        ended.release();
      }
    }
  }
}
