/**
 * The requests to servers and their replies, as records of sealed types.
 *
 * <p>Every request carries the epoch of its client's layout. A server answers {@link
 * corfu.protocol.message.Failure.Sealed} if that epoch is older than its own. The {@code wire}
 * package converts messages to bytes.
 */
@NullMarked
package corfu.protocol.message;

import org.jspecify.annotations.NullMarked;
