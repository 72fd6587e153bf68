package corfu.silver.internal.member;

import corfu.protocol.StreamId;

/**
 * A client that may change a file system.
 *
 * @param id its own id
 * @param machine the machine that it runs on, in this start of it; empty if unknown
 * @param process the process on that machine
 */
public record Member(StreamId id, String machine, long process) {}
