/**
 * The store's HTTP and JSON server, with metrics, for clients in any language. Enter at {@link
 * StoreServer}. {@code StoreApi} maps requests to operations, and {@code ErrorResponses} maps
 * failures to HTTP errors.
 */
@NullMarked
package corfu.store.http;

import org.jspecify.annotations.NullMarked;
