/**
 * The guarantees of streams, as tests that run on every kind of cluster: inside one process, over
 * TCP, and in simulation. In simulation servers die and restart meanwhile.
 *
 * <p>Enter at {@link StreamConformance}; the tests are in the interfaces that it implements.
 */
@NullMarked
package corfu.sim.conformance;

import org.jspecify.annotations.NullMarked;
