package corfu.nbd;

/**
 * The facts that clients learn of a device.
 *
 * @param description a text for people
 * @param sizeBytes the size in bytes
 * @param minBlockBytes the alignment that requests should have, a power of two, at most 65,536
 * @param preferredBlockBytes the size of requests that are served best, a power of two from 512
 *     bytes and {@code minBlockBytes} to 32 MiB
 * @param readOnly whether changes are refused
 */
public record DeviceInfo(
    String description,
    long sizeBytes,
    int minBlockBytes,
    int preferredBlockBytes,
    boolean readOnly) {

  private static final int LARGEST_MIN_BLOCK = 1 << 16;
  private static final int LEAST_PREFERRED_BLOCK = 512;
  private static final int LARGEST_REQUEST = 1 << 25;

  /**
   * Creates the record.
   *
   * @throws IllegalArgumentException if a number is outside of its bounds
   */
  public DeviceInfo {
    require(sizeBytes >= 0, "size", sizeBytes);
    require(
        Integer.bitCount(minBlockBytes) == 1
            && minBlockBytes > 0
            && minBlockBytes <= LARGEST_MIN_BLOCK,
        "minimum block",
        minBlockBytes);
    require(
        Integer.bitCount(preferredBlockBytes) == 1
            && preferredBlockBytes >= Math.max(minBlockBytes, LEAST_PREFERRED_BLOCK)
            && preferredBlockBytes <= LARGEST_REQUEST,
        "preferred block",
        preferredBlockBytes);
  }

  private static void require(boolean holds, String name, long value) {
    if (!holds) {
      throw new IllegalArgumentException("the " + name + " of a device is out of bounds: " + value);
    }
  }
}
