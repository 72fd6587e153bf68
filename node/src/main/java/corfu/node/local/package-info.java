/**
 * A cluster of processes on this machine, in one directory: for experiments, for tests that kill,
 * and for benchmarks.
 *
 * <p>Enter at {@link corfu.node.local.LocalCluster}. The directory holds the configuration, and for
 * each server its data, its log and a file with its process id.
 */
@NullMarked
package corfu.node.local;

import org.jspecify.annotations.NullMarked;
