package corfu.bench.zookeeper.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** An order to the load process, as a line of text. */
public sealed interface EnsembleOrder {

  /** The server index that means all servers. */
  int ALL_SERVERS = -1;

  /** Returns the name of the ensemble. It has no spaces. */
  String ensemble();

  /** Returns the line that {@link #parse} understands. */
  String toLine();

  /**
   * Names the servers of an ensemble. Sessions are opened when an order needs them.
   *
   * @param servers the client addresses, {@code HOST:PORT} each, one or more
   */
  record Open(String ensemble, List<String> servers) implements EnsembleOrder {
    public Open {
      servers = List.copyOf(servers);
    }

    @Override
    public String toLine() {
      return "open %s %s".formatted(ensemble, String.join(",", servers));
    }
  }

  /** Closes all sessions of an ensemble and forgets its servers. */
  record Close(String ensemble) implements EnsembleOrder {
    @Override
    public String toLine() {
      return "close " + ensemble;
    }
  }

  /**
   * Reads and writes nodes, with a constant number of requests in flight.
   *
   * @param clients the number of sessions, 1 or more
   * @param depth the requests in flight of each session, 1 or more
   * @param readPercent the part of the requests that read, 0 to 100
   * @param bytes the data of a node, in bytes
   * @param server the index of the only server with sessions, or {@link #ALL_SERVERS}
   */
  record Mix(
      String ensemble,
      int clients,
      int depth,
      int readPercent,
      int bytes,
      int server,
      Duration time)
      implements EnsembleOrder {
    @Override
    public String toLine() {
      return "mix %s %d %d %d %d %d %d"
          .formatted(ensemble, clients, depth, readPercent, bytes, server, time.toMillis());
    }
  }

  /** Creates one node at a time, at each server in turn, and deletes the nodes afterwards. */
  record Creates(String ensemble, int bytes, Duration time) implements EnsembleOrder {
    @Override
    public String toLine() {
      return "creates %s %d %d".formatted(ensemble, bytes, time.toMillis());
    }
  }

  /** Repeats a recipe. */
  record Repeat(String ensemble, Recipe recipe, int bytes, Duration time) implements EnsembleOrder {
    @Override
    public String toLine() {
      return "repeat %s %s %d %d"
          .formatted(ensemble, recipe.name().toLowerCase(Locale.ROOT), bytes, time.toMillis());
    }
  }

  /**
   * Creates nodes in parents of a thousand nodes each.
   *
   * @param nodes the number of nodes; a whole number of thousands is created
   */
  record Fill(String ensemble, int nodes, int bytes) implements EnsembleOrder {
    @Override
    public String toLine() {
      return "fill %s %d %d".formatted(ensemble, nodes, bytes);
    }
  }

  /** Checks that the nodes of {@link Fill} exist. */
  record Check(String ensemble, int nodes) implements EnsembleOrder {
    @Override
    public String toLine() {
      return "check %s %d".formatted(ensemble, nodes);
    }
  }

  /**
   * Returns the order in a line.
   *
   * @throws IllegalArgumentException if the line is not an order
   */
  static EnsembleOrder parse(String line) {
    String[] words = line.strip().split(" ", -1);
    String kind = "%s %d".formatted(words[0], words.length - 1);
    return switch (kind) {
      case "open 2" -> new Open(words[1], Arrays.asList(words[2].split(",", -1)));
      case "close 1" -> new Close(words[1]);
      case "mix 7" ->
          new Mix(
              words[1],
              number(words[2]),
              number(words[3]),
              number(words[4]),
              number(words[5]),
              number(words[6]),
              time(words[7]));
      case "creates 3" -> new Creates(words[1], number(words[2]), time(words[3]));
      case "repeat 4" ->
          new Repeat(
              words[1],
              Recipe.valueOf(words[2].toUpperCase(Locale.ROOT)),
              number(words[3]),
              time(words[4]));
      case "fill 3" -> new Fill(words[1], number(words[2]), number(words[3]));
      case "check 2" -> new Check(words[1], number(words[2]));
      default -> throw new IllegalArgumentException("not an order: '" + line + "'");
    };
  }

  private static int number(String word) {
    return Integer.parseInt(word);
  }

  private static Duration time(String word) {
    return Duration.ofMillis(Long.parseLong(word));
  }
}
