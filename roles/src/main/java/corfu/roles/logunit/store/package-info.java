/**
 * The write-once address space on disk. {@code AddressSpace} accepts records and changes the index.
 * {@code Store} completes commits, and runs the maintenance of the files. {@code Recovery} reads
 * the index from a directory, {@code Compaction} frees space, and {@code BatchRollback} undoes
 * batches that found no space. The other classes are steps of the maintenance and records of trims.
 */
@NullMarked
package corfu.roles.logunit.store;

import org.jspecify.annotations.NullMarked;
