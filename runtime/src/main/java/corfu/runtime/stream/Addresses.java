package corfu.runtime.stream;

import java.util.Arrays;

/** A list of log addresses that costs eight bytes each. Not thread-safe. */
final class Addresses {

  private long[] values = new long[8];
  private int count;

  void add(long address) {
    if (count == values.length) {
      values = Arrays.copyOf(values, count * 2);
    }
    values[count++] = address;
  }

  void addAll(Addresses more) {
    for (int i = 0; i < more.count; i++) {
      add(more.values[i]);
    }
  }

  int count() {
    return count;
  }

  long at(int index) {
    return values[index];
  }

  /** Sorts the addresses, and returns this list. */
  Addresses ascending() {
    Arrays.sort(values, 0, count);
    return this;
  }

  /** Removes the first {@code many} addresses. */
  void removeFirst(int many) {
    System.arraycopy(values, many, values, 0, count - many);
    count -= many;
  }
}
