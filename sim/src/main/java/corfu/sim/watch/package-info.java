/**
 * Observes the requests and replies of servers, and checks each against the invariants: {@code
 * UnitWatch} for log units, {@code ClusterWatch} for layouts, {@code StreamWatch} for streams,
 * {@code HostWatch} for hosted views.
 */
@NullMarked
package corfu.sim.watch;

import org.jspecify.annotations.NullMarked;
