/**
 * The disks of a cluster, as a replicated object: their names, sizes, origins and snapshots. Enter
 * at {@code DiskCatalogue}.
 */
@NullMarked
package corfu.disk.internal.catalogue;

import org.jspecify.annotations.NullMarked;
