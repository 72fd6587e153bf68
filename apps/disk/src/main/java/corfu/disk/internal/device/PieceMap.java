package corfu.disk.internal.device;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pieces that do not overlap: a new one replaces what it covers. Not thread-safe. */
final class PieceMap {

  private final TreeMap<Long, Piece> pieces = new TreeMap<>();
  private long dataBytes;

  void put(Piece piece) {
    for (Piece old : in(piece.offset(), piece.end())) {
      remove(old);
      if (old.offset() < piece.offset()) {
        add(old.within(old.offset(), piece.offset()));
      }
      if (old.end() > piece.end()) {
        add(old.within(piece.end(), old.end()));
      }
    }
    add(piece);
  }

  private void add(Piece piece) {
    pieces.put(piece.offset(), piece);
    dataBytes += piece.dataBytes();
  }

  private void remove(Piece piece) {
    pieces.remove(piece.offset());
    dataBytes -= piece.dataBytes();
  }

  /** Returns the pieces that overlap a range, whole, in ascending order. */
  List<Piece> in(long from, long to) {
    List<Piece> found = new ArrayList<>();
    Map.Entry<Long, Piece> first = pieces.floorEntry(from);
    if (first != null && first.getValue().offset() < from && first.getValue().end() > from) {
      found.add(first.getValue());
    }
    found.addAll(pieces.subMap(from, to).values());
    return found;
  }

  boolean overlaps(PieceMap other) {
    if (pieces.size() > other.pieces.size()) {
      return other.overlaps(this);
    }
    return pieces.values().stream().anyMatch(piece -> other.hasAnyIn(piece.offset(), piece.end()));
  }

  private boolean hasAnyIn(long from, long to) {
    Map.Entry<Long, Piece> last = pieces.lowerEntry(to);
    return last != null && last.getValue().end() > from;
  }

  /** Returns all pieces in ascending order. */
  Collection<Piece> all() {
    return pieces.values();
  }

  int size() {
    return pieces.size();
  }

  /** Returns the bytes of data; zeros count nothing. */
  long dataBytes() {
    return dataBytes;
  }
}
