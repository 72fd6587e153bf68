/**
 * Benchmarks of layout changes: the time without appends, and the costs of rebuilds, scrubbing and
 * fills.
 *
 * <p>Enter at {@link ReconfigureBenchmark}.
 */
@NullMarked
package corfu.bench.reconfigure;

import org.jspecify.annotations.NullMarked;
