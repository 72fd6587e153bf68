/**
 * The bytes and the names of log files. {@code RecordFormat} draws the records, {@code LogFileName}
 * has the names, and {@code FileWindow} reads a file piece by piece. A file that no longer proves
 * what was acknowledged causes a {@link corfu.roles.logunit.format.DamagedStorageException}.
 */
@NullMarked
package corfu.roles.logunit.format;

import org.jspecify.annotations.NullMarked;
