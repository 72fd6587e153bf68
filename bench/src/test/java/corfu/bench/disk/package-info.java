/** Tests of the benchmark of virtual disks. */
@NullMarked
package corfu.bench.disk;

import org.jspecify.annotations.NullMarked;
