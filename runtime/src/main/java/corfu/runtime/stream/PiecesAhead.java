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
 * The pieces of a stream, one behind the other, as its replicas hold them. A reader that wants the
 * next piece will probably want later ones, too, so several are in flight at a time. The beginning
 * of the next piece is known. The beginnings of later ones are guessed from the last piece's number
 * of entries. If a guess is too low, some entries come twice. If it is too high, the piece waits
 * for the missing piece before it. For one thread.
 */
final class PiecesAhead {

  /** While one piece is processed, others are read, sent and received. */
  private static final int MOST_UNDER_WAY = 4;

  private final StreamAccess access;
  private final StreamId stream;
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();
  private long behindLast; // stream address behind the newest entry of any piece
  private long entriesEach = 1; // as in the last piece

  /** A piece from this place in the stream on. */
  private record Asked(long from, Supplier<StreamAccess.Piece> piece) {}

  PiecesAhead(StreamAccess access, StreamId stream) {
    this.access = access;
    this.stream = stream;
  }

  /**
   * Drops the pieces in flight. They may lack entries that were appended since they were asked for.
   */
  void forget() {
    asked.clear();
  }

  /** Reads one piece. Later ones may never be wanted. */
  StreamAccess.Piece first(long wantedFrom, Address logFrom, Address tail) {
    forget();
    return learnt(read(wantedFrom, logFrom, tail));
  }

  /** Asks for the first piece and for the stream's end at the same time. */
  StreamAccess.Beginning begin(long wantedFrom, Address logFrom) {
    forget();
    StreamAccess.Beginning beginning = access.begin(stream, new StreamAddress(wantedFrom), logFrom);
    beginning.piece().ifPresent(this::learn);
    return beginning;
  }

  /**
   * Returns the piece behind the last one.
   *
   * @param wantedFrom the lowest wanted stream address
   * @param end the stream's end
   * @param logFrom the log address below which everything is known
   * @param tail the log address at which the wanted part ends, exclusive
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
