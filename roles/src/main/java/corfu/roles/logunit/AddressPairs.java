package corfu.roles.logunit;

import java.util.Arrays;

/** A list of log addresses, each with a stream address, that is used over and over again. */
final class AddressPairs {

  private long[] addresses = new long[64];
  private long[] streamAddresses = new long[64];
  private int count;

  void clear() {
    count = 0;
  }

  void add(long address, long streamAddress) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, count * 2);
      streamAddresses = Arrays.copyOf(streamAddresses, count * 2);
    }
    addresses[count] = address;
    streamAddresses[count++] = streamAddress;
  }

  int count() {
    return count;
  }

  long address(int i) {
    return addresses[i];
  }

  long streamAddress(int i) {
    return streamAddresses[i];
  }
}
