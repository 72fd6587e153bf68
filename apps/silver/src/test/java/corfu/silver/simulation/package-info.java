/** Clients of one file system in simulated clusters, and a model of the file system. */
@NullMarked
package corfu.silver.simulation;

import org.jspecify.annotations.NullMarked;
