/**
 * What a cluster on machines of its own would do, reckoned from what messages, entries, bytes and
 * syncs cost on one machine. Nothing here is measured: enter at {@link
 * corfu.bench.model.ClusterModel}, and say "simulated" beside whatever comes out of it.
 */
@NullMarked
package corfu.bench.model;

import org.jspecify.annotations.NullMarked;
