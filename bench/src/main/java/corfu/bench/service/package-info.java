/**
 * Benchmarks of services over the log: the store, state machine replication, mirroring.
 *
 * <p>Enter at {@link ServicesBenchmark}.
 */
@NullMarked
package corfu.bench.service;

import org.jspecify.annotations.NullMarked;
