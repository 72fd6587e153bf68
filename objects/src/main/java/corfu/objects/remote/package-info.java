/**
 * Calls on views that a server hosts: what is asked and answered, its bytes, and a client's way to
 * the hosts.
 *
 * <p>Enter at {@link corfu.objects.remote.ViewCall} and {@link corfu.objects.remote.ViewHosts}. The
 * objects' own runtime is above this package; who hosts is {@code corfu.objects.host}.
 */
@NullMarked
package corfu.objects.remote;

import org.jspecify.annotations.NullMarked;
