/**
 * The storage unit: a write-once address space on a disk that may lie.
 *
 * <p>Enter at {@link corfu.roles.logunit.LogUnit}, which decides what is served and what is
 * answered. {@code Membership} keeps who the unit is and what its epochs are. {@code Store} accepts
 * records, {@code CommitQueue} brings them to the disk in groups, {@code AddressIndex} (over the
 * page map, {@link corfu.roles.logunit.pagemap}, and the {@code TrimmedSet}) and {@link
 * corfu.roles.logunit.streamindex} know what an address and a stream hold, {@code Segments} owns
 * the files and nothing else touches them, {@code Compaction} gives space back, {@code Recovery}
 * turns a directory into all that. {@code docs/storage-format.md} draws the files.
 */
@NullMarked
package corfu.roles.logunit;

import org.jspecify.annotations.NullMarked;
