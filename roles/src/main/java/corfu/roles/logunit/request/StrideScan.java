package corfu.roles.logunit.request;

import corfu.protocol.AddressSet;
import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.index.AddressIndex;
import java.util.Arrays;

/**
 * Finds the addresses of a range with stride {@code stride} that are not unwritten, in ascending
 * order and with bounded work. It jumps over gaps, but has to pass the addresses of other strides.
 */
final class StrideScan {

  private static final int AT_ONCE = 256;
  private static final int MAX_FOUND = 1 << 16;

  /** The largest number of probes: about a thousand of them take a millisecond at worst. */
  private static final int MAX_PROBES = 1 << 14;

  private final AddressIndex index;
  private final LogUnitRequest.CopyRange range;
  private long next;
  private int found;
  private int probes;
  private boolean ended;

  StrideScan(AddressIndex index, LogUnitRequest.CopyRange range) {
    this.index = index;
    this.range = range;
    this.next = onGrid(Math.max(range.from(), index.settledMark));
  }

  /** Returns whether the range's end is reached, or the bounded work is done. */
  boolean isOver() {
    return ended || next >= range.to() || probes >= MAX_PROBES || found >= MAX_FOUND;
  }

  /** Returns the address from which to continue, or the range's end if nothing is left. */
  long next() {
    return next;
  }

  /** Returns the number of addresses found so far. */
  int found() {
    return found;
  }

  /** Ends the sweep before this address: the caller did not need the addresses from it on. */
  void endAt(long address) {
    next = address;
    ended = true;
  }

  /** Returns some of the next addresses; none if this step only probed. */
  AddressSet.Listed go() {
    long[] some = new long[AT_ONCE];
    int count = 0;
    while (count < AT_ONCE && !isOver()) {
      probes++;
      if (index.find(next) != AddressIndex.UNWRITTEN) {
        some[count++] = next;
        found++;
        next = onGrid(next + 1);
      } else {
        long later = index.nextAtOrAfter(next + 1);
        next = later < 0 ? range.to() : onGrid(later);
      }
    }
    return new AddressSet.Listed(Arrays.copyOf(some, count));
  }

  /** Returns the first address of the range from this one on. */
  private long onGrid(long address) {
    long beyond = address - range.from();
    long missing = Math.floorMod(-beyond, range.stride());
    return address >= range.to() || missing >= range.to() - address
        ? range.to()
        : address + missing;
  }
}
