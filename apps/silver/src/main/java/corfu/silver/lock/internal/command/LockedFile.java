package corfu.silver.lock.internal.command;

import corfu.protocol.StreamId;
import corfu.silver.lock.LockKind;

/**
 * The locks of one kind on one file.
 *
 * @param file the file
 * @param kind the kind of the locks
 */
public record LockedFile(StreamId file, LockKind kind) {}
