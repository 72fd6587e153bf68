/**
 * Hosting of views: a server plays objects and answers the calls of clients that have opened them
 * remotely (dissertation, section 5.3.1).
 *
 * <p>Enter at {@link corfu.objects.host.ViewHost}. The package {@code corfu.objects} implements the
 * guarantees of a call. This package decides which call or thread waits for which, and bounds the
 * resources.
 */
@NullMarked
package corfu.objects.host;

import org.jspecify.annotations.NullMarked;
