/**
 * {@code corfu bench}: runs benchmarks, and prints their results.
 *
 * <p>Enter at {@link BenchCommand}. The benchmarks are in {@code corfu.bench} and {@code
 * corfu.peers}.
 */
@NullMarked
package corfu.cli.bench;

import org.jspecify.annotations.NullMarked;
