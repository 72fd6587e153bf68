package corfu.store;

import corfu.protocol.Address;

/**
 * Where a key's value is.
 *
 * @param version of the value: it stays the same if the value is moved
 * @param address of the entry that holds it
 * @param offset of its first byte in the entry's payload
 */
record Slot(long version, Address address, int offset, int length) {}
