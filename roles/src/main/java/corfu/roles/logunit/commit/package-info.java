/**
 * Group commit: {@code CommitBatch} gathers records, and {@code CommitQueue} writes and syncs one
 * batch after the other and reports the outcome of each.
 */
@NullMarked
package corfu.roles.logunit.commit;

import org.jspecify.annotations.NullMarked;
