/**
 * The log's vocabulary as pure values: addresses, epochs, entries. No I/O, no threads.
 *
 * <p>{@link corfu.protocol.Entry} is the one thing that travels and is stored as the same bytes.
 * Rooms beside this one: {@code layout} (the map from addresses to servers), {@code message} (what
 * may be asked and answered), {@code wire} (messages as bytes; {@code docs/wire-protocol.md} draws
 * them).
 */
@NullMarked
package corfu.protocol;

import org.jspecify.annotations.NullMarked;
