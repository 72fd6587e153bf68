package corfu.silver;

import corfu.fuse.protocol.Timestamp;

/**
 * The user of an operation, and its time. Both become part of the history.
 *
 * @param uid the user
 * @param gid the user's group
 * @param time the time, which the file's times show
 */
public record Caller(int uid, int gid, Timestamp time) {}
