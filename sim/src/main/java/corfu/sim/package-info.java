/**
 * A whole Corfu cluster on one seed: roles and clients as they are, over simulated time, threads,
 * network and disks, with faults injected and every promise of the log checked.
 *
 * <p>Enter at {@link corfu.sim.Simulation}. {@code Timeline} is time; {@code Life} and {@code
 * SimWorld} are a process; {@code SimNetwork} and {@code SimDisk} are what fails; {@code FaultPlan}
 * says what goes wrong and keeps the cluster recoverable, so that any stall is a bug; {@code
 * LogChecker}, {@code UnitWatch} and their like know what must hold (DESIGN 3.8).
 *
 * <p>Everything runs on the thread that calls; nothing here is thread-safe.
 */
@NullMarked
package corfu.sim;

import org.jspecify.annotations.NullMarked;
