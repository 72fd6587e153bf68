/**
 * Measures, and says beside every figure what the machine could do at best.
 *
 * <p>Enter at {@link corfu.bench.Benchmark}. What is measured is a {@code Workload}: ours run
 * against real server processes on this machine ({@code BenchCluster}), the machine's limits beside
 * them ({@code Limits}: a bare echo over loopback, bare writes to the disk). {@code Contest} lets
 * them take turns, so that whatever disturbs the machine disturbs all of them.
 */
@NullMarked
package corfu.bench;

import org.jspecify.annotations.NullMarked;
