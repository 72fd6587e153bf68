/**
 * Derives the isolation of transactions from what their clients read, as Elle does (Kingsbury and
 * Alvaro, 2020). It finds which transactions must precede others, and whether that forms a cycle.
 *
 * <p>Enter at {@link IsolationChecker}. {@code Versions} has the order of each key's values, and
 * {@code DependencyGraph} the dependencies that follow from it and their cycles.
 */
@NullMarked
package corfu.sim.isolation;

import org.jspecify.annotations.NullMarked;
