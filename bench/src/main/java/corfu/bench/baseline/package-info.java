/**
 * The limits of the machine: bare echoes over loopback, bare writes to the disk, datagrams to bare
 * roles.
 *
 * <p>Enter at {@link MachineLimits}. {@link BaselineLatencies} measures two of them repeatedly
 * during a run.
 */
@NullMarked
package corfu.bench.baseline;

import org.jspecify.annotations.NullMarked;
