/**
 * A whole Corfu cluster on one seed: the real roles and clients over simulated time, threads,
 * network and disks. It injects faults, and checks every guarantee of the log.
 *
 * <p>Enter at {@link corfu.sim.Simulation}. Servers run on the packages {@code world} and {@code
 * disk}; {@code cluster} has the processes. Package {@code fault} injects faults and keeps the
 * cluster recoverable, so that any stall is a bug. Package {@code workload} has the calls of
 * clients. Packages {@code watch}, {@code check} and {@code audit} check the invariants
 * (docs/design.md, section 8).
 *
 * <p>Everything runs on the calling thread; nothing here is thread-safe.
 */
@NullMarked
package corfu.sim;

import org.jspecify.annotations.NullMarked;
