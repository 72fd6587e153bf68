/**
 * Time, random numbers, threads and disks, behind interfaces.
 *
 * <p>Each component gets its {@link corfu.world.World} and its {@link corfu.world.Disk} from the
 * code that starts it. {@link corfu.world.RealWorld} and {@link corfu.world.RealDisk} are the
 * production ones. A simulator supplies others; then one seed decides everything. Code that reads a
 * clock, sleeps or starts a thread by itself is a bug, which the architecture test reports.
 */
@NullMarked
package corfu.world;

import org.jspecify.annotations.NullMarked;
