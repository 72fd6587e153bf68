/**
 * Replaces layouts: finds out what is wrong, seals, decides, starts the sequencer (docs/design.md,
 * section 6). Enter at {@code Reconfiguration}. For those who run a cluster.
 */
@NullMarked
package corfu.runtime.reconfiguration;

import org.jspecify.annotations.NullMarked;
