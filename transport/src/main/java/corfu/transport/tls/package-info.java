/**
 * TLS for all connections: certificates, keys and authorities from files, reloaded when they
 * change. Enter at {@link corfu.transport.tls.TlsCredentials}.
 */
@NullMarked
package corfu.transport.tls;

import org.jspecify.annotations.NullMarked;
