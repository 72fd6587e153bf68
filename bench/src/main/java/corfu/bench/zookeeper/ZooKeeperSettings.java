package corfu.bench.zookeeper;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of {@link ZooKeeperBenchmark}.
 *
 * @param rows the measurements; empty means all
 * @param systems the systems to measure; empty means both
 * @param rounds the number of turns of each system, 1 or more
 * @param round the length of a turn
 * @param clients the number of sessions, 1 or more
 * @param depth the requests in flight of each session, 1 or more
 * @param bytes the data of a node, in bytes, 0 or more
 * @param polls the polls of the recipes; the last one is the poll of all other rows
 * @param readPercents the parts of the requests that read, 0 to 100 each, for the figures
 * @param simulated the numbers of servers of simulated ensembles, more than 3 each
 * @param nodes the number of nodes of a server that starts, in thousands, 1 or more
 * @param plot the SVG file of the figures
 */
public record ZooKeeperSettings(
    Set<Row> rows,
    Set<ComparedSystem> systems,
    int rounds,
    Duration round,
    int clients,
    int depth,
    int bytes,
    List<Poll> polls,
    List<Integer> readPercents,
    List<Integer> simulated,
    int nodes,
    Optional<Path> plot) {

  /** The number of server processes. */
  static final int SERVERS = 3;

  /** The maximal heap of each server, in MiB. */
  static final int HEAP_MIB = 2048;

  /** The measurements. */
  public enum Row {
    /** Writes of many clients. */
    WRITES,
    /** Reads of many clients. */
    READS,
    /** One create at a time. */
    CREATES,
    /** Table 6.1. */
    RECIPES,
    /** Figures 6.3 and 6.4. */
    FIGURES,
    /** The start of a server with many nodes. */
    START
  }

  /** The compared systems. */
  public enum ComparedSystem {
    CORFU,
    ZOOKEEPER
  }

  public ZooKeeperSettings {
    rows = Set.copyOf(rows.isEmpty() ? EnumSet.allOf(Row.class) : rows);
    systems = Set.copyOf(systems.isEmpty() ? EnumSet.allOf(ComparedSystem.class) : systems);
    polls = List.copyOf(polls);
    readPercents = readPercents.stream().sorted().distinct().toList();
    simulated = simulated.stream().sorted().distinct().toList();
    if (rounds < 1 || clients < 1 || depth < 1 || bytes < 0 || nodes < 1) {
      throw new IllegalArgumentException("rounds, clients, depth and nodes are 1 or more");
    }
    if (!round.isPositive()) {
      throw new IllegalArgumentException("measuring takes more than no time");
    }
    if (polls.isEmpty() || readPercents.isEmpty()) {
      throw new IllegalArgumentException("name a poll and a part of reads");
    }
    if (readPercents.getFirst() < 0 || readPercents.getLast() > 100) {
      throw new IllegalArgumentException("reads are 0 to 100 percent");
    }
    if (simulated.stream().anyMatch(servers -> servers <= SERVERS)) {
      throw new IllegalArgumentException(
          "simulated ensembles have more than %d servers".formatted(SERVERS));
    }
  }

  boolean has(Row row) {
    return rows.contains(row);
  }

  boolean has(ComparedSystem system) {
    return systems.contains(system);
  }

  /** Returns the poll of all rows but the recipes. */
  Poll poll() {
    return polls.getLast();
  }
}
