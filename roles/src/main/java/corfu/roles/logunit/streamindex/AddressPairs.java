package corfu.roles.logunit.streamindex;

import java.util.Arrays;

/** A reusable list of log addresses, each with a stream address. */
public final class AddressPairs {

  private long[] addresses = new long[64];
  private long[] streamAddresses = new long[64];
  private int count;

  public void clear() {
    count = 0;
  }

  public void add(long address, long streamAddress) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, count * 2);
      streamAddresses = Arrays.copyOf(streamAddresses, count * 2);
    }
    addresses[count] = address;
    streamAddresses[count++] = streamAddress;
  }

  public int count() {
    return count;
  }

  public long address(int i) {
    return addresses[i];
  }

  public long streamAddress(int i) {
    return streamAddresses[i];
  }
}
