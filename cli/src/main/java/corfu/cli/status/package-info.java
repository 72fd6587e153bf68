/**
 * {@code corfu status}: what a cluster looks like, and what is wrong with it.
 *
 * <p>Enter at {@link StatusCommand}. A {@link ClusterStatus} is read from the servers, a {@link
 * Diagnosis} judges it, {@code StatusText} and {@code StatusJson} print both.
 */
@NullMarked
package corfu.cli.status;

import org.jspecify.annotations.NullMarked;
