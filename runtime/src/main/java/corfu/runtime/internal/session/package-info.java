/** Shared by the operations of one client: retries, deadlines, the last resort. */
@NullMarked
package corfu.runtime.internal.session;

import org.jspecify.annotations.NullMarked;
