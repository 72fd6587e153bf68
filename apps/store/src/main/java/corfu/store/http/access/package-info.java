/**
 * Decides whose requests a store's HTTP server executes: identities by certificates and tokens, and
 * permissions by the cluster's policy. Enter at {@link corfu.store.http.access.StoreSecurity}.
 */
@NullMarked
package corfu.store.http.access;

import org.jspecify.annotations.NullMarked;
