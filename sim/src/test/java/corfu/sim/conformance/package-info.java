/**
 * What users of streams can rely on, as tests that run on every ground: inside one process, over
 * TCP, and in simulation, where servers die and come back meanwhile.
 *
 * <p>Enter at {@link StreamConformance}; the tests are in what it implements.
 */
@NullMarked
package corfu.sim.conformance;

import org.jspecify.annotations.NullMarked;
