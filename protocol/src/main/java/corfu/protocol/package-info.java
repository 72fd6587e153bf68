/**
 * The log's vocabulary as pure values: addresses, epochs, entries. No I/O, no threads.
 *
 * <p>{@link corfu.protocol.Entry} is the only value that has the same bytes on the wire and on
 * disk. The packages beside this one: {@code layout} (the map from addresses to servers), {@code
 * message} (requests and replies), {@code wire} (messages as bytes; {@code docs/wire-protocol.md}
 * draws them).
 */
@NullMarked
package corfu.protocol;

import org.jspecify.annotations.NullMarked;
