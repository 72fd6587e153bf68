package corfu.transport.tcp;

/**
 * The memory used by the frames of all connections of one loop, with its bound. Lives on the loop.
 */
final class HeldMemory {

  private final long maxBytes;
  private long bytes;

  HeldMemory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  void add(long more) {
    bytes += more;
  }

  void remove(long less) {
    bytes -= less;
  }

  boolean isExhausted() {
    return bytes >= maxBytes;
  }

  @Override
  public String toString() {
    return bytes + " of " + maxBytes + " bytes";
  }
}
