/**
 * Audits a cluster when all faults are over. Enter at {@code Auditor}: it reads the whole log,
 * compares replicas, and reads all streams and objects.
 */
@NullMarked
package corfu.sim.audit;

import org.jspecify.annotations.NullMarked;
