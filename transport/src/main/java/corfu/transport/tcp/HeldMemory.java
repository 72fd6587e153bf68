package corfu.transport.tcp;

/**
 * What the frames of all connections of one loop occupy together, against what they may. Lives on
 * the loop.
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
