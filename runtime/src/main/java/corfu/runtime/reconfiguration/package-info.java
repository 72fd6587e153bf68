/**
 * Replaces layouts: detects failures, seals, decides, starts the sequencer (docs/design.md, section
 * 6). Enter at {@code Reconfiguration}. For operators of a cluster.
 */
@NullMarked
package corfu.runtime.reconfiguration;

import org.jspecify.annotations.NullMarked;
