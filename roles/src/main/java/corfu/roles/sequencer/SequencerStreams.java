package corfu.roles.sequencer;

import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenOutcome.Conflict;
import corfu.protocol.stream.TokenOutcome.Issued;
import corfu.protocol.stream.TokenWish;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A sequencer's knowledge of streams in one epoch, and its decisions on tokens (docs/design.md,
 * section 5; dissertation, sections 4.1 and 5.2).
 *
 * <p>In an epoch that begins at address 0, every stream is empty at first. In any other epoch, a
 * stream is unknown until a client tells where it ended when the epoch began. No knowledge of
 * another epoch is used. Not thread-safe.
 */
final class SequencerStreams implements AutoCloseable {

  private final long floor;
  private final int mostStreams;
  private final StreamTable table = new StreamTable();
  private final KeyTable keys;

  /**
   * Creates the state for a new epoch.
   *
   * @param options how much it remembers
   * @param floor the epoch's first address
   */
  SequencerStreams(SequencerOptions options, long floor) {
    this.floor = floor;
    this.mostStreams = options.mostStreams();
    this.keys = new KeyTable(options.mostKeys(), floor);
  }

  /** Returns the epoch's first address. */
  long floor() {
    return floor;
  }

  /** Returns the number of known streams. */
  int count() {
    return table.size();
  }

  /** Returns the memory outside the heap in bytes. */
  long memoryBytes() {
    return table.memoryBytes() + keys.memoryBytes();
  }

  /**
   * Makes sure that these streams are known.
   *
   * @param named the streams of a request
   * @param written those of them that it may write
   * @param known the ends of streams at the epoch's beginning, as far as the client knows them
   * @return the reason why a stream is unknown; then nothing has changed
   */
  Optional<Reply> admit(List<StreamId> named, List<StreamId> written, List<StreamTail> known) {
    if (floor == 0) {
      return refusalOfMore(written);
    }
    Map<StreamId, StreamPosition> newcomers = HashMap.newHashMap(known.size());
    for (StreamTail tail : known) {
      if (table.find(tail.stream()) != StreamTable.NOBODY) {
        continue;
      }
      if (!isPossible(tail)) {
        return Optional.of(impossible(tail));
      }
      newcomers.putIfAbsent(tail.stream(), tail.end());
    }
    Set<StreamId> unknown = new LinkedHashSet<>();
    for (StreamId stream : named) {
      if (table.find(stream) == StreamTable.NOBODY && !newcomers.containsKey(stream)) {
        unknown.add(stream);
      }
    }
    if (!unknown.isEmpty()) {
      return Optional.of(new SequencerReply.UnknownStreams(floor, List.copyOf(unknown)));
    }
    if (newcomers.size() > mostStreams - table.size()) {
      return Optional.of(full(newcomers.size()));
    }
    newcomers.forEach(table::enter);
    return Optional.empty();
  }

  /**
   * Adds the ends of streams from a mirror, which knows them. Any other knowledge of these streams
   * is of lower addresses.
   *
   * @param to the address behind the last copied one. If it is below the epoch's first address, log
   *     units may hold more of an unknown stream, and have to be asked
   * @param ends the ends of the copied streams
   * @return the reason why they cannot be remembered; then nothing has changed
   */
  Optional<Reply> adopt(long to, List<StreamTail> ends) {
    Set<StreamId> newcomers = new HashSet<>();
    for (StreamTail tail : ends) {
      if (to >= floor && table.find(tail.stream()) == StreamTable.NOBODY) {
        newcomers.add(tail.stream());
      }
    }
    if (newcomers.size() > mostStreams - table.size()) {
      return Optional.of(full(newcomers.size()));
    }
    for (StreamTail tail : ends) {
      int stream = table.find(tail.stream());
      if (stream == StreamTable.NOBODY) {
        if (to >= floor) {
          table.enter(tail.stream(), tail.end());
        }
      } else if (table.streamAddress(stream) < tail.end().streamAddress()) {
        table.put(stream, tail.end());
      }
    }
    return Optional.empty();
  }

  /** Decides on a token. The wish's streams must have been admitted. */
  TokenOutcome issue(TokenWish wish, long address) {
    Optional<Conflict> conflict = wish.condition().flatMap(this::conflict);
    if (conflict.isPresent()) {
      return conflict.get();
    }
    List<StreamPart> writes = wish.writes();
    return switch (writes.size()) {
      case 0 -> new Issued(address, List.of());
      case 1 -> new Issued(address, List.of(write(writes.getFirst(), address)));
      default -> {
        List<StreamPosition> places = new ArrayList<>(writes.size());
        for (StreamPart part : writes) {
          places.add(write(part, address));
        }
        yield new Issued(address, places);
      }
    };
  }

  /** Returns the end of an admitted stream. */
  StreamPosition end(StreamId id) {
    int stream = table.find(id);
    return stream == StreamTable.NOBODY ? StreamPosition.START : table.end(stream);
  }

  @Override
  public void close() {
    table.close();
    keys.close();
  }

  private StreamPosition write(StreamPart part, long address) {
    int found = table.find(part.stream());
    int stream =
        found == StreamTable.NOBODY ? table.enter(part.stream(), StreamPosition.START) : found;
    StreamPosition place = table.end(stream);
    table.advance(stream, address);
    if (part.keys().isEmpty()) {
      table.newestChangesWhole(stream);
    }
    for (long key : part.keys()) {
      keys.changed(stream, key, address);
    }
    return place;
  }

  /** Returns the conflict of the first part that may have changed. */
  private Optional<Conflict> conflict(Condition condition) {
    for (StreamPart part : condition.reads()) {
      Optional<Conflict> conflict = conflict(part, condition.snapshot());
      if (conflict.isPresent()) {
        return conflict;
      }
    }
    return Optional.empty();
  }

  private Optional<Conflict> conflict(StreamPart part, long snapshot) {
    int stream = table.find(part.stream());
    long newest = stream == StreamTable.NOBODY ? StreamTable.NEVER : newest(stream);
    if (newest < snapshot) {
      return Optional.empty();
    }
    StreamId id = part.stream();
    if (part.keys().isEmpty()) {
      return Optional.of(new Conflict(id, OptionalLong.empty(), newest));
    }
    for (long key : part.keys()) {
      long changed = keys.newest(stream, key);
      if (changed >= snapshot) {
        return Optional.of(new Conflict(id, OptionalLong.of(key), changed));
      }
    }
    long whole = table.newestOfWhole(stream);
    if (whole >= snapshot) {
      return Optional.of(new Conflict(id, OptionalLong.empty(), whole));
    }
    return snapshot < keys.forgottenBelow()
        ? Optional.of(new Conflict(id, OptionalLong.empty(), newest))
        : Optional.empty();
  }

  /**
   * Returns the log address of the newest change of a stream, or the highest that it can have.
   *
   * <p>Log units may have forgotten trimmed entries. The stream then continues at the log address
   * below which they have forgotten them (decision 9), and its newest known entry need not be its
   * newest one. Otherwise no stream address is higher than its log address, so the higher of both
   * is a bound. For a stream that was trimmed to its end, the entries may have been anywhere below
   * the epoch's first address.
   */
  private long newest(int stream) {
    long newest = table.newest(stream);
    long end = table.streamAddress(stream);
    return newest == StreamTable.NEVER && end > 0 ? floor - 1 : Math.max(newest, end - 1);
  }

  /** Returns whether a stream can have ended like this before the epoch began. */
  private boolean isPossible(StreamTail tail) {
    StreamPosition end = tail.end();
    boolean isBelow = end.previous().isEmpty() || end.previous().at(0) < floor;
    return isBelow
        && end.streamAddress() <= floor
        && end.streamAddress() >= end.previous().count()
        && !tail.stream().equals(StreamId.NONE);
  }

  private Failure impossible(StreamTail tail) {
    return new Failure.Refused(
        Failure.Cause.MALFORMED,
        "stream "
            + tail.stream()
            + " cannot have ended at stream address "
            + tail.end().streamAddress()
            + " behind "
            + tail.end().previous()
            + " when this epoch began at "
            + floor
            + ": it can have ended no higher than there, behind entries below, and with no more of"
            + " them than stream addresses; and the reserved stream has none");
  }

  /**
   * Returns the reason to refuse new streams, or empty. If streams need not be known, they are
   * added when they are written.
   */
  private Optional<Reply> refusalOfMore(List<StreamId> written) {
    if (written.size() <= mostStreams - table.size()) {
      return Optional.empty();
    }
    Set<StreamId> newcomers = new HashSet<>();
    for (StreamId stream : written) {
      if (table.find(stream) == StreamTable.NOBODY) {
        newcomers.add(stream);
      }
    }
    return newcomers.size() <= mostStreams - table.size()
        ? Optional.empty()
        : Optional.of(full(newcomers.size()));
  }

  private Failure full(int more) {
    return new Failure.Refused(
        Failure.Cause.TOO_LARGE,
        "this sequencer keeps up to "
            + mostStreams
            + " streams an epoch; it has "
            + table.size()
            + ", and there is no room for "
            + more
            + " more: renew the layout, for a new epoch begins without those that nobody uses any"
            + " more");
  }
}
