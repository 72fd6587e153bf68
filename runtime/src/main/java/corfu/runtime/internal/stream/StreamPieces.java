package corfu.runtime.internal.stream;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.LostChainException;
import corfu.protocol.message.LogUnitReply.StreamEntries;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.transport.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads pieces of streams where those have replicas of their own (vCorfu, section 3; dissertation,
 * section 4.2.4). Thread-safe.
 */
public final class StreamPieces {

  /** Each has its price in threads that are woken; what a unit keeps warm for replies holds one. */
  private static final int MOST_BYTES = 960 << 10;

  private final Servers servers;
  private final int pieceBytes;

  /**
   * @param maxPieceBytes what a piece may measure, unless a single entry is larger
   */
  public StreamPieces(Servers servers, int maxPieceBytes) {
    this.servers = servers;
    this.pieceBytes = Math.min(maxPieceBytes, MOST_BYTES);
  }

  /**
   * What is wanted of a stream. What there is of it in the log's first segment that has any is a
   * piece.
   *
   * @param from no entry below this stream address
   * @param logFrom no entry below this log address
   * @param logBelow no entry from this log address on
   */
  public record Wish(StreamId stream, long from, long logFrom, long logBelow) {}

  /** A wish under a layout, for one of the stream's replicas. */
  private record Question(Wish wish, long first, LayoutSegment segment, Epoch epoch) {

    static Question of(Wish wish, Layout layout) {
      long first = Math.max(wish.logFrom, layout.segments().getFirst().start());
      return new Question(wish, first, layout.segmentOf(first), layout.epoch());
    }

    boolean isForNothing() {
      return first >= wish.logBelow;
    }

    boolean isForReplica() {
      return !isForNothing() && !segment.stream().isEmpty();
    }

    private long end() {
      return Math.min(segment.end(), wish.logBelow);
    }

    Endpoint replica() {
      return segment.streamChainOf(wish.stream, first).tail();
    }

    LogUnitRequest request(int maxBytes) {
      return new LogUnitRequest.ReadStream(epoch, wish.stream, wish.from, first, end(), maxBytes);
    }

    /** Empty if there was nothing usable, but may be further on. */
    Optional<StreamPiece> answer(StreamEntries reply) {
      List<Entry> usable = new ArrayList<>(reply.entries().size());
      for (Entry entry : reply.entries()) {
        if (entry.isIntact() && entry.isIn(wish.stream)) {
          usable.add(entry);
        }
      }
      boolean isAll = reply.next() == Long.MAX_VALUE;
      if (usable.isEmpty() && !isAll) {
        return Optional.empty();
      }
      long readBelow = isAll ? end() : usable.getLast().address() + 1;
      return Optional.of(
          new StreamPiece.Entries(usable, readBelow, OptionalLong.of(reply.trimmedBefore())));
    }

    Question from(long next) {
      return new Question(
          new Wish(wish.stream, next, wish.logFrom, wish.logBelow), first, segment, epoch);
    }
  }

  /** The first piece of what is wanted. */
  public StreamPiece read(Wish wish, Layout layout, Deadline deadline) {
    Question question = Question.of(wish, layout);
    if (question.isForNothing()) {
      return new StreamPiece.Entries(List.of(), wish.logBelow, OptionalLong.empty());
    }
    if (!question.isForReplica()) {
      return new StreamPiece.NotReplicated(endOfPlain(layout, question.segment, wish.logBelow));
    }
    while (true) {
      var request = question.request(pieceBytes);
      var reply = servers.ask(question.replica(), request, StreamEntries.class, deadline);
      Optional<StreamPiece> piece = question.answer(reply);
      if (piece.isPresent()) {
        return piece.get();
      }
      question = question.from(reply.next());
    }
  }

  /** Streams have no replicas of their own from this segment on up to which log address? */
  private static long endOfPlain(Layout layout, LayoutSegment from, long most) {
    for (LayoutSegment segment : layout.segments()) {
      if (segment.start() > from.start() && !segment.stream().isEmpty()) {
        return Math.min(segment.start(), most);
      }
    }
    return most;
  }

  /** A question that has been sent. For the thread that has sent it. */
  public static final class Asked {
    private final Question question;
    private final Endpoint replica;
    private final Peer.Exchange exchange;

    private Asked(Question question, Endpoint replica, Peer.Exchange exchange) {
      this.question = question;
      this.replica = replica;
      this.exchange = exchange;
    }

    /** Waits for the piece; empty if it takes more than one question. */
    public Optional<StreamPiece> await() {
      try {
        return question.answer(Servers.await(replica, exchange, StreamEntries.class));
      } catch (RetryableException retryable) {
        return Optional.empty();
      }
    }

    /** Nobody is going to wait for the piece. */
    public void giveUp() {
      var unused = exchange.settle(1);
    }
  }

  /**
   * Asks for the first piece, once, and goes on; empty if no replica is to be asked.
   *
   * @param isAwaited whether the calling thread is going to wait for it soon: {@link Asked#await}
   *     or {@link Asked#giveUp} is to be called then
   */
  public Optional<Asked> ask(Wish wish, boolean isAwaited, Layout layout, Deadline deadline) {
    Question question = Question.of(wish, layout);
    if (!question.isForReplica()) {
      return Optional.empty();
    }
    try {
      Endpoint replica = question.replica();
      LogUnitRequest request = question.request(pieceBytes);
      Peer.Exchange exchange =
          isAwaited
              ? servers.begin(replica, request, deadline)
              : Peer.Exchange.of(servers.send(replica, request, deadline));
      return Optional.of(new Asked(question, replica, exchange));
    } catch (LostChainException lost) {
      return Optional.empty();
    }
  }
}
