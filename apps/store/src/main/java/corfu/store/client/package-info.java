/**
 * The store's client for the JVM that speaks HTTP: for who has no way to the cluster, or wants
 * none. Enter at {@link StoreClient}.
 */
@NullMarked
package corfu.store.client;

import org.jspecify.annotations.NullMarked;
