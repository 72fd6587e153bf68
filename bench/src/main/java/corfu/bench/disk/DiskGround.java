package corfu.bench.disk;

import corfu.bench.harness.BenchCluster;
import corfu.disk.DiskStatus;
import corfu.disk.Disks;
import corfu.node.local.JavaCommand;
import corfu.protocol.Endpoint;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** Durable log servers, a client of them, and the servers of disks of a benchmark. */
final class DiskGround implements AutoCloseable {

  private static final int BLOCK_BYTES = 4096;

  private final JavaCommand java;
  private final BenchCluster log;
  private final int copies;

  private DiskGround(JavaCommand java, BenchCluster log, int copies) {
    this.java = java;
    this.log = log;
    this.copies = copies;
  }

  /** Starts as many log servers as there are copies. */
  static DiskGround start(JavaCommand java, int copies) {
    return new DiskGround(
        java,
        BenchCluster.start(java, BenchCluster.Shape.of(copies, copies, UnitMode.DURABLE)),
        copies);
  }

  int copies() {
    return copies;
  }

  Path directory() {
    return log.directory();
  }

  /** Returns another client of the log. The caller closes it. */
  Corfu connect() {
    return log.connect();
  }

  void create(String name, long bytes) {
    try (Corfu corfu = connect()) {
      DiskStatus unused = Disks.over(corfu).create(name, bytes, BLOCK_BYTES).value();
    }
  }

  /** Starts a process that serves all disks on a Unix socket. */
  ServerProcess serve(Path socket) throws IOException, InterruptedException {
    String servers =
        log.endpoints().stream().map(Endpoint::toString).collect(Collectors.joining(","));
    ServerProcess server = ServerProcess.start(java, servers, socket);
    server.awaitSocket();
    return server;
  }

  @Override
  public void close() {
    log.close();
  }
}
