package corfu.silver.lock.internal.command;

/**
 * An owner of locks. Its own locks never conflict.
 *
 * @param session the session of its mount
 * @param owner the owner, as that mount names it
 */
public record LockOwner(long session, long owner) {}
