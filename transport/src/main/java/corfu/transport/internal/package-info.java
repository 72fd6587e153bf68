/**
 * Code that the transports share on the client's side: room for requests in flight, and the size of
 * a request.
 */
@NullMarked
package corfu.transport.internal;

import org.jspecify.annotations.NullMarked;
