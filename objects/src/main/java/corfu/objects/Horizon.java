package corfu.objects;

import corfu.protocol.Epoch;
import corfu.runtime.stream.StreamEnds;
import java.util.Optional;

/**
 * How far somebody sees the log: all below an address, as an epoch knew it. That address is the
 * tail that a sequencer told, with tokens below it that may never be used; the next epoch then
 * begins below, and issues their addresses again. So horizons of different epochs can't be compared
 * by their addresses alone.
 *
 * @param epoch that knew it
 * @param began where that epoch began: below, all is decided in any epoch
 * @param before the address
 * @param isDecided whether all below is, so that no later epoch issues anything there
 */
record Horizon(Epoch epoch, long began, long before, boolean isDecided) {

  static Horizon of(StreamEnds ends) {
    return new Horizon(ends.epoch(), ends.began().value(), ends.tail().value(), false);
  }

  /** The same epoch's, at another address below which all is decided. */
  Horizon decidedAt(long address) {
    return new Horizon(epoch, began, address, true);
  }

  /** The same epoch's, as far as this address or further. */
  Horizon atLeast(long address) {
    return address <= before ? this : new Horizon(epoch, began, address, false);
  }

  /** Whether who sees so far sees all that the other one does and that has happened. */
  boolean covers(Horizon other) {
    return other.epoch.isBefore(epoch) || (epoch.equals(other.epoch) && before >= other.before);
  }

  /**
   * The same moment in the terms of an epoch that is as late or later; empty: that can't be told,
   * as what was below this horizon then may be more now.
   */
  Optional<Horizon> in(Horizon later) {
    if (epoch.equals(later.epoch)) {
      return Optional.of(this);
    }
    boolean isNext = epoch.next().equals(later.epoch);
    return isDecided || (isNext && later.began >= before)
        ? Optional.of(new Horizon(later.epoch, later.began, before, isDecided))
        : Optional.empty();
  }
}
