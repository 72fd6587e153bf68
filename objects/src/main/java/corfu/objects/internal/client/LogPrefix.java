package corfu.objects.internal.client;

import corfu.protocol.Epoch;
import corfu.runtime.stream.StreamEnds;
import java.util.Optional;

/**
 * How far somebody sees the log: all below an address, as an epoch knew it. That address is the
 * tail that a sequencer told, with tokens below it that may never be used; the next epoch then
 * begins below, and issues their addresses again. So prefixes of different epochs can't be compared
 * by their addresses alone.
 *
 * @param epoch that knew it
 * @param began where that epoch began: below, all is decided in any epoch
 * @param before the address
 * @param isDecided whether all below is, so that no later epoch issues anything there
 */
public record LogPrefix(Epoch epoch, long began, long before, boolean isDecided) {

  public static LogPrefix of(StreamEnds ends) {
    return new LogPrefix(ends.epoch(), ends.began().value(), ends.tail().value(), false);
  }

  /** The same epoch's, at another address below which all is decided. */
  public LogPrefix decidedAt(long address) {
    return new LogPrefix(epoch, began, address, true);
  }

  /** The same epoch's, as far as this address or further. */
  public LogPrefix atLeast(long address) {
    return address <= before ? this : new LogPrefix(epoch, began, address, false);
  }

  /** Whether who sees so far sees all that the other one does and that has happened. */
  public boolean covers(LogPrefix other) {
    return other.epoch.isBefore(epoch) || (epoch.equals(other.epoch) && before >= other.before);
  }

  /**
   * The same moment in the terms of an epoch that is as late or later; empty: that can't be told,
   * as what was below this prefix then may be more now.
   */
  public Optional<LogPrefix> in(LogPrefix later) {
    if (epoch.equals(later.epoch)) {
      return Optional.of(this);
    }
    boolean isNext = epoch.next().equals(later.epoch);
    return isDecided || (isNext && later.began >= before)
        ? Optional.of(new LogPrefix(later.epoch, later.began, before, isDecided))
        : Optional.empty();
  }
}
