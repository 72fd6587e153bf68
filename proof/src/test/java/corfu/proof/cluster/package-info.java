/**
 * Faults injected into a cluster of real processes, each in its own network namespace. {@link
 * corfu.proof.cluster.RealClusterTest} starts a {@link corfu.proof.cluster.Campaign} inside
 * namespaces that vanish with it.
 */
@NullMarked
package corfu.proof.cluster;

import org.jspecify.annotations.NullMarked;
