/** Tests of the cache of blocks. */
@NullMarked
package corfu.disk.internal.cache;

import org.jspecify.annotations.NullMarked;
