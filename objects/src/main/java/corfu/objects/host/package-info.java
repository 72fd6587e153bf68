/**
 * Hosting of views: a server plays objects and answers the calls of clients that have opened them
 * remotely (dissertation, section 5.3.1).
 *
 * <p>Enter at {@link corfu.objects.host.ViewHost}. What is promised of a call is kept in {@code
 * corfu.objects}; here is who waits for whom, and what is bounded.
 */
@NullMarked
package corfu.objects.host;

import org.jspecify.annotations.NullMarked;
