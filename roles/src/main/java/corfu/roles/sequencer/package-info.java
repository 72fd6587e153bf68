/**
 * The counter that orders appends: it issues tokens, and its state may be lost.
 *
 * <p>Enter at {@link Sequencer}. {@code SequencerStreams} answers questions about streams and
 * decides on conditions, with {@code StreamTable} and {@code KeyTable}, which hold one epoch's
 * knowledge outside the heap.
 */
@NullMarked
package corfu.roles.sequencer;

import org.jspecify.annotations.NullMarked;
