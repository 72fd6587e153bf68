/**
 * {@code corfu sim}: runs simulations, shows their progress, and sums up their results.
 *
 * <p>Enter at {@link SimCommand}.
 */
@NullMarked
package corfu.cli.sim;

import org.jspecify.annotations.NullMarked;
