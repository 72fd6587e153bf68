/**
 * The counter that orders: it issues tokens, and holds nothing that can't be lost.
 *
 * <p>Enter at {@link Sequencer}. {@code Streams} decides what is told of streams and whether a
 * condition holds, by what {@code StreamTable} and {@code KeyTable} remember of one epoch outside
 * the heap.
 */
@NullMarked
package corfu.roles.sequencer;

import org.jspecify.annotations.NullMarked;
