/**
 * Carries requests and their replies between endpoints, in one process or over TCP.
 *
 * <p>Enter at {@link corfu.transport.Transport}, which gives a client its {@link
 * corfu.transport.Peer}s: the servers as a client sees them. A server handles requests in a {@link
 * corfu.transport.RequestHandler}.
 */
@NullMarked
package corfu.transport;

import org.jspecify.annotations.NullMarked;
