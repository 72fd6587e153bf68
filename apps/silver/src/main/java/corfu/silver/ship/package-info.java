/**
 * Versions of file systems as archives: a whole version goes to a file or to another cluster, and
 * becomes a file system there. The format is tar in gzip, which other programs read, too.
 */
@NullMarked
package corfu.silver.ship;

import org.jspecify.annotations.NullMarked;
