/**
 * The write-once address space on disk. {@code Store} accepts records and changes the index; {@code
 * Recovery} rebuilds both from a directory, {@code Compaction} frees space, {@code BatchRollback}
 * takes back batches that found no space. The other classes are steps of the store's maintenance
 * and its records of trims.
 */
@NullMarked
package corfu.roles.logunit.store;

import org.jspecify.annotations.NullMarked;
