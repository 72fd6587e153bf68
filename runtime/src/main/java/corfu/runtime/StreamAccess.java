package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What streams are made of: appends with stream headers, ends as the sequencer knows them, and the
 * log units' indexes. For {@code corfu.runtime.stream}; applications use what is there.
 * Thread-safe. Calls end like those of {@link Log}.
 */
public final class StreamAccess {

  private final LogClient client;

  StreamAccess(LogClient client) {
    this.client = client;
  }

  /**
   * Where streams end.
   *
   * @param tail the log's tail at the same moment
   * @param began tokens below this log address are used already, or will never be
   * @param epoch in which it was so: the next one may begin below the tail
   * @param ends the place of each stream's next entry. What leads back from there may lead to
   *     tokens that nobody has used.
   */
  public record Ends(Address tail, Address began, Epoch epoch, List<StreamPosition> ends) {}

  /**
   * What the log units know of a stream.
   *
   * @param trimmedBefore the stream is trimmed below this
   * @param newestFirst entries, the newest first; some may be trimmed, and some holes by now
   */
  public record Found(StreamAddress trimmedBefore, List<Occurrence> newestFirst) {}

  /**
   * A piece of a stream.
   *
   * @param entries in the stream's order
   * @param readBelow up to which log address this is all that one of the stream's own replicas
   *     holds. What is only just being written, or was left half done, may be missing.
   * @param isReplicated whether streams have replicas of their own there; if not, {@code entries}
   *     is empty, and others tell what there is
   * @param trimmedBefore the stream is trimmed below this stream address: whatever trim has
   *     returned before the piece was asked for is in it. Empty where no replica was asked.
   */
  public record Piece(
      List<LogEntry.Data> entries,
      Address readBelow,
      boolean isReplicated,
      OptionalLong trimmedBefore) {

    /** Without what has come from this log address on. */
    private Piece upTo(Address tail) {
      if (readBelow.compareTo(tail) <= 0) {
        return this;
      }
      List<LogEntry.Data> before =
          entries.stream().takeWhile(entry -> entry.address().compareTo(tail) < 0).toList();
      return new Piece(before, tail, isReplicated, trimmedBefore);
    }
  }

  public World world() {
    return client.world();
  }

  public Log log() {
    return client;
  }

  /** The newest layout that this client has needed so far. */
  public Layout layout() {
    return client.layout();
  }

  /**
   * Asks one server once, whatever it answers.
   *
   * @param patience how long the answer may take
   * @throws UnavailableException if there is none
   */
  public Reply ask(Endpoint server, Request request, Duration patience) {
    return client
        .servers()
        .ask(server, request, Duration.ofNanos(deadline().remainingNanos(patience)));
  }

  /** Runs this when the client is closed; at once if it has been. */
  public void whenClosed(Runnable then) {
    client.whenClosed(then);
  }

  /**
   * Begins a call of the thread, or a part of the one that it is in: until it has ended, all that
   * the thread asks of this client's cluster ends by one deadline.
   */
  public CallScope call() {
    return client.attempts().call();
  }

  /** Begins a part of a call with this deadline, which may have begun on another thread. */
  public CallScope within(Deadline deadline) {
    return client.attempts().within(deadline);
  }

  /** Returns the deadline of the call that the thread is in, or that of a call that begins now. */
  public Deadline deadline() {
    return client.attempts().deadline();
  }

  /** Everything below this log address is trimmed, as far as this client has heard. */
  public Address beginning() {
    return new Address(client.layout().segments().getFirst().start());
  }

  /**
   * Appends one entry to streams, under a condition or none.
   *
   * @param payload it must not change until the call has returned
   */
  public StreamAppend append(TokenWish wish, ByteBuffer payload) {
    return append(wish, AsOf.DECIDED, payload, outcome -> {});
  }

  /**
   * The same, for who wants to know as soon as it has happened, on whatever thread that is.
   *
   * @param asOf when the condition's snapshot was taken
   * @param listener must not block; told if there is an outcome
   */
  public StreamAppend append(
      TokenWish wish, AsOf asOf, ByteBuffer payload, Consumer<StreamAppend> listener) {
    PendingAppend append = client.pending(checked(wish), asOf, payload);
    CompletableFuture<StreamAppend> told =
        append.done.thenApply(
            address -> {
              StreamAppend outcome = outcome(append);
              listener.accept(outcome);
              return outcome;
            });
    append.tells(told);
    client.appendAndHelp(append);
    return client.awaitSoon(told);
  }

  /**
   * Waits until an append of this client to streams that was given this address is done, and its
   * listener told; not at all if there is none, and no longer than the hole timeout.
   */
  public void awaitOwn(Address address) {
    client.underWay().await(address.value(), client.options().holeTimeout(), deadline());
  }

  /** The same without waiting; {@code payload} must not change until the future is done. */
  public CompletableFuture<StreamAppend> appendAsync(TokenWish wish, ByteBuffer payload) {
    PendingAppend append = client.appendAsync(checked(wish), payload);
    return append.done.thenApply(address -> outcome(append));
  }

  private TokenWish checked(TokenWish wish) {
    int most = client.options().limits().maxStreamsPerEntry();
    if (wish.writes().size() > most) {
      throw new TooManyStreamsException(wish.writes().size(), most);
    }
    return wish.inOrder();
  }

  private static StreamAppend outcome(PendingAppend append) {
    if (append.conflict().isPresent()) {
      TokenOutcome.Conflict conflict = append.conflict().get();
      return new StreamAppend.Conflict(
          conflict.stream(), conflict.key(), new Address(conflict.address()));
    }
    Entry entry = append.entry();
    List<StreamAppend.Place> places = new ArrayList<>(entry.streamCount());
    for (int i = 0; i < entry.streamCount(); i++) {
      places.add(
          new StreamAppend.Place(entry.streamId(i), new StreamAddress(entry.streamAddress(i))));
    }
    return new StreamAppend.Appended(append.address(), places, append.epoch());
  }

  /**
   * Where these streams end: whatever has been appended to them by now is before that.
   *
   * @throws UnavailableException also if the layout names no sequencer
   */
  public Ends ends(List<StreamId> streams) {
    return client
        .attempts()
        .untilDone(
            "find the ends of " + streams.size() + " streams",
            (layout, deadline) -> {
              var ends = client.tokens().ends(layout, streams, deadline);
              return new Ends(
                  new Address(ends.next()), new Address(ends.began()), layout.epoch(), ends.ends());
            });
  }

  /**
   * What the units know of these streams; whatever has been appended to them by now is among it.
   *
   * @param most how many entries are wanted for each
   */
  public List<Found> find(List<StreamQuery> queries, int most) {
    return client
        .attempts()
        .untilDone(
            "look for entries of " + queries.size() + " streams",
            (layout, deadline) -> client.units().find(queries, most, layout, deadline))
        .stream()
        .map(found -> new Found(new StreamAddress(found.trimmedBefore()), found.newestFirst()))
        .toList();
  }

  /**
   * Reads a piece of a stream where it has replicas of its own.
   *
   * @param from the first stream address that is wanted
   * @param logFrom where in the log to begin; the piece lies in the first segment from there on
   * @param logBelow where in the log to end at the latest
   */
  public Piece read(StreamId stream, StreamAddress from, Address logFrom, Address logBelow) {
    return read(wish(stream, from, logFrom, logBelow.value()));
  }

  /**
   * Asks for a piece as {@link #read} does, which whoever wants it waits for.
   *
   * @return what waits for it, on the same thread
   */
  public Supplier<Piece> readAhead(
      StreamId stream, StreamAddress from, Address logFrom, Address logBelow) {
    var wish = wish(stream, from, logFrom, logBelow.value());
    Optional<StreamPieces.Asked> asked = ask(wish, false);
    return () ->
        asked
            .flatMap(StreamPieces.Asked::await)
            .map(StreamAccess::piece)
            .orElseGet(() -> read(wish));
  }

  /**
   * Where a stream ends, and its first piece.
   *
   * @param piece empty if it has to be read now that the end is known
   */
  public record Beginning(Ends ends, Optional<Piece> piece) {}

  /** Asks for both at the same time: {@link #ends} and {@link #read}, up to the tail. */
  public Beginning begin(StreamId stream, StreamAddress from, Address logFrom) {
    CallScope call = call();
    try {
      return beginning(stream, from, logFrom);
    } finally {
      call.end();
    }
  }

  private Beginning beginning(StreamId stream, StreamAddress from, Address logFrom) {
    Optional<StreamPieces.Asked> asked = ask(wish(stream, from, logFrom, Long.MAX_VALUE), true);
    Ends ends;
    try {
      ends = ends(List.of(stream));
    } catch (RuntimeException failure) {
      asked.ifPresent(StreamPieces.Asked::giveUp);
      throw failure;
    }
    return new Beginning(
        ends,
        asked.flatMap(StreamPieces.Asked::await).map(piece -> piece(piece).upTo(ends.tail())));
  }

  private static StreamPieces.Wish wish(
      StreamId stream, StreamAddress from, Address logFrom, long logBelow) {
    return new StreamPieces.Wish(stream, from.value(), logFrom.value(), logBelow);
  }

  private Optional<StreamPieces.Asked> ask(StreamPieces.Wish wish, boolean isAwaited) {
    Attempts attempts = client.attempts();
    return client.pieces().ask(wish, isAwaited, attempts.layout(), attempts.deadline());
  }

  private Piece read(StreamPieces.Wish wish) {
    return piece(
        client
            .attempts()
            .untilDone(
                "read stream " + wish.stream() + " from " + wish.from(),
                (layout, deadline) -> client.pieces().read(wish, layout, deadline)));
  }

  private static Piece piece(StreamPiece found) {
    return switch (found) {
      case StreamPiece.Entries(List<Entry> entries, long below, OptionalLong trimmedBefore) -> {
        List<LogEntry.Data> data = new ArrayList<>(entries.size());
        entries.forEach(entry -> data.add(LogClient.data(entry)));
        yield new Piece(data, new Address(below), true, trimmedBefore);
      }
      case StreamPiece.NotReplicated(long below) ->
          new Piece(List.of(), new Address(below), false, OptionalLong.empty());
    };
  }

  /** Has something read on a thread of its own, while the caller looks at what it has. */
  public <T> CompletableFuture<T> ahead(Supplier<T> reading) {
    CompletableFuture<T> read = new CompletableFuture<>();
    client
        .world()
        .start(
            "corfu-stream-read",
            () -> {
              try {
                read.complete(reading.get());
              } catch (RuntimeException failure) {
                read.completeExceptionally(failure);
              }
            });
    return read;
  }

  /** Waits for what is read {@link #ahead}; whatever went wrong comes out as it is. */
  public <T> T await(CompletableFuture<T> read) {
    return LogClient.await(read, "read ahead", deadline());
  }

  /**
   * Makes sure that all addresses of a range are decided: waits for writers no longer than the hole
   * timeout.
   */
  public void settle(Address from, Address to) {
    CallScope call = call();
    try {
      List<Address> open =
          client
              .attempts()
              .untilDone(
                  "look for undecided addresses from " + from + " to " + to,
                  (layout, deadline) ->
                      client.units().unwritten(from.value(), to.value(), layout, deadline));
      client.read(open);
    } finally {
      call.end();
    }
  }

  /**
   * Those of these few addresses that are complete, as far as one question tells, with what they
   * hold; waits for no writer.
   *
   * @param addresses at least one
   */
  public List<LogEntry.Data> readComplete(List<Address> addresses) {
    return client.readComplete(addresses);
  }

  /**
   * Which of these addresses nobody has written yet, as their heads know; asks once. No append
   * there has ended, and nobody has been told of one.
   *
   * @param epoch that issued them; none are told of if the layout is another one by now
   */
  public Set<Long> unwritten(List<Address> addresses, Epoch epoch) {
    Layout layout = layout();
    if (!layout.epoch().equals(epoch)) {
      return Set.of();
    }
    try {
      List<Long> asked = addresses.stream().map(Address::value).toList();
      return client.units().unwritten(asked, layout, client.attempts().deadline());
    } catch (SetbackException notNow) {
      return Set.of();
    }
  }

  /**
   * Refuses what is growing and will not fit into an entry, before there is more of it.
   *
   * @param what it is, for the message
   * @throws EntryTooLargeException if a payload of so many bytes would be refused
   */
  public void checkFits(String what, int payloadBytes) {
    int max = client.options().limits().maxPayloadBytes();
    if (payloadBytes > max) {
      throw new EntryTooLargeException(what, max);
    }
  }

  /** How much may wait of what units have told of. */
  public long maxBytesPushed() {
    return client.options().maxBytesPushed();
  }

  /** News of streams for this receiver; it follows none yet. */
  public Pushes pushes(Pushes.Receiver receiver) {
    return client.pushes(receiver);
  }

  /**
   * The streams of this one of the {@link StreamId#PARTS} that have entries, with their ends as the
   * units know them, by their ids.
   */
  public List<StreamTail> list(int part) {
    return client
        .attempts()
        .untilDone(
            "list the streams of part " + part,
            (layout, deadline) -> client.units().list(part, layout, deadline));
  }

  /** Gives up a stream's entries below this place, for ever. */
  public void trim(StreamId stream, StreamAddress before) {
    client
        .attempts()
        .untilDone(
            "trim stream " + stream + " before " + before,
            (layout, deadline) -> {
              client
                  .trimmer()
                  .askAll(
                      layout,
                      new LogUnitRequest.TrimStream(layout.epoch(), stream, before.value()),
                      deadline);
              return Reply.Done.DONE;
            });
  }
}
