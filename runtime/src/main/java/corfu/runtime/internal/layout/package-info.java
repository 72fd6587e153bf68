/**
 * The newest layout that a client knows, and the detection of servers that the client cannot reach.
 */
@NullMarked
package corfu.runtime.internal.layout;

import org.jspecify.annotations.NullMarked;
