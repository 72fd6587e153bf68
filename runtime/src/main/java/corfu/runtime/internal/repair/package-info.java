/** Decides addresses that others left undecided: repairs of chains, fills, trims. */
@NullMarked
package corfu.runtime.internal.repair;

import org.jspecify.annotations.NullMarked;
