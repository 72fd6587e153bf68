package corfu.runtime.rebuild;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.LayoutSegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The addresses of a segment to copy, in pieces. All addresses of a piece have one chain and one
 * target chain. Thread-safe.
 */
final class Pieces {

  private static final int ADDRESSES_MAX = 2048;

  private final LayoutSegment segment;
  private final int period;
  private final int perPiece;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeSet<Long> underWay = new TreeSet<>();
  private long window;
  private int lane;

  /**
   * A piece.
   *
   * @param window the first address of its window; the pieces of a window lie side by side
   */
  record Piece(long window, AddressSet.Strided addresses) {}

  Pieces(LayoutSegment segment, int addressesPerRequest) {
    this.segment = segment;
    this.period = segment.stripes() * segment.target().map(aim -> aim.log().size()).orElse(1);
    this.perPiece = Math.min(ADDRESSES_MAX, addressesPerRequest);
    this.window = segment.start();
  }

  /** Starts at this address, and leaves out lower ones. */
  void startAt(long address) {
    lock.lock();
    try {
      window = Math.clamp(address, segment.start(), segment.end());
    } finally {
      lock.unlock();
    }
  }

  Optional<Piece> next() {
    lock.lock();
    try {
      while (window < segment.end()) {
        Piece piece = new Piece(window, addresses());
        lane++;
        if (lane == period) {
          lane = 0;
          long length = (long) period * perPiece;
          window = segment.end() - window > length ? window + length : segment.end();
        }
        if (piece.addresses().count() > 0 && !joining(piece).isEmpty()) {
          underWay.add(piece.addresses().start());
          return Optional.of(piece);
        }
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the units that may have to hold part of the piece, and do not serve it yet. */
  List<Endpoint> joining(Piece piece) {
    Set<Endpoint> joining = new LinkedHashSet<>(segment.joiningAt(piece.addresses().start()));
    joining.addAll(segment.joiningForStreams());
    return List.copyOf(joining);
  }

  private AddressSet.Strided addresses() {
    long first = window + lane;
    long left = segment.end() - first;
    long count = left <= 0 ? 0 : Math.min(perPiece, (left - 1) / period + 1);
    return new AddressSet.Strided(first, period, (int) count);
  }

  void done(Piece piece) {
    lock.lock();
    try {
      underWay.remove(piece.addresses().start());
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return window >= segment.end() && underWay.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the address below which everything has been copied. */
  long doneTo() {
    lock.lock();
    try {
      return underWay.isEmpty() ? window : Math.min(window, underWay.first());
    } finally {
      lock.unlock();
    }
  }
}
