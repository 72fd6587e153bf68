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
 * Reads pieces of streams from the streams' own replicas (vCorfu, section 3; dissertation, section
 * 4.2.4). Thread-safe.
 */
public final class StreamPieces {

  /**
   * The most bytes of a piece. A piece costs thread wake-ups; the memory that a log unit keeps warm
   * for replies holds one piece.
   */
  private static final int MOST_BYTES = 960 << 10;

  private final Servers servers;
  private final int pieceBytes;

  /**
   * @param maxPieceBytes the most bytes of a piece, unless a single entry is larger
   */
  public StreamPieces(Servers servers, int maxPieceBytes) {
    this.servers = servers;
    this.pieceBytes = Math.min(maxPieceBytes, MOST_BYTES);
  }

  /**
   * The wanted part of a stream. A piece holds the stream's entries in the log's first segment that
   * has any.
   *
   * @param from the lowest stream address
   * @param logFrom the lowest log address
   * @param logBelow the log address at which the part ends, exclusive
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

    /** Returns the piece, or empty if the reply had no usable entry but later ones may have. */
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

  /** Returns the first piece of the wanted part. */
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

  /**
   * Returns the log address up to which streams have no replicas of their own, from this segment
   * on.
   */
  private static long endOfPlain(Layout layout, LayoutSegment from, long most) {
    for (LayoutSegment segment : layout.segments()) {
      if (segment.start() > from.start() && !segment.stream().isEmpty()) {
        return Math.min(segment.start(), most);
      }
    }
    return most;
  }

  /** A question in flight. For the thread that has sent it. */
  public static final class Asked {
    private final Question question;
    private final Endpoint replica;
    private final Peer.Exchange exchange;

    private Asked(Question question, Endpoint replica, Peer.Exchange exchange) {
      this.question = question;
      this.replica = replica;
      this.exchange = exchange;
    }

    /** Waits for the piece; empty if one question was not enough. */
    public Optional<StreamPiece> await() {
      try {
        return question.answer(Servers.await(replica, exchange, StreamEntries.class));
      } catch (RetryableException retryable) {
        return Optional.empty();
      }
    }

    /** Gives up the piece: no thread will wait for it. */
    public void giveUp() {
      var unused = exchange.settle(1);
    }
  }

  /**
   * Sends the question for the first piece once, without waiting; empty if there is no replica to
   * ask.
   *
   * @param isAwaited whether the calling thread will wait for it soon; the thread must then call
   *     {@link Asked#await} or {@link Asked#giveUp}
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
