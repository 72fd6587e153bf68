/**
 * The programs that a simulation runs instead of its own workloads. Implement {@code Application};
 * a {@code ApplicationRun} is one run of it, and a {@code ApplicationClient} is one of its client
 * threads.
 */
@NullMarked
package corfu.sim.application;

import org.jspecify.annotations.NullMarked;
