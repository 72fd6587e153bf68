/**
 * The shared parts of one client's operations: retries, deadlines, and reconfiguration as the last
 * resort.
 */
@NullMarked
package corfu.runtime.internal.session;

import org.jspecify.annotations.NullMarked;
