package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import corfu.node.local.FreePorts;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Log;
import corfu.runtime.cluster.CountingTransport;
import corfu.runtime.stream.Streams;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The costs of operations in a reproducible unit: bytes of heap for each operation. They are
 * allocated by a client and its two servers together, over TCP and all in this JVM. Times differ
 * from machine to machine; these numbers differ by some per cent. Each bound is the measured number
 * plus a half.
 */
class CostTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int IN_FLIGHT = 256;
  private static final int PAYLOAD_BYTES = 256;
  private static final int LARGE_BYTES = 16 << 10;
  private static final int WARM_UP = 60_000;
  private static final int COUNTED = 60_000;

  @TempDir private Path directory;
  private final List<Node> nodes = new ArrayList<>();
  private List<Endpoint> endpoints = List.of();
  private Corfu corfu;

  @BeforeEach
  void start() {
    ClusterConfig config = config();
    for (ServerConfig server : config.servers()) {
      nodes.add(Node.start(config, server.name()));
    }
    endpoints = config.endpoints();
    Layout layout = Bootstrap.bootstrap(config);
    corfu = Corfu.connect(CorfuOptions.of(config.endpoints()).withCluster(layout.clusterId()));
  }

  @AfterEach
  void close() {
    corfu.close();
    nodes.forEach(Node::close);
  }

  /**
   * Returns a configuration without leases and agents, so that a slow machine causes no retries.
   */
  private ClusterConfig config() {
    try (RealWorld world = new RealWorld()) {
      int port = FreePorts.consecutive(2, world.random());
      return ClusterConfig.local(directory, port, 2, 2, UnitMode.MEMORY)
          .withSupervision(Supervision.DEFAULT.withLeases(false).withAgent(false));
    }
  }

  @Test
  void anAppendOfManyAllocatesLittle() {
    Log log = corfu.log();

    assertThat(bytesOf(i -> log.appendAsync(ByteBuffer.allocate(PAYLOAD_BYTES)))).isLessThan(4_700);
  }

  @Test
  void anAppendOfManyToAStreamAllocatesLittle() {
    Streams streams = Streams.over(corfu);

    assertThat(
            bytesOf(
                i ->
                    streams.appendAsync(
                        List.of(new StreamId(1, i & 63)), ByteBuffer.allocate(PAYLOAD_BYTES))))
        .isLessThan(7_300);
  }

  @Test
  void aReadOfManyAllocatesLittle() {
    Log log = corfu.log();
    flood(1024, i -> log.appendAsync(ByteBuffer.allocate(PAYLOAD_BYTES)));

    assertThat(bytesOf(i -> log.readAsync(new Address(i & 1023)))).isLessThan(3_300);
  }

  /** The log unit reuses the memory into which it reads. */
  @Test
  void aReadOfALargeEntryAllocatesItOnceForItsReader() {
    Log log = corfu.log();
    flood(64, i -> log.appendAsync(ByteBuffer.allocate(LARGE_BYTES)));

    assertThat(bytesOf(i -> log.readAsync(new Address(i & 63)))).isLessThan(LARGE_BYTES + 4_000);
  }

  /**
   * Each request is one or two system calls on either side, and a round trip. The numbers are
   * always the same.
   */
  @Test
  void aLoneAppendIsARequestForATokenAndOneForEachCopyAndALoneReadIsOne() {
    try (RealWorld world = new RealWorld();
        CountingTransport counting = new CountingTransport(tcp(world));
        Corfu lone = Corfu.connect(CorfuOptions.of(endpoints), world, counting)) {
      Log log = lone.log();
      Address first = log.append(new byte[PAYLOAD_BYTES]); // and it has found the layout
      assertThat(counting.requestsOf(() -> log.append(new byte[PAYLOAD_BYTES]))).isEqualTo(3);
      assertThat(counting.requestsOf(() -> log.read(first))).isEqualTo(1);
      assertThat(counting.requestsOf(log::tail)).isEqualTo(1);
    }
  }

  @Test
  void manyAppendsShareTheirRequests() {
    try (RealWorld world = new RealWorld();
        CountingTransport counting = new CountingTransport(tcp(world));
        Corfu crowded = Corfu.connect(CorfuOptions.of(endpoints), world, counting)) {
      Log log = crowded.log();
      int appends = 20_000;
      long requests =
          counting.requestsOf(
              () -> flood(appends, i -> log.appendAsync(ByteBuffer.allocate(PAYLOAD_BYTES))));
      assertThat((double) requests / appends).isLessThan(0.5);
    }
  }

  private static Transport tcp(RealWorld world) {
    return TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT);
  }

  private static long bytesOf(IntFunction<CompletableFuture<?>> operation) {
    flood(WARM_UP, operation);
    long before = THREADS.getTotalThreadAllocatedBytes();
    flood(COUNTED, operation);
    return (THREADS.getTotalThreadAllocatedBytes() - before) / COUNTED;
  }

  private static void flood(int count, IntFunction<CompletableFuture<?>> operation) {
    Semaphore room = new Semaphore(IN_FLIGHT);
    for (int i = 0; i < count; i++) {
      room.acquireUninterruptibly();
      var _ = operation.apply(i).whenComplete((done, failure) -> room.release());
    }
    room.acquireUninterruptibly(IN_FLIGHT);
  }
}
