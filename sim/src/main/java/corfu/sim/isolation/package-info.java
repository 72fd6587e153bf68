/**
 * Finds out what isolation transactions had from what their clients saw of them, as Elle does
 * (Kingsbury and Alvaro, 2020): who must have been before whom, and whether that goes in a circle.
 *
 * <p>Enter at {@link IsolationChecker}. {@code Versions} knows in which order the values of a key
 * came, {@code DependencyGraph} what follows from that and where it contradicts itself.
 */
@NullMarked
package corfu.sim.isolation;

import org.jspecify.annotations.NullMarked;
