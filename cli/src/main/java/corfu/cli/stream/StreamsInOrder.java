package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.log.NewEntrySignal;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plays several streams together, in the order of the log. An entry of several streams comes once
 * for each. For one thread; after a failure the same call may be made again.
 */
final class StreamsInOrder {

  private final Streams streams;
  private final List<Player> players = new ArrayList<>();

  StreamsInOrder(Streams streams) {
    this.streams = streams;
  }

  /**
   * The next event of the streams.
   *
   * @param read an entry, or a trim
   */
  record Next(StreamName stream, StreamRead read) {}

  /** One stream, and its next entry if that has been read. */
  private static final class Player {
    private final StreamName name;
    private final StreamReader reader;
    private final StreamAddress end;
    private StreamRead next = StreamRead.Absent.ABSENT;

    private Player(StreamName name, StreamReader reader, StreamAddress end) {
      this.name = name;
      this.reader = reader;
      this.end = end;
    }

    private boolean isAtEnd() {
      return next instanceof StreamRead.Entry entry && entry.streamAddress().compareTo(end) >= 0;
    }

    private Next take() {
      var taken = new Next(name, next);
      next = StreamRead.Absent.ABSENT;
      return taken;
    }
  }

  void add(StreamName name, StreamReader reader) {
    add(name, reader, new StreamAddress(Long.MAX_VALUE));
  }

  /**
   * Adds a stream.
   *
   * @param end the stream address behind the last entry that is wanted
   */
  void add(StreamName name, StreamReader reader, StreamAddress end) {
    players.add(new Player(name, reader, end));
  }

  /** Signals new entries from now on. */
  void listen(NewEntrySignal signal) {
    for (Player player : players) {
      streams.open(player.reader.stream()).subscribe(player.reader.position(), signal);
    }
  }

  /** Finds the tails of all streams at one moment. */
  void sync() {
    streams.sync(players.stream().map(player -> player.reader).toList());
  }

  /** Returns the next event below the tails of the last sync, or empty if there is none. */
  Optional<Next> next() {
    Optional<Player> first = Optional.empty();
    long lowest = Long.MAX_VALUE;
    for (Player player : players) {
      if (player.next instanceof StreamRead.Absent) {
        player.next = player.reader.readNext();
      }
      switch (player.next) {
        case StreamRead.Entry entry -> {
          if (!player.isAtEnd() && entry.address().value() < lowest) {
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
