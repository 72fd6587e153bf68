package corfu.store;

import corfu.protocol.Address;

/**
 * The place of a key's value.
 *
 * @param version the version of the value; it stays the same when the value moves
 * @param address the log address of the entry with the value
 * @param offset the place of its first byte in the entry's payload
 */
record ValueLocation(long version, Address address, int offset, int length) {}
