package corfu.roles.logunit.request;

import corfu.protocol.AddressSet;
import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.index.AddressIndex;
import java.util.Arrays;

/**
 * Goes through every {@code stride}th address of a range and finds those that are not unwritten, in
 * ascending order, with a bound on its work: gaps are leapt over, but what other strides hold has
 * to be passed.
 */
final class Sweep {

  private static final int AT_ONCE = 256;
  private static final int MAX_FOUND = 1 << 16;

  /** About a thousand of these take a millisecond at worst. */
  private static final int MAX_PROBES = 1 << 14;

  private final AddressIndex index;
  private final LogUnitRequest.CopyRange range;
  private long next;
  private int found;
  private int probes;
  private boolean ended;

  Sweep(AddressIndex index, LogUnitRequest.CopyRange range) {
    this.index = index;
    this.range = range;
    this.next = onGrid(Math.max(range.from(), index.settledMark));
  }

  /** Whether the range's end has been reached, or enough has been done. */
  boolean isOver() {
    return ended || next >= range.to() || probes >= MAX_PROBES || found >= MAX_FOUND;
  }

  /** Where to go on; the range's end if nothing is left. */
  long next() {
    return next;
  }

  /** How many addresses there have been in all. */
  int found() {
    return found;
  }

  /** What comes next was not wanted any more from this address on. */
  void endAt(long address) {
    next = address;
    ended = true;
  }

  /** The next ones, not many; none where only probing was done. */
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

  /** The first address of the range from this one on. */
  private long onGrid(long address) {
    long beyond = address - range.from();
    long missing = Math.floorMod(-beyond, range.stride());
    return address >= range.to() || missing >= range.to() - address
        ? range.to()
        : address + missing;
  }
}
