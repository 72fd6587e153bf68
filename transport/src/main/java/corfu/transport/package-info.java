/** Carries requests and their replies between endpoints, in one process or over TCP. */
@NullMarked
package corfu.transport;

import org.jspecify.annotations.NullMarked;
