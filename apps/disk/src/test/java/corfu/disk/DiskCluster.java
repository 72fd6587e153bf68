package corfu.disk;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.node.EmbeddedCluster;
import corfu.protocol.message.LogUnitReply;
import corfu.runtime.Corfu;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A cluster in memory with servers of disks, for tests. Not thread-safe. */
final class DiskCluster implements AutoCloseable {

  static final int BLOCK = 4096;

  static final DiskOptions OPTIONS =
      DiskOptions.DEFAULT
          .withLookEvery(Duration.ofMillis(20))
          .withIdleTime(Duration.ofMillis(50))
          .withOutage(Duration.ofSeconds(5), Duration.ofMillis(20));

  private final EmbeddedCluster cluster;
  private final Corfu operator;
  private final List<Corfu> clients = new ArrayList<>();
  private final List<DiskExports> servers = new ArrayList<>();

  DiskCluster() {
    cluster = EmbeddedCluster.builder().nodes(2).replicas(2).start();
    operator = client();
  }

  Corfu client() {
    Corfu client = cluster.connect();
    clients.add(client);
    return client;
  }

  Disks disks() {
    return Disks.over(client(), OPTIONS);
  }

  DiskExports server(DiskAccess access) {
    return server(access, OPTIONS);
  }

  DiskExports server(DiskAccess access, DiskOptions options) {
    DiskExports exports = DiskExports.over(client(), options, access);
    servers.add(exports);
    return exports;
  }

  /** Returns the bytes of entries that the fullest log unit stores. */
  long storedBytes() {
    return operator.servers().stream()
        .flatMap(report -> report.usage().stream())
        .mapToLong(LogUnitReply.Usage::liveBytes)
        .max()
        .orElseThrow();
  }

  /** Returns the bytes of a block, which are all the same. */
  static int block(BlockDevice device, long block) {
    ByteBuffer read = device.read(block * BLOCK, BLOCK).join();
    for (int i = 0; i < BLOCK; i++) {
      assertThat(read.get(i)).isEqualTo(read.get(0));
    }
    return read.get(0);
  }

  static CompletableFuture<Void> write(BlockDevice device, long block, int value) {
    byte[] bytes = new byte[BLOCK];
    Arrays.fill(bytes, (byte) value);
    return device.write(block * BLOCK, ByteBuffer.wrap(bytes), false);
  }

  static BlockDeviceException.Reason reason(CompletableFuture<?> request) {
    eventually(() -> assertThat(request).isCompletedExceptionally());
    return ((BlockDeviceException) request.exceptionNow()).reason();
  }

  @Override
  public void close() {
    servers.forEach(DiskExports::close);
    clients.forEach(Corfu::close);
    cluster.close();
  }
}
