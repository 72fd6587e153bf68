/** Virtual disks on the log, with snapshots and clones that cost nothing. */
@NullMarked
package corfu.disk;

import org.jspecify.annotations.NullMarked;
