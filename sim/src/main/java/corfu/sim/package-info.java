/**
 * A whole Corfu cluster on one seed: roles and clients as they are, over simulated time, threads,
 * network and disks, with faults injected and every promise of the log checked.
 *
 * <p>Enter at {@link corfu.sim.Simulation}. {@code world} and {@code disk} are what servers run on,
 * {@code cluster} is the processes, {@code fault} says what goes wrong and keeps the cluster
 * recoverable, so that any stall is a bug; {@code workload} is what clients do; {@code watch},
 * {@code check} and {@code audit} know what must hold (docs/design.md, section 8).
 *
 * <p>Everything runs on the thread that calls; nothing here is thread-safe.
 */
@NullMarked
package corfu.sim;

import org.jspecify.annotations.NullMarked;
