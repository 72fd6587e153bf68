/**
 * Looks for damage before a reader meets it: {@code Scrubber} reads all live records round after
 * round, {@code Inspector} compares records with what was written, {@code ScrubFile} keeps the
 * progress over restarts.
 */
@NullMarked
package corfu.roles.logunit.scrub;

import org.jspecify.annotations.NullMarked;
