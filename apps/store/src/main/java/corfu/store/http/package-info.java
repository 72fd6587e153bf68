/**
 * The store for those who do not run on the JVM: HTTP and JSON, with metrics. Enter at {@link
 * StoreServer}; {@code StoreApi} is what each request does, {@code ErrorResponses} how failures are
 * told.
 */
@NullMarked
package corfu.store.http;

import org.jspecify.annotations.NullMarked;
