package corfu.disk.internal.device;

import corfu.bytes.RangeChange;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Changes that become one entry. Not thread-safe. */
final class ChangeBatch {

  /** The bytes that a change costs in memory, besides its data. */
  private static final int PIECE_BYTES = 64;

  private final PieceMap pieces = new PieceMap();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private long heldBytes;
  private boolean isSent;
  private long sentNanos;

  PieceMap pieces() {
    return pieces;
  }

  /** Returns whether a piece may join: the entry would still have its bounds. */
  boolean fits(Piece piece, long mostBytes, int mostPieces) {
    return !isSent
        && pieces.size() < mostPieces
        && pieces.dataBytes() + piece.dataBytes() <= mostBytes;
  }

  void add(Piece piece) {
    pieces.put(piece);
    heldBytes += costOf(piece);
  }

  /** Returns the bytes of memory that the batch may hold, replaced pieces included. */
  long heldBytes() {
    return heldBytes;
  }

  boolean isSent() {
    return isSent;
  }

  void send(long nowNanos) {
    isSent = true;
    sentNanos = nowNanos;
  }

  /** Returns the time of the first attempt. */
  long sentNanos() {
    return sentNanos;
  }

  List<RangeChange> changes() {
    return pieces.all().stream().map(Piece::change).toList();
  }

  /** Completes when the entry is in the log. */
  CompletableFuture<Void> done() {
    return done;
  }

  /** Returns the bytes of memory that a change takes. */
  static long costOf(Piece piece) {
    return (long) piece.dataBytes() + PIECE_BYTES;
  }
}
