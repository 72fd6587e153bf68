/**
 * The store for those who do not run on the JVM: HTTP and JSON, with metrics. Enter at {@link
 * StoreServer}; {@code Api} is what each request does, {@code Answers} how failures are told.
 */
@NullMarked
package corfu.store.http;

import org.jspecify.annotations.NullMarked;
