/**
 * Commands that serve until a person stops them: a server of a cluster, and the HTTP server of a
 * store.
 *
 * <p>Enter at {@link ServerCommand} and {@link StoreCommand}.
 */
@NullMarked
package corfu.cli.server;

import org.jspecify.annotations.NullMarked;
