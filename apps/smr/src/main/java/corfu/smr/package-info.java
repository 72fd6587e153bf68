/**
 * Corfu-SMR: state machine replication (CORFU, section 4). Replicas append commands to a stream,
 * and apply the stream in its order. The log provides the consensus.
 *
 * <p>Enter at {@link StateMachineReplica}. {@code Proposer} batches commands into entries, whose
 * format is {@code CommandBatch}. {@code CommandPlayer} applies them; {@code PushFollower} brings
 * it those of other clients. {@code MachineCheckpoints} stores states, so that a new replica need
 * not apply all commands.
 */
@NullMarked
package corfu.smr;

import org.jspecify.annotations.NullMarked;
