package corfu.disk;

import corfu.protocol.Address;

/**
 * A version of a disk that stays until it is deleted. Immutable.
 *
 * @param name its name
 * @param version the version
 * @param timeMillis the time at which it was taken, in milliseconds since 1970
 */
public record DiskSnapshot(String name, Address version, long timeMillis) {}
