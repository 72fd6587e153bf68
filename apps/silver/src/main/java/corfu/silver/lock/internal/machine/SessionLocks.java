package corfu.silver.lock.internal.machine;

import java.util.Set;

/**
 * The locks and requests of one session.
 *
 * @param holders the owners that have locks, by file
 * @param waiting the numbers of the requests that wait
 */
public record SessionLocks(Set<FileOwner> holders, Set<Long> waiting) {}
