package corfu.bench.harness;

import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a benchmark, which runs every combination of the lists.
 *
 * @param sizes the payload sizes of entries, in bytes
 * @param clients the numbers of threads, which share one connection
 * @param depths the numbers of in-flight requests of each thread; with 1, a thread waits for each
 * @param nodes the number of server processes
 * @param duration the measured time of each combination, in all
 * @param warmup the time of each combination before that
 */
public record BenchSettings(
    List<Integer> sizes,
    List<Integer> clients,
    List<Integer> depths,
    UnitMode mode,
    int replicas,
    int nodes,
    Duration duration,
    Duration warmup) {

  private static final int MOST_IN_FLIGHT = 1 << 16;

  public BenchSettings {
    sizes = List.copyOf(sizes);
    clients = List.copyOf(clients);
    depths = List.copyOf(depths);
    if (sizes.stream().anyMatch(size -> size < 0)
        || clients.stream().anyMatch(count -> count < 1)
        || depths.stream().anyMatch(depth -> depth < 1)) {
      throw new IllegalArgumentException("sizes are 0 or more, clients and depths 1 or more");
    }
    for (int count : clients) {
      for (int depth : depths) {
        if ((long) count * depth > MOST_IN_FLIGHT) {
          throw new IllegalArgumentException(
              "clients times depth is at most " + MOST_IN_FLIGHT + ", not " + (long) count * depth);
        }
      }
    }
    if (replicas < 1 || replicas > nodes) {
      throw new IllegalArgumentException(
          "entries can have from 1 to %d replicas on %d nodes, not %d"
              .formatted(nodes, nodes, replicas));
    }
    if (duration.isNegative() || duration.isZero() || warmup.isNegative()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
  }

  public Scenario scenario(String benchmark, int size, int clientCount, int depth) {
    return new Scenario(benchmark, size, clientCount, depth, mode.text(), replicas);
  }

  /** Calls the load for each combination of client count and depth. */
  public void eachLoad(Load load) throws Exception {
    for (int clientCount : clients) {
      for (int depth : depths) {
        load.with(clientCount, depth);
      }
    }
  }

  /** A load of some clients with some in-flight requests each. */
  @FunctionalInterface
  public interface Load {
    void with(int clients, int depth) throws Exception;
  }
}
