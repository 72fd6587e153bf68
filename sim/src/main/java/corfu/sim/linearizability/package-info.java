/**
 * Decides whether a history is linearizable: {@code Linearizability} for one register, {@code
 * OrderSearch} for any sequential model.
 */
@NullMarked
package corfu.sim.linearizability;

import org.jspecify.annotations.NullMarked;
