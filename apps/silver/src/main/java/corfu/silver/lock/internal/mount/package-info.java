/** The state of a mount: the requests of its session, and the silence of other sessions. */
@NullMarked
package corfu.silver.lock.internal.mount;

import org.jspecify.annotations.NullMarked;
