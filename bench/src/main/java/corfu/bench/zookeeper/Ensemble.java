package corfu.bench.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Servers with the protocol of ZooKeeper, as processes. Not thread-safe. */
interface Ensemble extends AutoCloseable {

  /** Returns the name of the system in tables and orders. It has no spaces. */
  String name();

  /** Returns the running servers, in the order of the connect string. */
  List<EnsembleServer> servers();

  /** Returns the client addresses of all servers, {@code HOST:PORT} each, separated by commas. */
  default String connectString() {
    return servers().stream().map(EnsembleServer::address).collect(Collectors.joining(","));
  }

  /**
   * Returns the processor time so far of each process that stores entries for the servers, or
   * nothing if the servers store their entries themselves.
   */
  List<Duration> storageCpu();

  /**
   * Stops all servers and starts them again with what they have stored.
   *
   * @return the time from the start of the first process until all servers grant sessions
   */
  Duration restart() throws IOException, InterruptedException;

  /** Stops all servers and deletes their data. */
  @Override
  void close();
}
