/**
 * The runs and measurements of workloads, and their results.
 *
 * <p>A {@link Workload} runs against real server processes on this machine ({@link BenchCluster}).
 * {@link LimitComparison} and {@link InterleavedRounds} let workloads take turns, so that a
 * disturbance of the machine affects all of them. Results are {@link Figure}s and {@link
 * PartResult}s.
 */
@NullMarked
package corfu.bench.harness;

import org.jspecify.annotations.NullMarked;
