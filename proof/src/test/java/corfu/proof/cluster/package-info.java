/**
 * A cluster of real processes, each in a network namespace of its own, and what befalls it: {@link
 * corfu.proof.cluster.RealClusterTest} starts a {@link corfu.proof.cluster.Campaign} inside
 * namespaces that vanish with it.
 */
@NullMarked
package corfu.proof.cluster;

import org.jspecify.annotations.NullMarked;
