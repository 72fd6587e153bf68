package corfu.bytes.internal.state;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.ExtentMap;
import corfu.bytes.internal.record.BytesRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Makes the changes of a batch. Changes of ranges that do not overlap are one step of the map,
 * which loads its pages together. For one thread, once.
 */
final class BatchEdits {

  private final long address;
  private final List<Extent> pending = new ArrayList<>(); // in the order of the batch
  private final List<BytesRecord.Move> moves = new ArrayList<>(); // behind all that is pending
  private ExtentMap map;
  private long size;

  /**
   * @param address the log address of the batch's entry
   */
  BatchEdits(ExtentMap map, long size, long address) {
    this.map = map;
    this.size = size;
    this.address = address;
  }

  /** Makes the next change. */
  void add(BytesRecord.BatchChange change) {
    if (change instanceof BytesRecord.Move move) {
      apply();
      moves.add(move);
      return;
    }
    applyMoves();
    switch (change) {
      case BytesRecord.Write(long offset, long position, long length) -> {
        edit(new Extent(offset, length, address, position));
        size = Math.max(size, offset + length);
      }
      case BytesRecord.Punch(long offset, long length) ->
          edit(ExtentMap.hole(offset, offset + length));
      case BytesRecord.Truncate(long to) -> {
        if (to < size) {
          edit(ExtentMap.hole(to, Long.MAX_VALUE));
        }
        size = to;
      }
      case BytesRecord.Move move -> {}
    }
  }

  private void edit(Extent extent) {
    if (extent.length() > 0) {
      pending.add(extent);
    }
  }

  /** Returns the size behind all changes in bytes. */
  long size() {
    return size;
  }

  /** Returns the map behind all changes. */
  ExtentMap map() {
    apply();
    applyMoves();
    return map;
  }

  private void apply() {
    List<Extent> ascending = ascending(pending);
    map = map.with(areApart(ascending) ? ascending : pending);
    pending.clear();
  }

  private static List<Extent> ascending(List<Extent> extents) {
    return extents.stream().sorted(Comparator.comparingLong(Extent::offset)).toList();
  }

  private static boolean areApart(List<Extent> ascending) {
    for (int i = 1; i < ascending.size(); i++) {
      if (ascending.get(i).offset() < ascending.get(i - 1).end()) {
        return false;
      }
    }
    return true;
  }

  private void applyMoves() {
    if (moves.isEmpty()) {
      return;
    }
    List<Extent> ranges =
        moves.stream()
            .map(move -> ExtentMap.hole(move.offset(), move.offset() + move.length()))
            .toList();
    map.prefetch(ranges);
    if (areApart(ascending(ranges))) {
      moves.forEach(this::move);
      apply();
    } else {
      for (BytesRecord.Move move : moves) {
        move(move);
        apply();
      }
    }
    moves.clear();
  }

  /** Only bytes that are still in the old place move. */
  private void move(BytesRecord.Move move) {
    for (Extent extent : map.in(move.offset(), move.offset() + move.length())) {
      long into = extent.offset() - move.offset();
      boolean isInPlace =
          extent.address() == move.oldAddress() && extent.position() == move.oldPosition() + into;
      if (isInPlace) {
        edit(new Extent(extent.offset(), extent.length(), address, move.position() + into));
      }
    }
  }
}
