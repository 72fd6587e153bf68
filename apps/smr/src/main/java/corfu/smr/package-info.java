/**
 * Corfu-SMR: state machine replication (CORFU, section 4). Replicas propose commands by appending
 * them to a stream, and carry them out by playing it: the log is the consensus.
 *
 * <p>Enter at {@link Replica}. {@code Proposer} gathers commands into entries; {@code Batch} is
 * what an entry holds; {@code Checkpoints} keeps states, so that nobody has to play from the
 * beginning.
 */
@NullMarked
package corfu.smr;

import org.jspecify.annotations.NullMarked;
