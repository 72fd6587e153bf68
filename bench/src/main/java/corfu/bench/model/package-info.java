/**
 * Simulates a cluster with a machine for each server, from the costs of messages, entries, bytes
 * and syncs on one machine. It measures nothing. Enter at {@link corfu.bench.model.ClusterModel},
 * and write "simulated" beside each of its results.
 */
@NullMarked
package corfu.bench.model;

import org.jspecify.annotations.NullMarked;
