/**
 * Benchmarks of replicated objects: changes, reads, transactions, and the time until a new view is
 * open.
 *
 * <p>Enter at {@link ObjectsBenchmark}.
 */
@NullMarked
package corfu.bench.object;

import org.jspecify.annotations.NullMarked;
