/** Blocks of disks in memory; entry: {@code BlockCache}. */
@NullMarked
package corfu.disk.internal.cache;

import org.jspecify.annotations.NullMarked;
