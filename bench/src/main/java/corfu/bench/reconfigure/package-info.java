/**
 * Benchmarks of changes of the layout: how long the log stands still, and the costs of rebuilds,
 * scrubbing and filling.
 *
 * <p>Enter at {@link ReconfigureBenchmark}.
 */
@NullMarked
package corfu.bench.reconfigure;

import org.jspecify.annotations.NullMarked;
