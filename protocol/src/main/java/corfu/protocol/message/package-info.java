/**
 * What may be asked of a server and what it may answer, as records of sealed types.
 *
 * <p>Every request carries the epoch under which it is made; a server answers {@link
 * corfu.protocol.message.Failure.Sealed} to an older one than its own. Their bytes are the business
 * of {@code wire}.
 */
@NullMarked
package corfu.protocol.message;

import org.jspecify.annotations.NullMarked;
