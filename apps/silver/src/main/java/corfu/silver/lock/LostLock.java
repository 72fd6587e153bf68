package corfu.silver.lock;

import corfu.protocol.StreamId;

/**
 * An owner that has lost all its locks of one kind on one file, because the session of its mount
 * has ended.
 *
 * @param file the file
 * @param kind the kind of the locks
 * @param owner the owner, as the mount names it
 */
public record LostLock(StreamId file, LockKind kind, long owner) {}
