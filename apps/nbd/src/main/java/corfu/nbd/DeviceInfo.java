package corfu.nbd;

/**
 * What clients learn of a device.
 *
 * @param description a text for people
 * @param sizeBytes the size in bytes
 * @param minBlockBytes the alignment that requests should have, a power of two
 * @param preferredBlockBytes the size of requests that are served best, a power of two
 * @param readOnly whether changes are refused
 */
public record DeviceInfo(
    String description,
    long sizeBytes,
    int minBlockBytes,
    int preferredBlockBytes,
    boolean readOnly) {}
