/**
 * Injects faults. {@code FaultPlan} chooses them, {@code Nemesis} injects and repairs them. The
 * cluster stays recoverable, so any stall is a bug.
 */
@NullMarked
package corfu.sim.fault;

import org.jspecify.annotations.NullMarked;
