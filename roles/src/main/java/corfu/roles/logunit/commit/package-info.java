/**
 * Group commit: {@code Batch} gathers records, {@code CommitQueue} writes and syncs one batch after
 * the other, and tells what became of each.
 */
@NullMarked
package corfu.roles.logunit.commit;

import org.jspecify.annotations.NullMarked;
