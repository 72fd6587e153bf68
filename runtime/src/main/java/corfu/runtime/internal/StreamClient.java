package corfu.runtime.internal;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AsOf;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import corfu.runtime.TooManyStreamsException;
import corfu.runtime.internal.append.PendingAppend;
import corfu.runtime.internal.rpc.Futures;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.session.LogEntries;
import corfu.runtime.internal.session.RetryLoop;
import corfu.runtime.internal.stream.StreamPiece;
import corfu.runtime.internal.stream.StreamPieces;
import corfu.runtime.internal.stream.StreamUnits;
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

/** Implements streams with the parts of a client. Thread-safe. */
public final class StreamClient implements StreamAccess {

  private final LogClient client;
  private final ClientContext context;
  private final StreamUnits units;
  private final StreamPieces pieces;

  public StreamClient(LogClient client) {
    this.client = client;
    this.context = client.context();
    this.units = client.units();
    this.pieces = new StreamPieces(context.servers(), context.options().maxBatchBytes());
  }

  @Override
  public StreamId named(String name) {
    return context.layouts().names().remember(name);
  }

  @Override
  public World world() {
    return context.world();
  }

  @Override
  public Log log() {
    return client;
  }

  @Override
  public Layout layout() {
    return context.layout();
  }

  @Override
  public Reply ask(Endpoint server, Request request, Duration patience) {
    return context
        .servers()
        .ask(server, request, Duration.ofNanos(deadline().remainingNanos(patience)));
  }

  @Override
  public void whenClosed(Runnable then) {
    client.whenClosed(then);
  }

  @Override
  public CallScope call() {
    return context.retryLoop().call();
  }

  @Override
  public CallScope within(Deadline deadline) {
    return context.retryLoop().within(deadline);
  }

  @Override
  public Deadline deadline() {
    return context.deadline();
  }

  @Override
  public Address beginning() {
    return new Address(context.layout().segments().getFirst().start());
  }

  @Override
  public StreamAppend append(TokenWish wish, ByteBuffer payload) {
    return append(wish, AsOf.DECIDED, payload, outcome -> {});
  }

  @Override
  public StreamAppend append(
      TokenWish wish, AsOf asOf, ByteBuffer payload, Consumer<StreamAppend> listener) {
    PendingAppend append = client.appender().pending(checked(wish), asOf, payload);
    CompletableFuture<StreamAppend> told =
        append.done.thenApply(
            address -> {
              StreamAppend outcome = outcome(append);
              listener.accept(outcome);
              return outcome;
            });
    append.tells(told);
    client.appender().submitAndHelp(append);
    return Futures.awaitSoon(context.world(), told);
  }

  @Override
  public void awaitOwn(Address address) {
    client.inFlight().await(address.value(), context.options().holeTimeout(), deadline());
  }

  @Override
  public CompletableFuture<StreamAppend> appendAsync(TokenWish wish, ByteBuffer payload) {
    PendingAppend append = client.appender().pending(checked(wish), AsOf.DECIDED, payload);
    client.appender().submit(append);
    return append.done.thenApply(address -> outcome(append));
  }

  private TokenWish checked(TokenWish wish) {
    int most = context.options().limits().maxStreamsPerEntry();
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
      StreamHeader header = entry.stream(i);
      places.add(
          new StreamAppend.Place(
              header.stream(), new StreamAddress(header.streamAddress()), header.previous()));
    }
    return new StreamAppend.Appended(append.address(), places, append.epoch());
  }

  @Override
  public Ends ends(List<StreamId> streams) {
    return context
        .retryLoop()
        .untilDone(
            "find the ends of " + streams.size() + " streams",
            (layout, deadline) -> {
              var ends = client.tokens().ends(layout, streams, deadline);
              return new Ends(
                  new Address(ends.next()), new Address(ends.began()), layout.epoch(), ends.ends());
            });
  }

  @Override
  public List<Found> find(List<StreamQuery> queries, int most) {
    return context
        .retryLoop()
        .untilDone(
            "look for entries of " + queries.size() + " streams",
            (layout, deadline) -> units.find(queries, most, layout, deadline))
        .stream()
        .map(found -> new Found(new StreamAddress(found.trimmedBefore()), found.newestFirst()))
        .toList();
  }

  @Override
  public Piece read(StreamId stream, StreamAddress from, Address logFrom, Address logBelow) {
    return read(wish(stream, from, logFrom, logBelow.value()));
  }

  @Override
  public Supplier<Piece> readAhead(
      StreamId stream, StreamAddress from, Address logFrom, Address logBelow) {
    var wish = wish(stream, from, logFrom, logBelow.value());
    Optional<StreamPieces.Asked> asked = ask(wish, false);
    return () ->
        asked
            .flatMap(StreamPieces.Asked::await)
            .map(StreamClient::piece)
            .orElseGet(() -> read(wish));
  }

  @Override
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
        asked.flatMap(StreamPieces.Asked::await).map(piece -> upTo(piece(piece), ends.tail())));
  }

  private static StreamPieces.Wish wish(
      StreamId stream, StreamAddress from, Address logFrom, long logBelow) {
    return new StreamPieces.Wish(stream, from.value(), logFrom.value(), logBelow);
  }

  private Optional<StreamPieces.Asked> ask(StreamPieces.Wish wish, boolean isAwaited) {
    RetryLoop retryLoop = context.retryLoop();
    return pieces.ask(wish, isAwaited, retryLoop.layout(), retryLoop.deadline());
  }

  private Piece read(StreamPieces.Wish wish) {
    return piece(
        context
            .retryLoop()
            .untilDone(
                "read stream " + wish.stream() + " from " + wish.from(),
                (layout, deadline) -> pieces.read(wish, layout, deadline)));
  }

  private static Piece piece(StreamPiece found) {
    return switch (found) {
      case StreamPiece.Entries(List<Entry> entries, long below, OptionalLong trimmedBefore) -> {
        List<LogEntry.Data> data = new ArrayList<>(entries.size());
        entries.forEach(entry -> data.add(LogEntries.data(entry)));
        yield new Piece(data, new Address(below), true, trimmedBefore);
      }
      case StreamPiece.NotReplicated(long below) ->
          new Piece(List.of(), new Address(below), false, OptionalLong.empty());
    };
  }

  @Override
  public <T> CompletableFuture<T> ahead(Supplier<T> reading) {
    CompletableFuture<T> read = new CompletableFuture<>();
    context
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

  @Override
  public <T> T await(CompletableFuture<T> read) {
    return Futures.await(read, "read ahead", deadline());
  }

  @Override
  public void settle(Address from, Address to) {
    CallScope call = call();
    try {
      List<Address> open =
          context
              .retryLoop()
              .untilDone(
                  "look for undecided addresses from " + from + " to " + to,
                  (layout, deadline) ->
                      units.unwritten(from.value(), to.value(), layout, deadline));
      client.reader().read(open);
    } finally {
      call.end();
    }
  }

  @Override
  public List<LogEntry.Data> readComplete(List<Address> addresses) {
    return client.reader().readComplete(addresses);
  }

  @Override
  public Set<Long> unwritten(List<Address> addresses, Epoch epoch) {
    Layout layout = layout();
    if (!layout.epoch().equals(epoch)) {
      return Set.of();
    }
    try {
      List<Long> asked = addresses.stream().map(Address::value).toList();
      return units.unwritten(asked, layout, context.deadline());
    } catch (RetryableException notNow) {
      return Set.of();
    }
  }

  @Override
  public void checkFits(String what, int payloadBytes) {
    int max = context.options().limits().maxPayloadBytes();
    if (payloadBytes > max) {
      throw new EntryTooLargeException(what, max);
    }
  }

  @Override
  public long maxBytesPushed() {
    return context.options().maxBytesPushed();
  }

  @Override
  public Pushes pushes(Pushes.Receiver receiver) {
    return client.pushes().open(receiver);
  }

  @Override
  public List<StreamTail> list(int part) {
    return context
        .retryLoop()
        .untilDone(
            "list the streams of part " + part,
            (layout, deadline) -> units.list(part, layout, deadline));
  }

  @Override
  public void trim(StreamId stream, StreamAddress before) {
    context
        .retryLoop()
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

  /** Returns the piece without the entries from this log address on. */
  private static Piece upTo(Piece piece, Address tail) {
    if (piece.readBelow().compareTo(tail) <= 0) {
      return piece;
    }
    List<LogEntry.Data> before =
        piece.entries().stream().takeWhile(entry -> entry.address().compareTo(tail) < 0).toList();
    return new Piece(before, tail, piece.isReplicated(), piece.trimmedBefore());
  }
}
