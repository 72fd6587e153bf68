/**
 * Finds damage before a reader does: {@code Scrubber} reads all live records in repeated rounds,
 * {@code Inspector} checks records, and {@code ScrubFile} stores the progress across restarts.
 */
@NullMarked
package corfu.roles.logunit.scrub;

import org.jspecify.annotations.NullMarked;
