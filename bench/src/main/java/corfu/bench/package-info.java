/**
 * Benchmarks, each beside the machine's limits.
 *
 * <p>Enter at {@link corfu.bench.Benchmark} for the log itself. Each other package of benchmarks
 * has its own entry class, such as {@code corfu.bench.stream.StreamsBenchmark}.
 */
@NullMarked
package corfu.bench;

import org.jspecify.annotations.NullMarked;
