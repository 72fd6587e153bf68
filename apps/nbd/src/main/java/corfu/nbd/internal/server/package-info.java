/** Sockets and threads: accepts connections, and gives each of them a session. */
@NullMarked
package corfu.nbd.internal.server;

import org.jspecify.annotations.NullMarked;
