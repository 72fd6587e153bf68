/**
 * Checks recorded histories after a run: {@code LogChecker}, {@code StreamChecker}, {@code
 * RegisterChecker} and {@code ObjectChecker}.
 */
@NullMarked
package corfu.sim.check;

import org.jspecify.annotations.NullMarked;
