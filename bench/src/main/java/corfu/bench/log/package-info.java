/**
 * Benchmarks of the log: appends, reads, tokens, latency, overload, scaling, memory.
 *
 * <p>{@link LatencyBenchmark}, {@link OverloadBenchmark}, {@link ScalingBenchmark} and {@link
 * MemoryBenchmark} each measure one question; {@code corfu.bench.Benchmark} names the others.
 */
@NullMarked
package corfu.bench.log;

import org.jspecify.annotations.NullMarked;
