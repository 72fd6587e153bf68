/**
 * The bytes and the names of segment files. {@code RecordFormat} draws the records, {@code
 * SegmentName} holds the names, {@code FileWindow} reads a file piece by piece. A file that no
 * longer tells what was acknowledged is a {@link
 * corfu.roles.logunit.format.DamagedStorageException}.
 */
@NullMarked
package corfu.roles.logunit.format;

import org.jspecify.annotations.NullMarked;
