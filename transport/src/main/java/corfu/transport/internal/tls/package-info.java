/**
 * Parts of TLS connections over TCP: the admission of handshakes, blocking sockets, and failures in
 * words. Enter at {@link corfu.transport.internal.tls.ServerTls}.
 */
@NullMarked
package corfu.transport.internal.tls;

import org.jspecify.annotations.NullMarked;
