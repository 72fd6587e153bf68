package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.log.NewEntrySignal;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plays several streams together, in the order of the log. An entry that is in several of them
 * comes once for each. For one thread; after a failure the same call may be made again.
 */
final class StreamsInOrder {

  private final Streams streams;
  private final List<Player> players = new ArrayList<>();

  StreamsInOrder(Streams streams) {
    this.streams = streams;
  }

  /**
   * What comes next.
   *
   * @param read an entry, or that some were trimmed
   */
  record Next(StreamName stream, StreamRead read) {}

  /** One stream, and its next entry where that has been read already. */
  private static final class Player {
    private final StreamName name;
    private final StreamReader reader;
    private StreamRead next = StreamRead.Absent.ABSENT;

    private Player(StreamName name, StreamReader reader) {
      this.name = name;
      this.reader = reader;
    }

    private Next take() {
      var taken = new Next(name, next);
      next = StreamRead.Absent.ABSENT;
      return taken;
    }
  }

  void add(StreamName name, StreamReader reader) {
    players.add(new Player(name, reader));
  }

  /** Signals from now on when there is more than has been read. */
  void listen(NewEntrySignal signal) {
    for (Player player : players) {
      streams.open(player.reader.stream()).subscribe(player.reader.position(), signal);
    }
  }

  /** Finds out what there is, in all of them at one moment. */
  void sync() {
    streams.sync(players.stream().map(player -> player.reader).toList());
  }

  /** The next one of what the last sync found; empty at its end. */
  Optional<Next> next() {
    Optional<Player> first = Optional.empty();
    long lowest = Long.MAX_VALUE;
    for (Player player : players) {
      if (player.next instanceof StreamRead.Absent) {
        player.next = player.reader.readNext();
      }
      switch (player.next) {
        case StreamRead.Entry entry -> {
          if (entry.address().value() < lowest) {
            first = Optional.of(player);
            lowest = entry.address().value();
          }
        }
        case StreamRead.Trimmed trimmed -> {
          return Optional.of(player.take());
        }
        case StreamRead.Absent nothing -> {}
      }
    }
    return first.map(Player::take);
  }
}
