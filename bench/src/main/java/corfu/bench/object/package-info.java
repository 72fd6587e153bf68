/**
 * Benchmarks of replicated objects: changes, reads, transactions, and how long a new view takes.
 *
 * <p>Enter at {@link ObjectsBenchmark}.
 */
@NullMarked
package corfu.bench.object;

import org.jspecify.annotations.NullMarked;
