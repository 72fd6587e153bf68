package corfu.bench.harness;

import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.List;

/**
 * What to measure. Benchmarks run every combination of the lists.
 *
 * @param sizes bytes that an entry carries
 * @param clients how many threads ask; they share one connection
 * @param depths how many requests of each thread are under way; 1: it waits for each
 * @param nodes how many server processes
 * @param duration how long each combination is measured, in all
 * @param warmup how long each combination runs before that
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

  /** Does something with each combination of client count and depth. */
  public void eachLoad(Load load) throws Exception {
    for (int clientCount : clients) {
      for (int depth : depths) {
        load.with(clientCount, depth);
      }
    }
  }

  /** Is told how many ask, and how much of each at a time. */
  @FunctionalInterface
  public interface Load {
    void with(int clients, int depth) throws Exception;
  }
}
