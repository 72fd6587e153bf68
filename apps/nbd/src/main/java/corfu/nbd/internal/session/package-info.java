/**
 * One client's connection as a state machine: the handshake, then requests and their replies.
 *
 * <p>Enter at {@code NbdSession}. A session runs on one thread, and knows neither sockets nor
 * clocks. Its {@code ClientLink} takes what it sends.
 */
@NullMarked
package corfu.nbd.internal.session;

import org.jspecify.annotations.NullMarked;
