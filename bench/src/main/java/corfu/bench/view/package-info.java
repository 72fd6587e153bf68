/**
 * Benchmarks of remote views beside local ones, and of readers beside writers.
 *
 * <p>Enter at {@link ViewsBenchmark}.
 */
@NullMarked
package corfu.bench.view;

import org.jspecify.annotations.NullMarked;
