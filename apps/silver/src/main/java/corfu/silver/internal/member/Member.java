package corfu.silver.internal.member;

import corfu.protocol.StreamId;
import corfu.world.ProcessIdentity;

/**
 * A client that may change a file system.
 *
 * @param id its own id
 * @param process the process that it runs in
 */
public record Member(StreamId id, ProcessIdentity process) {}
