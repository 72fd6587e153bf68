/**
 * The calls that simulated clients make on the log and on streams. {@code LogWorkload} chooses the
 * next call, {@code WorkloadProfile} says which ones a run prefers.
 */
@NullMarked
package corfu.sim.workload;

import org.jspecify.annotations.NullMarked;
