/**
 * Time, chance, threads and disks, behind interfaces.
 *
 * <p>Every component gets its {@link corfu.world.World} and its {@link corfu.world.Disk} from
 * whoever starts it. {@link corfu.world.RealWorld} and {@link corfu.world.RealDisk} are the
 * production ones; a simulator supplies others, and then one seed decides everything. Code that
 * reads a clock, sleeps or starts a thread by itself is a bug, which the architecture test reports.
 */
@NullMarked
package corfu.world;

import org.jspecify.annotations.NullMarked;
