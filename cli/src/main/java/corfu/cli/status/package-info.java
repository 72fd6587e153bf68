/**
 * {@code corfu status}: the health of a cluster, and its problems.
 *
 * <p>Enter at {@link StatusCommand}. A {@link ClusterStatus} collects the servers' reports, and a
 * {@link Diagnosis} judges them. {@code StatusText} and {@code StatusJson} print both.
 */
@NullMarked
package corfu.cli.status;

import org.jspecify.annotations.NullMarked;
