package corfu.cli.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.node.local.LocalCluster;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.world.RealWorld;
import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.ZooKeeperService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryForever;

/** Runs the demo. Servers are processes, so that one of them can be killed. Not thread-safe. */
final class ZooKeeperDemo implements AutoCloseable {

  private static final int LOG_SERVERS = 3;
  private static final int SERVERS = 3;
  private static final int TURNS = 20;
  private static final int SESSION_TIMEOUT_MILLIS = 10_000;
  private static final int RETRY_MILLIS = 100;
  private static final int PATIENCE_SECONDS = 60;
  private static final Duration START_TIMEOUT = Duration.ofSeconds(PATIENCE_SECONDS);
  private static final String COUNTER = "/counter";
  private static final String SERVED_AT = " is served at ";

  /** A server of the namespace in a process of its own. */
  private record Server(Process process, String address) {}

  private final RealWorld world = new RealWorld();
  private final LocalCluster cluster;
  private final Consumer<String> news;
  private final List<Server> servers = new ArrayList<>();
  private final List<CuratorFramework> clients = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * @param directory the directory of the cluster's data
   * @param news receives lines about the progress
   */
  ZooKeeperDemo(Path directory, Consumer<String> news) {
    this.cluster = LocalCluster.at(directory, world);
    this.news = news;
  }

  void run() throws Exception {
    cluster.create(LOG_SERVERS, LOG_SERVERS, UnitMode.DURABLE);
    cluster.start(CorfuProgram.command(), START_TIMEOUT);
    news.accept(
        "%d log servers, %d durable copies of each entry".formatted(LOG_SERVERS, LOG_SERVERS));
    for (int i = 0; i < SERVERS; i++) {
      servers.add(startServer());
      news.accept("server %d serves clients at %s".formatted(i + 1, servers.get(i).address()));
    }
    connect();
    elect();
    clients.getFirst().create().forPath(COUNTER, "0".getBytes(UTF_8));
    count(1);
    kill();
    count(2);
    addServer();
    startFromCheckpoint();
    news.accept("all of it held");
  }

  private Server startServer() throws IOException {
    Process process =
        CorfuProgram.command()
            .with(
                "zookeeper",
                "serve",
                "--dir",
                cluster.directory().toString(),
                "--port",
                "0",
                "--poll",
                "push",
                "--tick",
                "500")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String line = out.readLine();
    if (line == null) {
      process.destroyForcibly();
      throw failed("a server did not start");
    }
    return new Server(
        process, line.substring(line.indexOf(SERVED_AT) + SERVED_AT.length()).strip());
  }

  private void connect() {
    String all = String.join(",", servers.stream().map(Server::address).toList());
    for (int i = 0; i < SERVERS; i++) {
      CuratorFramework client =
          CuratorFrameworkFactory.newClient(
              all, SESSION_TIMEOUT_MILLIS, SESSION_TIMEOUT_MILLIS, new RetryForever(RETRY_MILLIS));
      client.start();
      clients.add(client);
    }
  }

  /** Each client leads once: the leader resigns until all have led. */
  private void elect() throws Exception {
    BlockingQueue<LeaderLatch> leaders = new LinkedBlockingQueue<>();
    for (int i = 0; i < clients.size(); i++) {
      LeaderLatch latch = new LeaderLatch(clients.get(i), "/leader", "client " + (i + 1));
      latch.addListener(
          new LeaderLatchListener() {
            @Override
            public void isLeader() {
              leaders.add(latch);
            }

            @Override
            public void notLeader() {}
          });
      latch.start();
    }
    for (int i = 0; i < clients.size(); i++) {
      LeaderLatch leader = leaders.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (leader == null) {
        throw failed("no client leads");
      }
      news.accept("%s leads, and resigns".formatted(leader.getId()));
      leader.close();
    }
  }

  /** All clients count under a lock: a read and a write that would lose counts without it. */
  private void count(int round) throws Exception {
    long began = world.nanoTime();
    List<Future<Boolean>> counting = new ArrayList<>();
    for (CuratorFramework client : clients) {
      counting.add(threads.submit(() -> countUnderLock(client)));
    }
    for (Future<Boolean> each : counting) {
      if (!each.get()) {
        throw failed("a client did not get the lock");
      }
    }
    int expected = round * TURNS * clients.size();
    clients.getFirst().sync().forPath("/");
    int counted = number(clients.getFirst());
    if (counted != expected) {
      throw failed("the clients counted to %d, not to %d".formatted(counted, expected));
    }
    news.accept(
        "%d clients counted to %d under a lock in %d ms"
            .formatted(clients.size(), counted, millisSince(began)));
  }

  private static boolean countUnderLock(CuratorFramework client) throws Exception {
    var lock = new InterProcessMutex(client, "/lock");
    for (int i = 0; i < TURNS; i++) {
      if (!lock.acquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return false;
      }
      try {
        client.sync().forPath("/");
        client.setData().forPath(COUNTER, String.valueOf(number(client) + 1).getBytes(UTF_8));
      } finally {
        lock.release();
      }
    }
    return true;
  }

  private static int number(CuratorFramework client) throws Exception {
    return Integer.parseInt(new String(client.getData().forPath(COUNTER), UTF_8));
  }

  private List<Long> sessions() throws Exception {
    List<Long> ids = new ArrayList<>();
    for (CuratorFramework client : clients) {
      client.sync().forPath("/"); // waits until it is connected
      ids.add(client.getZookeeperClient().getZooKeeper().getSessionId());
    }
    return ids;
  }

  private void kill() throws Exception {
    List<Long> before = sessions();
    servers.getFirst().process().destroyForcibly().waitFor();
    if (!sessions().equals(before)) {
      throw failed("a session was lost with its server");
    }
    news.accept("killed server 1; its clients continue their sessions at the others");
  }

  private void addServer() throws Exception {
    Server added = startServer();
    servers.add(added);
    clients.getFirst().sync().forPath("/");
    String listed = new String(clients.getFirst().getConfig().forEnsemble(), UTF_8);
    if (!listed.contains(added.address())) {
      throw failed("the config node does not list " + added.address());
    }
    news.accept("added server %d at %s".formatted(servers.size(), added.address()));
  }

  private void startFromCheckpoint() throws IOException {
    ZooKeeperOptions options =
        ZooKeeperOptions.DEFAULT.withClientAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (Corfu corfu = Corfu.connect(cluster.clientOptions())) {
      try (ZooKeeperService service = ZooKeeperService.open(corfu, options)) {
        service.awaitReady();
        service.replica().checkpoint();
      }
      long began = world.nanoTime();
      try (ZooKeeperService service = ZooKeeperService.open(corfu, options)) {
        service.awaitReady();
        news.accept(
            "started a server from a checkpoint: it serves after %d ms"
                .formatted(millisSince(began)));
      }
    }
  }

  private long millisSince(long began) {
    return Duration.ofNanos(world.nanoTime() - began).toMillis();
  }

  private static CommandException failed(String message) {
    return new CommandException(ExitCode.FAILED, message);
  }

  @Override
  public void close() {
    clients.forEach(CuratorFramework::close);
    threads.shutdownNow();
    servers.forEach(server -> server.process().destroyForcibly());
    if (cluster.exists()) {
      cluster.servers().stream()
          .flatMap(server -> server.process().stream())
          .forEach(ProcessHandle::destroyForcibly);
    }
    world.close();
  }
}
