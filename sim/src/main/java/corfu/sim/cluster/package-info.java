/**
 * The processes of a simulated cluster: servers, clients and operators. Enter at {@code
 * SimCluster}. {@code FaultBudget} knows which servers and disks may still fail; {@code
 * AvailabilityWatch} checks that calls succeed meanwhile.
 */
@NullMarked
package corfu.sim.cluster;

import org.jspecify.annotations.NullMarked;
