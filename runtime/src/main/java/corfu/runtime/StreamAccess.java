package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenWish;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
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
public interface StreamAccess {

  /**
   * Where streams end.
   *
   * @param tail the log's tail at the same moment
   * @param began tokens below this log address are used already, or will never be
   * @param epoch in which it was so: the next one may begin below the tail
   * @param ends the place of each stream's next entry. What leads back from there may lead to
   *     tokens that nobody has used.
   */
  record Ends(Address tail, Address began, Epoch epoch, List<StreamPosition> ends) {}

  /**
   * What the log units know of a stream.
   *
   * @param trimmedBefore the stream is trimmed below this
   * @param newestFirst entries, the newest first; some may be trimmed, and some holes by now
   */
  record Found(StreamAddress trimmedBefore, List<Occurrence> newestFirst) {}

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
  record Piece(
      List<LogEntry.Data> entries,
      Address readBelow,
      boolean isReplicated,
      OptionalLong trimmedBefore) {}

  World world();

  Log log();

  /** The newest layout that this client has needed so far. */
  Layout layout();

  /**
   * Asks one server once, whatever it answers.
   *
   * @param patience how long the answer may take
   * @throws UnavailableException if there is none
   */
  Reply ask(Endpoint server, Request request, Duration patience);

  /** Runs this when the client is closed; at once if it has been. */
  void whenClosed(Runnable then);

  /**
   * Begins a call of the thread, or a part of the one that it is in: until it has ended, all that
   * the thread asks of this client's cluster ends by one deadline.
   */
  CallScope call();

  /** Begins a part of a call with this deadline, which may have begun on another thread. */
  CallScope within(Deadline deadline);

  /** Returns the deadline of the call that the thread is in, or that of a call that begins now. */
  Deadline deadline();

  /** Everything below this log address is trimmed, as far as this client has heard. */
  Address beginning();

  /**
   * Appends one entry to streams, under a condition or none.
   *
   * @param payload it must not change until the call has returned
   */
  StreamAppend append(TokenWish wish, ByteBuffer payload);

  /**
   * The same, for who wants to know as soon as it has happened, on whatever thread that is.
   *
   * @param asOf when the condition's snapshot was taken
   * @param listener must not block; told if there is an outcome
   */
  StreamAppend append(
      TokenWish wish, AsOf asOf, ByteBuffer payload, Consumer<StreamAppend> listener);

  /**
   * Waits until an append of this client to streams that was given this address is done, and its
   * listener told; not at all if there is none, and no longer than the hole timeout.
   */
  void awaitOwn(Address address);

  /** The same without waiting; {@code payload} must not change until the future is done. */
  CompletableFuture<StreamAppend> appendAsync(TokenWish wish, ByteBuffer payload);

  /**
   * Where these streams end: whatever has been appended to them by now is before that.
   *
   * @throws UnavailableException also if the layout names no sequencer
   */
  Ends ends(List<StreamId> streams);

  /**
   * What the units know of these streams; whatever has been appended to them by now is among it.
   *
   * @param most how many entries are wanted for each
   */
  List<Found> find(List<StreamQuery> queries, int most);

  /**
   * Reads a piece of a stream where it has replicas of its own.
   *
   * @param from the first stream address that is wanted
   * @param logFrom where in the log to begin; the piece lies in the first segment from there on
   * @param logBelow where in the log to end at the latest
   */
  Piece read(StreamId stream, StreamAddress from, Address logFrom, Address logBelow);

  /**
   * Asks for a piece as {@link #read} does, which whoever wants it waits for.
   *
   * @return what waits for it, on the same thread
   */
  Supplier<Piece> readAhead(StreamId stream, StreamAddress from, Address logFrom, Address logBelow);

  /**
   * Where a stream ends, and its first piece.
   *
   * @param piece empty if it has to be read now that the end is known
   */
  record Beginning(Ends ends, Optional<Piece> piece) {}

  /** Asks for both at the same time: {@link #ends} and {@link #read}, up to the tail. */
  Beginning begin(StreamId stream, StreamAddress from, Address logFrom);

  /** Has something read on a thread of its own, while the caller looks at what it has. */
  <T> CompletableFuture<T> ahead(Supplier<T> reading);

  /** Waits for what is read {@link #ahead}; whatever went wrong comes out as it is. */
  <T> T await(CompletableFuture<T> read);

  /**
   * Makes sure that all addresses of a range are decided: waits for writers no longer than the hole
   * timeout.
   */
  void settle(Address from, Address to);

  /**
   * Those of these few addresses that are complete, as far as one question tells, with what they
   * hold; waits for no writer.
   *
   * @param addresses at least one
   */
  List<LogEntry.Data> readComplete(List<Address> addresses);

  /**
   * Which of these addresses nobody has written yet, as their heads know; asks once. No append
   * there has ended, and nobody has been told of one.
   *
   * @param epoch that issued them; none are told of if the layout is another one by now
   */
  Set<Long> unwritten(List<Address> addresses, Epoch epoch);

  /**
   * Refuses what is growing and will not fit into an entry, before there is more of it.
   *
   * @param what it is, for the message
   * @throws EntryTooLargeException if a payload of so many bytes would be refused
   */
  void checkFits(String what, int payloadBytes);

  /** How much may wait of what units have told of. */
  long maxBytesPushed();

  /** News of streams for this receiver; it follows none yet. */
  Pushes pushes(Pushes.Receiver receiver);

  /**
   * The streams of this one of the {@link StreamId#PARTS} that have entries, with their ends as the
   * units know them, by their ids.
   */
  List<StreamTail> list(int part);

  /** Gives up a stream's entries below this place, for ever. */
  void trim(StreamId stream, StreamAddress before);
}
