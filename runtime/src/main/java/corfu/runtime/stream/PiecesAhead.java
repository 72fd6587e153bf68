package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Supplier;

/**
 * The pieces of a stream, one behind the other, as its replicas have them. Who has read a piece and
 * wants the next one is going to want those behind it, too: some are under way at a time. Where the
 * next one begins is known; where those behind it do is guessed from how many entries the last one
 * had. A guess that was too low gives some entries twice, and one that was too high has to wait for
 * the piece that is missing before it. For one thread.
 */
final class PiecesAhead {

  /** While one is looked at, others are read, sent and received. */
  private static final int MOST_UNDER_WAY = 4;

  private final StreamAccess access;
  private final StreamId stream;
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();
  private long behindLast; // in the stream: the place behind the newest entry of any piece
  private long entriesEach = 1; // as the last piece had

  /** A piece from this place in the stream on. */
  private record Asked(long from, Supplier<StreamAccess.Piece> piece) {}

  PiecesAhead(StreamAccess access, StreamId stream) {
    this.access = access;
    this.stream = stream;
  }

  /** What is under way is not wanted: it may lack what has been appended since it was asked for. */
  void forget() {
    asked.clear();
  }

  /** A piece behind which others may never be wanted. */
  StreamAccess.Piece first(long wantedFrom, Address logFrom, Address tail) {
    forget();
    return learnt(read(wantedFrom, logFrom, tail));
  }

  /** Asks for the first piece and for where the stream ends, at the same time. */
  StreamAccess.Beginning begin(long wantedFrom, Address logFrom) {
    forget();
    StreamAccess.Beginning beginning = access.begin(stream, new StreamAddress(wantedFrom), logFrom);
    beginning.piece().ifPresent(this::learn);
    return beginning;
  }

  /**
   * The piece behind the last one.
   *
   * @param wantedFrom what is before it in the stream is not wanted
   * @param end the stream's
   * @param logFrom everything before that in the log is known
   * @param tail of the log: nothing from there on is wanted
   */
  StreamAccess.Piece next(long wantedFrom, long end, Address logFrom, Address tail) {
    long from = Math.max(wantedFrom, behindLast);
    if (!asked.isEmpty() || from + entriesEach < end) {
      askAhead(from, end, logFrom, tail);
    }
    while (!asked.isEmpty() && asked.getFirst().from() <= from) {
      StreamAccess.Piece piece = asked.removeFirst().piece().get();
      if (piece.isReplicated()) {
        return learnt(piece);
      }
    }
    return learnt(read(from, logFrom, tail));
  }

  private void askAhead(long from, long end, Address logFrom, Address tail) {
    if (asked.isEmpty() || asked.getFirst().from() > from) {
      asked.addFirst(ask(from, logFrom, tail));
    }
    long next = asked.getLast().from() + entriesEach;
    while (asked.size() < MOST_UNDER_WAY && next < end) {
      asked.addLast(ask(next, logFrom, tail));
      next += entriesEach;
    }
  }

  private Asked ask(long from, Address logFrom, Address tail) {
    return new Asked(from, access.readAhead(stream, new StreamAddress(from), logFrom, tail));
  }

  private StreamAccess.Piece read(long from, Address logFrom, Address tail) {
    return access.read(stream, new StreamAddress(from), logFrom, tail);
  }

  private StreamAccess.Piece learnt(StreamAccess.Piece piece) {
    learn(piece);
    return piece;
  }

  private void learn(StreamAccess.Piece piece) {
    List<LogEntry.Data> entries = piece.entries();
    if (!entries.isEmpty()) {
      entriesEach = entries.size();
      Headers.of(entries.getLast(), stream)
          .ifPresent(last -> behindLast = Math.max(behindLast, last.streamAddress() + 1));
    }
  }
}
