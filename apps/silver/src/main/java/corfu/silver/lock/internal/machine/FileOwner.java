package corfu.silver.lock.internal.machine;

import corfu.silver.lock.internal.command.LockedFile;

/**
 * An owner of one session, and a file.
 *
 * @param file the file and the kind of its locks
 * @param owner the owner, as its mount names it
 */
public record FileOwner(LockedFile file, long owner) {}
