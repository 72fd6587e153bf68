/**
 * The cost of clients on a server, measured from outside. {@link corfu.proof.load.ServerUnderLoad}
 * is the server.
 */
@NullMarked
package corfu.proof.load;

import org.jspecify.annotations.NullMarked;
