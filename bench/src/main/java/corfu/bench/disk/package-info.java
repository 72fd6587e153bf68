/**
 * The benchmark of virtual disks, beside a server of a local file; entry: {@code DiskBenchmark}.
 */
@NullMarked
package corfu.bench.disk;

import org.jspecify.annotations.NullMarked;
