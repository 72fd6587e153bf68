/**
 * Benchmarks of streams: appends, reads, holes, failover, pushes.
 *
 * <p>Enter at {@link StreamsBenchmark}.
 */
@NullMarked
package corfu.bench.stream;

import org.jspecify.annotations.NullMarked;
