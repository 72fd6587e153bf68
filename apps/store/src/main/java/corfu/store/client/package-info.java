/**
 * The store's HTTP client for the JVM, for applications that cannot reach the cluster's servers.
 * Enter at {@link StoreClient}.
 */
@NullMarked
package corfu.store.client;

import org.jspecify.annotations.NullMarked;
