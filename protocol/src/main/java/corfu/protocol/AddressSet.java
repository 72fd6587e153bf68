package corfu.protocol;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** The log addresses of a request, in the order of the outcomes in its reply. */
public sealed interface AddressSet {

  int count();

  /** Returns the address at an index, from 0 to {@code count() - 1}. */
  long at(int index);

  default void forEach(LongConsumer consumer) {
    for (int i = 0; i < count(); i++) {
      consumer.accept(at(i));
    }
  }

  /** Returns a set of one address. */
  static AddressSet of(long address) {
    return new Strided(address, 1, 1);
  }

  /**
   * Every {@code stride}th address from {@code start}: the part of a range that one stripe holds.
   *
   * @param start the first address, 0 or more
   * @param stride the distance between two addresses, 1 or more
   * @param count the number of addresses, 0 or more
   */
  record Strided(long start, long stride, int count) implements AddressSet {
    public Strided {
      if (start < 0 || stride < 1 || count < 0) {
        throw new IllegalArgumentException(
            "no addresses: start " + start + ", stride " + stride + ", count " + count);
      }
      if (count > 0) {
        Math.addExact(start, Math.multiplyExact(stride, count - 1L));
      }
    }

    @Override
    public long at(int index) {
      return start + stride * index;
    }
  }

  /** Addresses without any pattern. The set owns the array. */
  @SuppressWarnings("ArrayRecordComponent") // equals() below compares the content
  record Listed(long[] addresses) implements AddressSet {
    public Listed {
      for (long address : addresses) {
        if (address < 0) {
          throw new IllegalArgumentException(
              "a log address is never negative, but this one is " + address);
        }
      }
    }

    @Override
    public int count() {
      return addresses.length;
    }

    @Override
    public long at(int index) {
      return addresses[index];
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Listed listed && Arrays.equals(addresses, listed.addresses);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(addresses);
    }

    @Override
    public String toString() {
      return Arrays.toString(addresses);
    }
  }
}
