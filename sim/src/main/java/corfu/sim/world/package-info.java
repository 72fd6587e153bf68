/**
 * Simulated time, threads and network of one run. {@code Timeline} is time; {@code ProcessLife} and
 * {@code SimWorld} are a process; {@code SimNetwork} carries, delays and loses messages; {@code
 * Simulator} is shared by all parts of a run.
 *
 * <p>Everything runs on the calling thread, and every random number comes from {@code SimRandom}.
 */
@NullMarked
package corfu.sim.world;

import org.jspecify.annotations.NullMarked;
