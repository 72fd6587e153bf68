package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The operations that streams are made of: appends with stream headers, ends from the sequencer,
 * and queries of the log units' indexes. For {@code corfu.runtime.stream}; applications use that
 * package. Thread-safe. Calls end like those of {@link Log}.
 */
public interface StreamAccess {

  /**
   * The ends of streams.
   *
   * @param tail the log's tail at the same moment
   * @param began the log address below which every token is used already, or will never be
   * @param epoch the epoch of these ends; the next epoch may begin below the tail
   * @param ends the position of each stream's next entry. Its backpointers may lead to tokens that
   *     no append has used.
   */
  record Ends(Address tail, Address began, Epoch epoch, List<StreamPosition> ends) {}

  /**
   * The entries of a stream that log units know.
   *
   * @param trimmedBefore the stream address below which the stream is trimmed
   * @param newestFirst the entries, the newest first; some may be trimmed or holes by now
   */
  record Found(StreamAddress trimmedBefore, List<Occurrence> newestFirst) {}

  /**
   * A piece of a stream.
   *
   * @param entries the entries, in the stream's order
   * @param readBelow the log address up to which the piece has all entries that one of the stream's
   *     replicas holds. In-flight and half-written entries may be missing.
   * @param isReplicated whether streams have replicas of their own there; if not, {@code entries}
   *     is empty, and the caller must ask other servers
   * @param trimmedBefore the stream address below which the stream is trimmed; it includes every
   *     trim that had returned before the piece was asked for. Empty if no replica was asked.
   */
  record Piece(
      List<LogEntry.Data> entries,
      Address readBelow,
      boolean isReplicated,
      OptionalLong trimmedBefore) {}

  /**
   * Returns the id of the stream of this name. The client remembers the name for servers whose
   * permissions depend on names.
   */
  StreamId named(String name);

  World world();

  Log log();

  /** Returns the newest layout that this client knows. It may not be the cluster's newest. */
  Layout layout();

  /**
   * Asks one server once, and returns its reply, of any kind.
   *
   * @param patience the longest time to wait for the reply
   * @throws UnavailableException if no reply comes
   */
  Reply ask(Endpoint server, Request request, Duration patience);

  /** Runs {@code then} when the client is closed, or at once if it is closed already. */
  void whenClosed(Runnable then);

  /**
   * Begins a call of the thread, or a part of the call that the thread is in. Until it ends, all
   * requests of the thread to this client's cluster share one deadline.
   */
  CallScope call();

  /** Begins a part of the call with this deadline. The call may have begun on another thread. */
  CallScope within(Deadline deadline);

  /**
   * Returns the deadline of the thread's call, or of a call that begins now if the thread is in
   * none.
   */
  Deadline deadline();

  /** Returns a log address below which all is trimmed, as far as this client knows. */
  Address beginning();

  /**
   * Appends one entry to streams, under a condition or none.
   *
   * @param payload the content of the entry; it must not change until the call has returned
   */
  StreamAppend append(TokenWish wish, ByteBuffer payload);

  /**
   * Appends one entry to streams, and calls the listener as soon as the outcome is known, on any
   * thread.
   *
   * @param asOf the time at which the condition's snapshot was taken
   * @param listener the receiver of the outcome, if there is one; it must not block
   */
  StreamAppend append(
      TokenWish wish, AsOf asOf, ByteBuffer payload, Consumer<StreamAppend> listener);

  /**
   * Waits until this client's in-flight append to streams at this address is done, and its listener
   * has been called. Returns at once if there is no such append, and at the hole timeout at the
   * latest.
   */
  void awaitOwn(Address address);

  /**
   * Appends one entry to streams without waiting. {@code payload} must not change until the future
   * is done.
   */
  CompletableFuture<StreamAppend> appendAsync(TokenWish wish, ByteBuffer payload);

  /**
   * Returns where these streams end. Every entry appended to them before the call is before that
   * end.
   *
   * @throws UnavailableException also if the layout names no sequencer
   */
  Ends ends(List<StreamId> streams);

  /**
   * Asks the log units for the newest entries of these streams. Every entry appended to them before
   * the call is known to the units.
   *
   * @param most the most entries to return for each stream
   */
  List<Found> find(List<StreamQuery> queries, int most);

  /**
   * Reads a piece of a stream from one of the stream's own replicas.
   *
   * @param from the first stream address to read
   * @param logFrom the log address to begin at; the piece lies in the first segment from there on
   * @param logBelow the log address to end at, exclusive
   */
  Piece read(StreamId stream, StreamAddress from, Address logFrom, Address logBelow);

  /**
   * Asks for a piece as {@link #read} does, without waiting.
   *
   * @return a function that waits for the piece, to be called on the same thread
   */
  Supplier<Piece> readAhead(StreamId stream, StreamAddress from, Address logFrom, Address logBelow);

  /**
   * The end of a stream, and its first piece.
   *
   * @param piece the first piece; if empty, the caller reads it now that it knows the end
   */
  record Beginning(Ends ends, Optional<Piece> piece) {}

  /**
   * Asks for the stream's {@link #ends end} and for its first piece up to the tail ({@link #read})
   * at the same time.
   */
  Beginning begin(StreamId stream, StreamAddress from, Address logFrom);

  /**
   * Runs {@code reading} on a thread of its own, so that the caller can process what it already
   * has.
   */
  <T> CompletableFuture<T> ahead(Supplier<T> reading);

  /** Waits for a read that {@link #ahead} has started. A failure is thrown as it is. */
  <T> T await(CompletableFuture<T> read);

  /**
   * Makes sure that all addresses of a range are decided. Waits for writers until the hole timeout
   * at most.
   */
  void settle(Address from, Address to);

  /**
   * Returns those entries at these addresses that are complete, as far as one request to each
   * server tells. Waits for no writer.
   *
   * @param addresses one or more addresses, only a few
   */
  List<LogEntry.Data> readComplete(List<Address> addresses);

  /**
   * Returns those of these addresses that nobody has written yet. Asks their heads once. No append
   * at a returned address has ended, and no client has learned of one.
   *
   * @param epoch the epoch that issued the addresses; the result is empty if the layout has another
   *     epoch by now
   */
  Set<Long> unwritten(List<Address> addresses, Epoch epoch);

  /**
   * Refuses a growing payload that will not fit into an entry, before it grows further.
   *
   * @param what the payload's name, for the message
   * @throws EntryTooLargeException if a payload of this many bytes would be refused
   */
  void checkFits(String what, int payloadBytes);

  /** Returns the bound in bytes on pushed entries that wait for subscribers. */
  long maxBytesPushed();

  /** Opens pushes for this receiver. They follow no stream yet. */
  Pushes pushes(Pushes.Receiver receiver);

  /**
   * Returns the streams that have entries and belong to this one of the {@link StreamId#PARTS}, in
   * the order of their ids. Each comes with its end as the log units know it.
   */
  List<StreamTail> list(int part);

  /** Trims a stream's entries below this place for ever. */
  void trim(StreamId stream, StreamAddress before);

  /**
   * New entries of streams, pushed by the log units when they are complete (CORFU, section 4:
   * reliable multicast). For {@code corfu.runtime.stream}; applications use subscriptions.
   *
   * <p>Pushed entries are hints: an entry may come late, out of order, twice, or never. A receiver
   * that needs all entries must check the streams' ends from time to time. Thread-safe.
   */
  interface Pushes extends AutoCloseable {

    /**
     * The receiver of pushed entries. Its methods run on the listeners' threads and must not block.
     */
    interface Receiver {

      /**
       * Receives a complete entry.
       *
       * @param streams the entry's headers of the followed streams in which it is complete
       */
      void pushed(LogEntry.Data entry, List<StreamHeader> streams);

      /** Reports that entries of any followed stream may not have been pushed, and will not be. */
      void missed();

      /** Reports that the client is closed. */
      void closed();
    }

    /** Follows these streams too. Their entries are pushed from some later moment on. */
    void follow(Collection<StreamId> streams);

    /** Stops following these streams. Some of their entries may still be pushed. */
    void unfollow(Collection<StreamId> streams);

    /** Stops listening to all log units. */
    @Override
    void close();
  }
}
