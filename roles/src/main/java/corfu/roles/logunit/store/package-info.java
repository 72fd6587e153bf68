/**
 * The write-once address space on disk. {@code Store} accepts records and changes the index. {@code
 * Recovery} reads both from a directory, {@code Compaction} frees space, and {@code BatchRollback}
 * undoes batches that found no space. The other classes are steps of the store's maintenance and
 * its records of trims.
 */
@NullMarked
package corfu.roles.logunit.store;

import org.jspecify.annotations.NullMarked;
